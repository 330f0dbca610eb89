import { pause } from '@sinebar/concurrency';
import { ServiceError } from '@sinebar/contracts';
import type pg from 'pg';
import { assertSchemaName } from '../connection/connection-settings.ts';
import { closeAbruptly } from '../connection/driver-internals.ts';
import type { Migration } from '../database.ts';
import { SILENT_LOG, type DatabaseLog } from '../log.ts';
import { reachServer, UnsuitableDatabaseError } from '../connection/server-check.ts';
import { isConnectionFailure } from '../connection/translate-error.ts';

export interface SchemaVersion {
  current: number;
  /** Code whose newest migration has a lower number does not work with this schema. */
  oldestCode: number;
}

/** The schema is newer than this code supports; a newer release is needed. */
export class SchemaTooNewError extends UnsuitableDatabaseError {
  override readonly name = 'SchemaTooNewError';
}

export interface WaitForSchemaOptions {
  /** Time to wait for the server and for a running migration. */
  timeoutMs?: number;
  applicationName?: string;
  signal?: AbortSignal;
  log?: DatabaseLog;
}

/**
 * Waits until another process has migrated the schema; a newer schema is accepted while it supports this code.
 * @throws SchemaTooNewError, UnsuitableDatabaseError; ServiceError `Unavailable` after the time limit; the signal's reason
 */
export async function waitForSchema(
  url: string,
  schema: string,
  migrations: readonly Migration[],
  options: WaitForSchemaOptions = {},
): Promise<SchemaVersion> {
  assertSchemaName(schema);
  const codeVersion = codeVersionOf(migrations);
  const { timeoutMs = 300_000, signal, log = SILENT_LOG } = options;
  const address = { url, applicationName: options.applicationName ?? 'sinebar-schema-check', connectTimeoutMs: 10_000 };
  const giveUpAt = Date.now() + timeoutMs;
  for (let attempt = 0; ; attempt++) {
    const client = await reachServer(address, { timeoutMs: Math.max(giveUpAt - Date.now(), 0), signal, log });
    const version = await readSchemaVersion(client, schema)
      .catch((error: unknown) => {
        if (isConnectionFailure(error)) return undefined;
        throw error;
      })
      .finally(() => closeAbruptly(client));
    if (version) {
      assertCodeIsNewEnough(schema, version, codeVersion);
      if (version.current >= codeVersion) return version;
    }
    const state = `The schema "${schema}" is at version ${version?.current ?? 0}; this code needs ${codeVersion}.`;
    if (Date.now() >= giveUpAt) throw new ServiceError('Unavailable', `${state} Run the migration.`);
    if (attempt % 20 === 0) log.info({}, `${state} Waiting for the migration.`);
    await pause(500, signal);
    signal?.throwIfAborted();
  }
}

/** @returns `undefined` while the schema has no version yet. */
export async function readSchemaVersion(client: pg.ClientBase, schema: string): Promise<SchemaVersion | undefined> {
  const { rows: tables } = await client.query<{ exists: boolean }>(`SELECT to_regclass($1) IS NOT NULL AS exists`, [
    `"${schema}".schema_version`,
  ]);
  if (tables[0]?.exists !== true) return undefined;
  const { rows } = await client.query<SchemaVersion>(`SELECT current, oldest_code AS "oldestCode" FROM "${schema}".schema_version`);
  return rows[0];
}

/** @throws SchemaTooNewError */
export function assertCodeIsNewEnough(schema: string, version: SchemaVersion, codeVersion: number): void {
  if (codeVersion >= version.oldestCode) return;
  throw new SchemaTooNewError(
    `The schema "${schema}" is at version ${version.current} and works only with code of version ${version.oldestCode} or newer; ` +
      `this code is version ${codeVersion}. ` +
      'Start the release that migrated the schema or a newer one, or restore a backup of this release.',
  );
}

/** Returns the schema version after these migrations. @throws Error when a name is malformed or the order is not ascending. */
export function codeVersionOf(migrations: readonly Migration[]): number {
  let last = 0;
  for (const migration of migrations) {
    const number = numberOf(migration);
    if (number <= last) throw new Error(`The migration "${migration.name}" must have a number above ${last}.`);
    last = number;
  }
  return last;
}

export function numberOf(migration: Migration): number {
  const match = /^(\d{4,6})-[a-z0-9-]+$/.exec(migration.name);
  if (!match) throw new Error(`"${migration.name}" cannot be the name of a migration: write 0001-what-it-adds.`);
  return Number(match[1]);
}
