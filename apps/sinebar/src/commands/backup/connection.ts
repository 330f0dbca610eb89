import pg from 'pg';
import { CommandError } from '../../command-line/command.ts';

/** Opens a connection without time limits; an abort closes it. */
export async function withConnection<T>(url: string, signal: AbortSignal, work: (client: pg.Client) => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const client = new pg.Client({
    connectionString: url,
    application_name: 'sinebar maintenance',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // The user of the connection gets a loss from its statement.
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    throw new CommandError(`The database cannot be reached: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  });
  const stop = (): void => void client.end().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    // Texts of times and numbers must not depend on server settings.
    await client.query(
      `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET idle_session_timeout = 0; SET TimeZone = 'UTC';
       SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'iso_8601'; SET extra_float_digits = 1; SET bytea_output = 'hex';
       SET client_encoding = 'UTF8'`,
    );
    return await work(client);
  } finally {
    signal.removeEventListener('abort', stop);
    await client.end().catch(() => undefined);
  }
}
