/*
 * Every advisory lock of Sinebar. PostgreSQL keeps advisory locks per database, so each key contains the schema: two installations in one
 * database do not wait for each other.
 *
 * The keys of the default schemas are older and do not contain it (`formerly`). They stay, because processes of both releases
 * work on one schema during a rolling update (docs/decisions/0030-advisory-locks.md). Never change or reuse a key.
 */
import type { Session } from './database.ts';
import { assertSchemaName } from './connection/connection-settings.ts';

interface LockDefinition {
  /** Key text before the schema, and before the item where there is one lock per item. */
  text: string;
  /** Key in the schema that had one before keys contained their schema. @param item SQL expression */
  formerly?: { schema: string; key: (item: string) => string };
}

const LOCKS = {
  /** Relay that publishes the outbox. Held by its connection. */
  outbox: { text: 'sinebar outbox' },
  /** Exclusive for changes of plan, configuration and catalogs, shared for writers of measurements. Held by transactions. */
  plan: { text: 'sinebar plan', formerly: { schema: 'inspection', key: () => '5310101' } },
  /** Replica that counts for the service information. Held by its transaction. */
  statistics: { text: 'sinebar statistics', formerly: { schema: 'inspection', key: () => '5310102' } },
  /** Removal of the next values of deleted attributes. Held by its transaction. */
  attributePurge: { text: 'sinebar attribute purge', formerly: { schema: 'inspection', key: () => '5310103' } },
  /** Rewriting of the next measurements of a stale characteristic set. Held by its transaction. */
  valueCompaction: { text: 'sinebar value compaction', formerly: { schema: 'inspection', key: () => '5310104' } },
  /** Computation of the next kept figures. Held by its transaction. */
  keptFigures: { text: 'sinebar kept figures' },
  /** Judging of the next values, and other changes that the server makes to alarms. Held by its transaction. */
  alarms: { text: 'sinebar alarms' },
  /** Next step of a pending operation. Held by its transaction. */
  pendingOperations: { text: 'sinebar pending operations', formerly: { schema: 'inspection', key: () => '5310105' } },
  /** Search for those who are to be told about the next alarms. Held by its transaction. */
  alarmNotices: { text: 'sinebar alarm notices' },
  /** Choice of the next messages about alarms. Held by its transaction. */
  alarmDeliveries: { text: 'sinebar alarm deliveries' },
  /** Choice of the next runs of schedules for reports, and of what is sent of them. Held by its transaction. */
  reportSchedules: { text: 'sinebar report schedules' },
  /** Replica of raw-data that follows the parts. Held by its connection. */
  partFollower: { text: 'raw-data follower' },
  /** Exclusive for a refill of the part mirror, shared for uploads. Held by transactions. */
  refill: { text: 'raw-data refill' },
  /** Shared for removals of objects, exclusive for a backup while it reads (docs/decisions/0021-maintenance.md). */
  removals: {
    text: 'sinebar removal of files',
    formerly: { schema: 'raw_data', key: () => `hashtextextended('sinebar removal of files', 0)` },
  },
  /** One per part: shared for its uploads, exclusive for its deletion. Held by transactions. */
  part: { text: 'raw-data part', formerly: { schema: 'raw_data', key: (item) => `hashtextextended('raw-data part ' || ${item}, 0)` } },
  /** One per target: assignment of its next key. Taken after the lock of the part. Held by transactions. */
  fileKeys: { text: 'raw-data keys', formerly: { schema: 'raw_data', key: (item) => `hashtextextended('raw-data keys ' || ${item}, 0)` } },
} as const satisfies Record<string, LockDefinition>;

export type AdvisoryLock = keyof typeof LOCKS;

/** All locks, for tests. */
export const ADVISORY_LOCKS = Object.keys(LOCKS) as AdvisoryLock[];

/** One lock for migrations of all schemas of a database, because services that create the same extension at once would collide. */
export const MIGRATION_LOCK_KEY = `hashtextextended('sinebar migration', 0)`;

/** One lock for the whole database of a process that shares neither events nor files with others (`keepForThisProcess`). */
export const SOLE_PROCESS_LOCK_KEY = `hashtextextended('sinebar sole process', 0)`;

export interface AdvisoryKeyOptions {
  /** SQL expression (text) for the item of `part` and `fileKeys`. */
  item?: string;
  /** By default the schema of the connection. */
  schema?: string;
}

/** @returns an SQL expression (bigint) for the key of the lock in a schema */
export function advisoryKey(lock: AdvisoryLock, { item, schema }: AdvisoryKeyOptions = {}): string {
  const { text, formerly }: LockDefinition = LOCKS[lock];
  const keyIn = (schemaText: string) => `hashtextextended('${text} ' || ${schemaText}${item === undefined ? '' : ` || ' ' || ${item}`}, 0)`;
  const formerKey = formerly?.key(item ?? `''`);
  if (schema === undefined) {
    const key = keyIn('current_schema()::text');
    return formerly ? `CASE current_schema() WHEN '${formerly.schema}' THEN ${formerKey} ELSE ${key} END` : key;
  }
  assertSchemaName(schema);
  return formerKey !== undefined && formerly?.schema === schema ? formerKey : keyIn(`'${schema}'`);
}

/** Takes the lock until the end of the transaction, without waiting. @returns whether it is held */
export async function tryAdvisoryLock(session: Session, lock: AdvisoryLock, mode: 'alone' | 'shared' = 'alone'): Promise<boolean> {
  const take = mode === 'shared' ? 'pg_try_advisory_xact_lock_shared' : 'pg_try_advisory_xact_lock';
  const [row] = await session.query<{ taken: boolean }>(`SELECT ${take}(${advisoryKey(lock)}) AS taken`, [], {
    name: `try-${lock}-${mode}`,
  });
  return row?.taken === true;
}
