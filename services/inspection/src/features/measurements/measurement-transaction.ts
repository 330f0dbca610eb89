import type { Database, WorkOptions, WriteSession } from '@sinebar/database';
import { CONFIGURATION_STATE, type Configuration, type ConfigurationReader } from '../configuration/configuration.js';
import type { VersioningMode } from '../plan/plan-service.js';
import { SHARE_PLAN } from '../plan/plan-store.js';
import type { SentMeasurement } from '../values/sent-measurement.js';
import { CharacteristicSetCache, type PartCharacteristics } from './characteristic-sets.js';
import { MeasurementWriteStore } from './measurement-write-store.js';

export interface MeasurementWriteParts {
  database: Database;
  configurations: ConfigurationReader;
  versioning: VersioningMode;
  now: () => Date;
}

/** What a writer of measurements works with, under the plan lock. */
export interface MeasurementTransaction {
  session: WriteSession;
  store: MeasurementWriteStore;
  configuration: Configuration;
  cache: CharacteristicSetCache;
  at: Date;
  /** What is stored of a comment. spec: inspection-service.md, Measurement */
  commentOf: (measurement: SentMeasurement) => string | null;
}

/** Runs transactions that write measurements: each relies on the plan and holds its lock shared. */
export class MeasurementTransactions {
  private readonly parts: MeasurementWriteParts;
  private readonly cache = new CharacteristicSetCache();

  constructor(parts: MeasurementWriteParts) {
    this.parts = parts;
  }

  async run<T>(
    options: WorkOptions,
    work: (transaction: MeasurementTransaction) => Promise<{ result: T; used: readonly PartCharacteristics[] }>,
  ): Promise<T> {
    const { database, configurations, versioning, now } = this.parts;
    const { signal, statementTimeoutMs, traceparent } = options;
    const opening = [SHARE_PLAN, CONFIGURATION_STATE];
    const { result, used } = await database.write({ signal, statementTimeoutMs, traceparent, opening }, async (session) =>
      work({
        session,
        store: new MeasurementWriteStore(session),
        configuration: await configurations.readOpened(session, session.opening[1]),
        cache: this.cache,
        at: now(),
        commentOf: ({ comment }) => (versioning === 'off' ? null : (comment ?? null)),
      }),
    );
    // Not before the commit: a set that was made in the transaction may still be rolled back.
    for (const part of used) this.cache.put(part);
    return result;
  }
}
