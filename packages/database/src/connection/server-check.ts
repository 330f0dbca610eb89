import { errorCode, pause } from '@sinebar/concurrency';
import { StartRefusal } from '@sinebar/contracts';
import pg from 'pg';
import { clientConfig, type ServerAddress } from './connection-settings.ts';
import { closeAbruptly } from './driver-internals.ts';
import { failureFields, type DatabaseLog } from '../log.ts';
import { isConnectionFailure, translateError } from './translate-error.ts';

const OLDEST_SERVER_VERSION = 150_000;

/** The server or the database cannot be used as it is; the message says what to do. A retry does not help. */
export class UnsuitableDatabaseError extends StartRefusal {
  override readonly name: string = 'UnsuitableDatabaseError';
}

/** @throws UnsuitableDatabaseError */
async function checkServer(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: string; number: number; encoding: string; folds: boolean }>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
            current_setting('server_encoding') AS encoding, lower('Ä') = 'ä' AS folds`,
  );
  const server = rows[0];
  if (!server) throw new Error('the database answered without a row');
  if (server.number < OLDEST_SERVER_VERSION) {
    throw new UnsuitableDatabaseError(
      `The database server is PostgreSQL ${server.version}; 15 or newer is needed. Upgrade it, or give the URL of another one.`,
    );
  }
  const create =
    `Create a new one, for example: CREATE DATABASE sinebar TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'; ` +
    '(or another UTF-8 locale)';
  if (server.encoding !== 'UTF8') {
    throw new UnsuitableDatabaseError(`The database has the encoding ${server.encoding}; UTF8 is needed. ${create}`);
  }
  if (!server.folds) {
    throw new UnsuitableDatabaseError(
      `The locale of the database does not know that "ä" is the small form of "Ä", so names could not be compared. ${create}`,
    );
  }
}

export interface ReachOptions {
  /** Time to retry while the server cannot be reached or is starting. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  log: DatabaseLog;
}

/**
 * Connects, waiting for a server that does not answer yet, and checks it. The caller closes the connection.
 * @throws UnsuitableDatabaseError also for a refused user or a missing database; ServiceError `Unavailable` after the time limit; the
 * signal's reason.
 */
export async function reachServer(address: ServerAddress, options: ReachOptions): Promise<pg.Client> {
  const { timeoutMs, signal, log } = options;
  const giveUpAt = Date.now() + timeoutMs;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    const client = new pg.Client(clientConfig(address));
    client.on('error', () => undefined);
    try {
      await client.connect();
      await checkServer(client);
      return client;
    } catch (error) {
      closeAbruptly(client);
      if (!isConnectionFailure(error) && errorCode(error) !== '53300') throw refusalOf(error);
      if (Date.now() >= giveUpAt) throw translateError(error);
      if (attempt % 20 === 1) log.warn(failureFields(error), 'waiting for the database');
    }
    await pause(Math.min(100 * attempt, 1000), signal);
  }
}

/** Returns an UnsuitableDatabaseError for a refused connection that no retry can change; other errors unchanged. */
export function refusalOf(error: unknown): unknown {
  const code = errorCode(error) ?? '';
  const sentence = failureFields(error).reason;
  if (code === '28P01') {
    return new UnsuitableDatabaseError(
      `The database refuses the password (${sentence}). Give the password that this user has in the database, or change it there: ` +
        'POSTGRES_PASSWORD of a container is read only when its database is created (docs/containers.md).',
      { cause: error },
    );
  }
  if (code.startsWith('28')) {
    return new UnsuitableDatabaseError(`The database refuses the user or the password (${sentence}). Correct the database URL.`, {
      cause: error,
    });
  }
  if (code === '3D000') {
    return new UnsuitableDatabaseError(`The database does not exist (${sentence}). Create it, or correct the database URL.`, {
      cause: error,
    });
  }
  return error;
}
