import type { Database, WorkOptions, WriteSession } from '@sinebar/database';
import { CONFIGURATION_STATE, type Configuration, type ConfigurationReader } from '../../configuration/configuration.js';
import type { VersioningMode } from '../../shared/versioning-mode.js';
import { SHARE_PLAN } from '../../shared/plan-lock.js';
import type { SentMeasurement } from '../codec/sent-measurement.js';
import { CharacteristicSetCache, CharacteristicsInUse } from '../sets/characteristic-sets.js';
import type { MeasuredPart, MeasuredPartCache } from '../sets/measured-parts.js';
import { MeasurementWriteStore } from './measurement-write-store.js';

export interface MeasurementWriteDependencies {
  database: Database;
  configurations: ConfigurationReader;
  partCache: MeasuredPartCache;
  versioning: VersioningMode;
  now: () => Date;
}

/** Context of a transaction that writes measurements under the shared plan lock. */
export interface MeasurementTransaction {
  session: WriteSession;
  store: MeasurementWriteStore;
  configuration: Configuration;
  characteristics: CharacteristicsInUse;
  /** Parts by uuid; those that do not exist are left out. */
  findParts: (uuids: ReadonlySet<string>) => Promise<ReadonlyMap<string, MeasuredPart>>;
  at: Date;
  /** The comment as it is stored: `null` while versioning is off. spec: inspection-service.md, Measurement */
  commentOf: (measurement: SentMeasurement) => string | null;
}

/** Runs transactions that write measurements. Each relies on the plan and therefore holds its lock shared. */
export class MeasurementTransactions {
  private readonly deps: MeasurementWriteDependencies;
  private readonly cache = new CharacteristicSetCache();

  constructor(deps: MeasurementWriteDependencies) {
    this.deps = deps;
  }

  async run<T>(options: WorkOptions, work: (transaction: MeasurementTransaction) => Promise<T>): Promise<T> {
    const { database, configurations, partCache, versioning, now } = this.deps;
    const { signal, statementTimeoutMs, traceparent } = options;
    const opening = [SHARE_PLAN, CONFIGURATION_STATE];
    const { result, parts, characteristics } = await database.write(
      { signal, statementTimeoutMs, traceparent, opening },
      async (session) => {
        const { configuration, plan } = await configurations.readOpened(session, session.opening[1]);
        const parts = partCache.at(plan);
        const characteristics = new CharacteristicsInUse(session, this.cache);
        const result = await work({
          session,
          store: new MeasurementWriteStore(session),
          configuration,
          characteristics,
          findParts: (uuids) => parts.find(session, uuids),
          at: now(),
          commentOf: ({ comment }) => (versioning === 'off' ? null : (comment ?? null)),
        });
        return { result, parts, characteristics };
      },
    );
    // Caches sets only after the commit: a set that the transaction created may still be rolled back.
    for (const used of characteristics.all()) {
      this.cache.put(used);
      parts.put(used.part);
    }
    return result;
  }
}
