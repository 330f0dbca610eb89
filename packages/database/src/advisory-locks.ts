/*
 * Every advisory lock of Sinebar. PostgreSQL keeps advisory locks per database, so that the key of each holds the name of the schema: two installations in
 * one database do not wait for each other.
 *
 * The keys of the default schemas are older and do not name them (`formerly`). They stay as they are: during a rolling update processes of both releases
 * work on one schema and must meet (docs/decisions/0030-advisory-locks.md). Never change a key, and never use one again for something else.
 */
import type { Session } from './database.js';
import { assertSchemaName } from './pool/connection-settings.js';

interface LockDefinition {
  /** Followed by the schema, and by the item where the lock is one of many. */
  text: string;
  /** The key in the schema that had one before keys named their schema. @param item SQL expression */
  formerly?: { schema: string; key: (item: string) => string };
}

const LOCKS = {
  /** The relay that publishes the outbox. Held by its connection. */
  outbox: { text: 'sinebar outbox' },
  /** Changes of plan, configuration and catalogs hold it alone, writers of measurements share it. Held by transactions. */
  plan: { text: 'sinebar plan', formerly: { schema: 'inspection', key: () => '5310101' } },
  /** The replica that counts for the service information. Held by its transaction. */
  statistics: { text: 'sinebar statistics', formerly: { schema: 'inspection', key: () => '5310102' } },
  /** The removal of the next values of deleted attributes. Held by its transaction. */
  attributePurge: { text: 'sinebar attribute purge', formerly: { schema: 'inspection', key: () => '5310103' } },
  /** The rewriting of the next measurements of a stale characteristic set. Held by its transaction. */
  valueCompaction: { text: 'sinebar value compaction', formerly: { schema: 'inspection', key: () => '5310104' } },
  /** The next step of a pending operation. Held by its transaction. */
  pendingOperations: { text: 'sinebar pending operations', formerly: { schema: 'inspection', key: () => '5310105' } },
  /** The replica of raw-data that follows the parts. Held by its connection. */
  partFollower: { text: 'raw-data follower' },
  /** A refill of the part mirror holds it alone, uploads share it. Held by transactions. */
  refill: { text: 'raw-data refill' },
  /** Removals of objects share it; a backup holds it alone while it reads (docs/decisions/0021-maintenance.md). */
  removals: {
    text: 'sinebar removal of files',
    formerly: { schema: 'raw_data', key: () => `hashtextextended('sinebar removal of files', 0)` },
  },
  /** One for each part: its uploads share it, its deletion holds it alone. Held by transactions. */
  part: { text: 'raw-data part', formerly: { schema: 'raw_data', key: (item) => `hashtextextended('raw-data part ' || ${item}, 0)` } },
  /** One for each target: the assignment of its next key. Taken behind the lock of the part. Held by transactions. */
  fileKeys: { text: 'raw-data keys', formerly: { schema: 'raw_data', key: (item) => `hashtextextended('raw-data keys ' || ${item}, 0)` } },
} as const satisfies Record<string, LockDefinition>;

export type AdvisoryLock = keyof typeof LOCKS;

/** All locks, for tests. */
export const ADVISORY_LOCKS = Object.keys(LOCKS) as AdvisoryLock[];

/** The lock of migrations, one for all schemas of a database: services that create the same extension at once would collide. */
export const MIGRATION_LOCK_KEY = `hashtextextended('sinebar migration', 0)`;

export interface AdvisoryKeyOptions {
  /** SQL expression (text) that tells which of many, for `part` and `fileKeys`. */
  item?: string;
  /** Unless given, the schema of the connection. */
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
  const [row] = await session.query<{ taken: boolean }>(`SELECT ${take}(${advisoryKey(lock)}) AS taken`);
  return row?.taken === true;
}
