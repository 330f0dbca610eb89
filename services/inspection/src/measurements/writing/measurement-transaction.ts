import type { PendingChange } from '@sinebar/contracts';
import type { Database, WorkOptions, WriteSession } from '@sinebar/database';
import { CONFIGURATION_STATE, type Configuration, type ConfigurationReader } from '../../configuration/configuration.ts';
import type { VersioningMode } from '../../shared/versioning-mode.ts';
import { SHARE_PLAN } from '../../shared/plan-lock.ts';
import type { SentMeasurement } from '../codec/sent-measurement.ts';
import { CharacteristicSetCache, CharacteristicsInUse } from '../sets/characteristic-sets.ts';
import type { MeasuredPart, MeasuredPartCache } from '../sets/measured-parts.ts';
import { MeasurementWriteStore } from './measurement-write-store.ts';

/** Measurements of one part that share a message, at most: the message stays well below the broker's limit of 1 MiB. */
const MAX_EVENTS_PER_MESSAGE = 1000;
/** Uuids of removed characteristics in one message; the rest follows in further messages about the same measurement. */
const REMOVALS_PER_MESSAGE = 15_000;

export interface MeasurementWriteDependencies {
  database: Database;
  configurations: ConfigurationReader;
  partCache: MeasuredPartCache;
  versioning: VersioningMode;
  now: () => Date;
}

type MeasurementChange = 'MeasurementCreated' | 'MeasurementModified';

/** A written measurement, and its part as read under the plan lock. */
export interface WrittenMeasurement {
  uuid: string;
  part: { uuid: string; path: string };
  /** Uuids of the characteristics whose values the change removed. */
  removed?: readonly string[];
  /** Version of the values after the change. */
  valuesVersion?: number;
}

/** Context of a transaction that writes measurements under the shared plan lock. */
export interface MeasurementTransaction {
  store: MeasurementWriteStore;
  configuration: Configuration;
  characteristics: CharacteristicsInUse;
  /** Parts by uuid; those that do not exist are left out. */
  findParts: (uuids: ReadonlySet<string>) => Promise<ReadonlyMap<string, MeasuredPart>>;
  at: Date;
  /** Records the events of what was written, one for each measurement; they are sent after the commit. */
  announce: (type: MeasurementChange, written: readonly WrittenMeasurement[]) => void;
  /** The comment as it is stored: `null` while versioning is off. spec: inspection-service.md, Measurement */
  commentOf: (measurement: SentMeasurement) => string | null;
}

/** Makes the context of a transaction that holds the plan lock. */
export function measurementTransaction(
  session: WriteSession,
  content: Omit<MeasurementTransaction, 'store' | 'announce'>,
): MeasurementTransaction {
  return {
    ...content,
    store: new MeasurementWriteStore(session),
    announce: (type, written) => session.announce(measurementEvents(type, written)),
  };
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
        const transaction = measurementTransaction(session, {
          configuration,
          characteristics,
          findParts: (uuids) => parts.find(session, uuids),
          at: now(),
          commentOf: ({ comment }) => (versioning === 'off' ? null : (comment ?? null)),
        });
        const result = await work(transaction);
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

/**
 * Makes one event for each measurement, in the order given within each part. A measurement that lost characteristics gets messages of its
 * own, because a list of removed characteristics holds for every measurement of its message.
 * spec: inspection-service.md, Measurement events; decisions.md 7.1
 */
function measurementEvents(type: MeasurementChange, written: readonly WrittenMeasurement[]): PendingChange[] {
  const byPart = new Map<string, WrittenMeasurement[]>();
  const alone: PendingChange[] = [];
  for (const measurement of written) {
    const { removed = [], part, valuesVersion } = measurement;
    for (let start = 0; start < removed.length; start += REMOVALS_PER_MESSAGE) {
      const change = message(type, part, [measurement]);
      const removedCharacteristics = removed.slice(start, start + REMOVALS_PER_MESSAGE);
      alone.push({ ...change, removedCharacteristics, ...(valuesVersion !== undefined && { valuesVersion }) });
    }
    if (removed.length > 0) continue;
    const ofPart = byPart.get(part.uuid);
    if (ofPart) ofPart.push(measurement);
    else byPart.set(part.uuid, [measurement]);
  }
  const together = [...byPart.values()].flatMap((ofPart) =>
    Array.from({ length: Math.ceil(ofPart.length / MAX_EVENTS_PER_MESSAGE) }, (_, i) => {
      const some = ofPart.slice(i * MAX_EVENTS_PER_MESSAGE, (i + 1) * MAX_EVENTS_PER_MESSAGE);
      return message(type, (some[0] as WrittenMeasurement).part, some);
    }),
  );
  return [...together, ...alone];
}

function message(
  type: 'MeasurementCreated' | 'MeasurementModified',
  part: WrittenMeasurement['part'],
  measurements: readonly WrittenMeasurement[],
): PendingChange {
  const [first] = measurements;
  return {
    type,
    subject: measurements.length === 1 && first ? first.uuid : part.uuid,
    path: part.path,
    partUuid: part.uuid,
    events: measurements.map(({ uuid }) => ({ CharacteristicUuid: part.uuid, PartUuid: part.uuid, MeasurementUuid: uuid })),
  };
}
