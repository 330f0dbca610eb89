import pg from 'pg';
import { joinSql, rawSql, sql } from '../sql.ts';

export interface ServerAddress {
  /** `postgres://user:password@host:port/database` with the options of libpq (`sslmode`, …). */
  url: string;
  applicationName: string;
  connectTimeoutMs: number;
}

/** Settings of every connection (spec: decisions.md 10.3). Times in milliseconds; 0 is no limit. */
export interface ConnectionSettings {
  /** `undefined`: the server's own search path. */
  schema: string | undefined;
  statementTimeoutMs: number;
  lockTimeoutMs: number;
  idleInTransactionTimeoutMs: number;
  /** Idle seconds before the server probes the client; it gives up after `probes` probes, one per `probe` seconds. */
  keepaliveSeconds: { idle: number; probe: number; probes: number; unacknowledged: number };
}

/** A client that died silently holds its locks for 25 seconds at most. */
export const POOL_KEEPALIVE = { idle: 10, probe: 5, probes: 3, unacknowledged: 25 } as const;

/** As {@link POOL_KEEPALIVE}, for the holder of an advisory lock that others wait for: 11 seconds. */
export const LOCK_HOLDER_KEEPALIVE = { idle: 5, probe: 2, probes: 3, unacknowledged: 10 } as const;

/** PostgreSQL's default of `cursor_tuple_fraction`, the fraction of rows for which it plans a cursor. */
export const SOON_FRACTION = 0.1;

const IDENTIFIER = /^[a-z_][a-z0-9_]{0,62}$/;

/** @throws Error when the name would need quotes: lower-case letters, digits and `_`, at most 63. */
export function assertSchemaName(schema: string): void {
  if (!IDENTIFIER.test(schema) || schema.startsWith('pg_')) {
    throw new Error(
      `"${schema}" cannot be the name of a schema: use lower-case letters, digits and "_", beginning with a letter, not with "pg_".`,
    );
  }
}

/** @returns connection options of the driver. @throws Error with a sentence without the URL, which may contain a password. */
export function clientConfig(address: ServerAddress): pg.ClientConfig {
  const config: pg.ClientConfig = {
    connectionString: address.url,
    application_name: address.applicationName,
    connectionTimeoutMillis: address.connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  try {
    // Without a scheme the driver would take a host for a database of the local server.
    if (!/^(postgres(ql)?|socket):/.test(address.url)) throw new Error('no scheme');
    new pg.Client(config);
  } catch {
    throw new Error(
      'The database URL cannot be read. Write postgres://user:password@host:port/database, with reserved characters percent-encoded.',
    );
  }
  return config;
}

/**
 * SQL expression that identifies the time between two starts of a server; every role may read it.
 * It changes with a start of the main process, and with a reset of the statistics, which follows every crash recovery.
 * A manual reset of the background writer's statistics makes outcomes unknown, never wrong.
 */
export const SERVER_LIFE = `concat_ws(' ',
  extract(epoch FROM pg_postmaster_start_time()), extract(epoch FROM pg_stat_get_bgwriter_stat_reset_time()))`;

export interface ServerSession {
  processId: number;
  /** {@link SERVER_LIFE} */
  serverLife: string;
}

/** Sets a new connection up, in one round trip. */
export async function applySettings(client: pg.ClientBase, settings: ConnectionSettings): Promise<ServerSession> {
  const { keepaliveSeconds: keepalive } = settings;
  const values: Record<string, string> = {
    TimeZone: 'UTC',
    DateStyle: 'ISO, YMD',
    IntervalStyle: 'iso_8601',
    extra_float_digits: '1',
    bytea_output: 'hex',
    standard_conforming_strings: 'on',
    client_min_messages: 'error',
    default_transaction_isolation: 'read committed',
    cursor_tuple_fraction: `${SOON_FRACTION}`,
    statement_timeout: `${settings.statementTimeoutMs}`,
    lock_timeout: `${settings.lockTimeoutMs}`,
    idle_in_transaction_session_timeout: `${settings.idleInTransactionTimeoutMs}`,
    tcp_keepalives_idle: `${keepalive.idle}`,
    tcp_keepalives_interval: `${keepalive.probe}`,
    tcp_keepalives_count: `${keepalive.probes}`,
    tcp_user_timeout: `${keepalive.unacknowledged * 1000}`,
    // `public` may hold extensions of an administrator; tables are found in the schema first.
    ...(settings.schema !== undefined && { search_path: `"${settings.schema}", public` }),
  };
  const calls = Object.entries(values).map(([name, value]) => sql`set_config(${name}, ${value}, false)`);
  // A statement that runs on behalf of a dead process ends within seconds; only servers that can poll for a closed connection take the
  // setting.
  calls.push(
    sql`CASE WHEN version() ~* 'linux|darwin|bsd' AND current_setting('server_version_num')::int >= 150000
          THEN set_config('client_connection_check_interval', '5000', false) END`,
  );
  const { rows } = await client.query<ServerSession>(
    sql`SELECT pg_backend_pid() AS "processId", ${rawSql(SERVER_LIFE)} AS "serverLife", ${joinSql(calls, ', ')}`,
  );
  if (!rows[0]) throw new Error('the database answered without a row');
  return rows[0];
}
