import { errorCode, pause } from '@sinebar/concurrency';
import type pg from 'pg';
import { applySettings, assertSchemaName, LOCK_HOLDER_KEEPALIVE } from '../connection/connection-settings.ts';
import type { Migration } from '../database.ts';
import { failureFields, SILENT_LOG, type DatabaseLog } from '../log.ts';
import { takeMigrationLock } from './migration-lock.ts';
import { assertCodeIsNewEnough, codeVersionOf, numberOf, readSchemaVersion } from './schema-version.ts';
import { reachServer } from '../connection/server-check.ts';
import { ConnectionSession } from '../transaction/session.ts';

export interface MigrateOptions {
  applicationName?: string;
  /** Time to wait for a server that does not answer yet. */
  startTimeoutMs?: number;
  /** Time to wait for another process that migrates. */
  lockTimeoutMs?: number;
  signal?: AbortSignal;
  log?: DatabaseLog;
}

export interface MigrationResult {
  /** Version of the schema; newer code may have migrated it further. */
  current: number;
  /** Names of the steps that this call ran. */
  applied: string[];
}

/** Short, because other statements queue behind a waiting ALTER TABLE; the step is retried. */
const TABLE_LOCK_TIMEOUT_MS = 5000;
const TABLE_LOCK_ATTEMPTS = 60;

/**
 * Creates the schema or brings it up to date; several processes may call it at once.
 * Each step and its bookkeeping row are one transaction: after a failure the next call repeats the failed step.
 * @throws UnsuitableDatabaseError, SchemaTooNewError; MigrationError with the step's name
 */
export async function migrate(
  url: string,
  schema: string,
  migrations: readonly Migration[],
  options: MigrateOptions = {},
): Promise<MigrationResult> {
  assertSchemaName(schema);
  const codeVersion = codeVersionOf(migrations);
  const { log = SILENT_LOG, signal } = options;
  const address = { url, applicationName: options.applicationName ?? 'sinebar-migration', connectTimeoutMs: 10_000 };
  const client = await reachServer(address, { timeoutMs: options.startTimeoutMs ?? 60_000, signal, log });
  try {
    const before = await readSchemaVersion(client, schema);
    if (before) assertCodeIsNewEnough(schema, before, codeVersion);
    if (before && before.current >= codeVersion) return { current: before.current, applied: [] };
    await applySettings(client, {
      schema,
      statementTimeoutMs: 0,
      lockTimeoutMs: TABLE_LOCK_TIMEOUT_MS,
      idleInTransactionTimeoutMs: 0,
      keepaliveSeconds: LOCK_HOLDER_KEEPALIVE,
    });
    await takeMigrationLock(client, options.lockTimeoutMs ?? 900_000, signal, log);
    await createBookkeeping(client, schema);
    const applied: string[] = [];
    for (const migration of await findPending(client, schema, migrations)) {
      signal?.throwIfAborted();
      log.info({ schema, migration: migration.name }, 'migrating the database');
      await applyStep(client, schema, migration, log);
      applied.push(migration.name);
    }
    return { current: (await readSchemaVersion(client, schema))?.current ?? 0, applied };
  } finally {
    // Closing the connection releases the lock, also after a partial acquisition.
    await client.end().catch(() => undefined);
  }
}

/** A failed step; its changes are rolled back, unless it runs outside a transaction. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

async function createBookkeeping(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>('SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1) AS exists', [
    schema,
  ]);
  // CREATE SCHEMA IF NOT EXISTS needs the right to create a schema even where an administrator has already created it.
  if (rows[0]?.exists !== true) await client.query(`CREATE SCHEMA "${schema}"`);
  await client.query(
    `BEGIN;
     CREATE TABLE IF NOT EXISTS "${schema}".schema_version (
       only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), current int NOT NULL, oldest_code int NOT NULL
     );
     CREATE TABLE IF NOT EXISTS "${schema}".schema_migration (
       number int PRIMARY KEY, name text NOT NULL UNIQUE, applied_at timestamptz NOT NULL DEFAULT now()
     );
     INSERT INTO "${schema}".schema_version (current, oldest_code) VALUES (0, 0) ON CONFLICT DO NOTHING;
     COMMIT`,
  );
}

/** @throws Error when the steps of the code and of the database differ. */
async function findPending(client: pg.Client, schema: string, migrations: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ number: number; name: string }>(
    `SELECT number, name FROM "${schema}".schema_migration ORDER BY number`,
  );
  const applied = new Map(rows.map(({ number, name }) => [number, name]));
  const current = rows.at(-1)?.number ?? 0;
  const pending = migrations.filter((migration) => !applied.has(numberOf(migration)));
  for (const migration of migrations) {
    const other = applied.get(numberOf(migration));
    if (other !== undefined && other !== migration.name) {
      throw new Error(
        `The schema "${schema}" has had the migration "${other}" where this code has "${migration.name}": it belongs to other code.`,
      );
    }
  }
  const late = pending.find((migration) => numberOf(migration) < current);
  if (late) throw new Error(`The migration "${late.name}" comes before others that have run already; give it a number above ${current}.`);
  return pending;
}

async function applyStep(client: pg.Client, schema: string, migration: Migration, log: DatabaseLog): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await (migration.transaction === false ? applyOutside(client, schema, migration) : applyInside(client, schema, migration));
      return;
    } catch (error) {
      const lockTimedOut = errorCode(error) === '55P03';
      if (!lockTimedOut || attempt === TABLE_LOCK_ATTEMPTS) {
        throw new MigrationError(`The migration "${migration.name}" of the schema "${schema}" failed: ${failureFields(error).reason}`, {
          cause: error,
        });
      }
      log.warn({ schema, migration: migration.name }, 'a table is in use; the migration is retried');
      await pause(1000 + Math.random() * 1000);
    }
  }
}

async function applyInside(client: pg.Client, schema: string, migration: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await migration.up(sessionOf(client));
    await record(client, schema, migration);
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new Error('one of its statements failed and it did not pass the error on');
  } catch (error) {
    // After a lost connection the server rolls back by itself.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function applyOutside(client: pg.Client, schema: string, migration: Migration): Promise<void> {
  await migration.up(sessionOf(client));
  await client.query('BEGIN');
  try {
    await record(client, schema, migration);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function record(client: pg.Client, schema: string, migration: Migration): Promise<void> {
  const number = numberOf(migration);
  await client.query(`INSERT INTO "${schema}".schema_migration (number, name) VALUES ($1, $2)`, [number, migration.name]);
  await client.query(`UPDATE "${schema}".schema_version SET current = $1, oldest_code = greatest(oldest_code, $2)`, [
    number,
    migration.oldestCode ?? 0,
  ]);
}

function sessionOf(client: pg.Client): ConnectionSession {
  // Failures stay untranslated: operators need the server's own message.
  return new ConnectionSession(client, (statement) => client.query(statement));
}
