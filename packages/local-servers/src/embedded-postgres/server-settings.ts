import { totalmem } from 'node:os';

const MIB = 2 ** 20;
const DEFAULT_CONNECTIONS = 100;

/** Returns the memory that this process may use, bytes: the container's limit when there is one. */
export function availableMemoryBytes(): number {
  const limit = process.constrainedMemory();
  const total = totalmem();
  return limit > 0 && limit < total ? limit : total;
}

/** Returns the size of PostgreSQL's page cache: an eighth of the memory, 32 to 256 MiB. */
export function sharedBuffersMib(memoryBytes: number): number {
  return Math.max(32, Math.min(256, Math.floor(memoryBytes / 8 / MIB)));
}

/** Returns the text of `sinebar.conf`, rewritten at each start. Without `fsync` a crash of the machine may destroy the data. */
export function serverSettings(memoryBytes: number, { maxConnections = DEFAULT_CONNECTIONS, fsync = true } = {}): string {
  const lines = {
    shared_buffers: `${sharedBuffersMib(memoryBytes)}MB`,
    effective_cache_size: `${Math.max(64, Math.floor(memoryBytes / 2 / MIB))}MB`,
    work_mem: '16MB',
    maintenance_work_mem: `${Math.max(32, Math.min(128, Math.floor(memoryBytes / 16 / MIB)))}MB`,
    max_connections: String(Math.max(DEFAULT_CONNECTIONS, maxConnections)),
    fsync: fsync ? 'on' : 'off',
    synchronous_commit: 'on',
    // Torn pages, too, are left only by a crash of the machine.
    full_page_writes: fsync ? 'on' : 'off',
    max_wal_size: '2GB',
    min_wal_size: '80MB',
    jit: 'off',
    timezone: "'UTC'",
    log_timezone: "'UTC'",
    datestyle: "'iso, mdy'",
    lc_messages: "'C'",
    // LOG ranks above ERROR here: starts, crashes and recoveries are logged, failed statements (with user data) are not.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    log_line_prefix: "'%m [%p] '",
    password_encryption: "'scram-sha-256'",
  };
  return [
    '# Written by Sinebar at each start. Put settings of your own into postgresql.conf, below the include: they win.',
    ...Object.entries(lines).map(([name, value]) => `${name} = ${value}`),
    '',
  ].join('\n');
}

/** Text of `postgresql.conf` of a new database. */
export const MAIN_SETTINGS = [
  "include 'sinebar.conf'",
  '# Settings below win over those of Sinebar, except for port, listen_addresses and unix_socket_directories.',
  '',
].join('\n');

/** Text of `pg_hba.conf`: access from this computer, by password. */
export const CLIENT_RULES = [
  '# TYPE  DATABASE  USER  ADDRESS       METHOD',
  'host    all       all   127.0.0.1/32  scram-sha-256',
  '',
].join('\n');
