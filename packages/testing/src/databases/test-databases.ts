import { createHash } from 'node:crypto';
import pg from 'pg';
import { connected, connectionOptions } from './connected.ts';
import { backing } from '../backing.ts';
import { citusCoordinator, createClusterDatabase, dropClusterDatabase } from './citus-databases.ts';
import { uniqueId } from '../unique-names.ts';

/** A migrated database without connections; test databases are copies of it. */
export interface TemplateDatabase {
  readonly name: string;
  /** Key of the advisory lock that is held while it is made. */
  readonly lockKey: string;
  /** Fills a database; a database of a cluster is no copy but filled anew. */
  readonly migrate: (url: string) => Promise<void>;
}

export interface TestDatabase {
  readonly url: string;
  /** Ends all its connections and removes it. */
  drop(): Promise<void>;
}

/** Makes the rows of a database known to PostgreSQL, as autovacuum does after a while. */
export async function vacuum({ url }: TestDatabase): Promise<void> {
  await connected(url, (client) => client.query('VACUUM ANALYZE'));
}

const PREFIX = 'sinebar_test_';

/** Days after which an unused database of a killed run or a changed template is removed. */
const KEEP_UNUSED_DAYS = 7;

/**
 * Names the template that `migrate` prepares. The first test database makes it, once per key and server.
 * The key must change with what `migrate` does: take a hash over the migrations. `migrate` must close its connections.
 */
export function templateDatabase(key: string, migrate: (url: string) => Promise<void>): TemplateDatabase {
  const hash = createHash('sha256').update(key).digest();
  return { name: `${PREFIX}template_${hash.toString('hex').slice(0, 16)}`, lockKey: hash.readBigInt64BE().toString(), migrate };
}

const EMPTY = templateDatabase('empty', () => Promise.resolve());

/**
 * Creates a database of its own, a copy of the template; without one an empty database. The caller drops it.
 * @throws what `migrate` of the template throws; the next call starts anew
 */
export async function createTestDatabase(template = EMPTY): Promise<TestDatabase> {
  const name = `${PREFIX}${uniqueId()}`;
  const coordinator = citusCoordinator();
  if (coordinator !== undefined) {
    const url = await createClusterDatabase(coordinator, name, template.migrate);
    return { url, drop: () => dropClusterDatabase(coordinator, name) };
  }
  await asAdmin(async (admin) => {
    await makeTemplate(admin, template);
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${admin.escapeIdentifier(template.name)} ${await copyStrategy(admin)}`);
    await markUsed(admin, name);
  });
  return { url: urlOf(name), drop: () => asAdmin((admin) => dropDatabase(admin, name)) };
}

/** Makes the template unless it is there. Calls for the same template wait for each other. */
async function makeTemplate(admin: pg.ClientBase, { name, lockKey, migrate }: TemplateDatabase): Promise<void> {
  // Advisory locks belong to a database; all suites connect to the same one, that of DATABASE_URL.
  await admin.query('SELECT pg_advisory_lock($1)', [lockKey]);
  const [existing] = (
    await admin.query<{ complete: boolean }>('SELECT NOT datallowconn AS complete FROM pg_database WHERE datname = $1', [name])
  ).rows;
  if (!existing?.complete) {
    await removeUnused(admin);
    if (existing) await dropDatabase(admin, name);
    await createEmptyDatabase(admin, name);
    await migrate(urlOf(name));
    // This also marks the migration as complete.
    await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  }
  await markUsed(admin, name);
  await admin.query('SELECT pg_advisory_unlock($1)', [lockKey]);
}

/**
 * Copying the files of the template takes a quarter of the time that writing its pages to the log takes, unless the server flushes them to
 * the disk. PostgreSQL knows the strategy from 15 on.
 */
async function copyStrategy(admin: pg.ClientBase): Promise<string> {
  const { rows } = await admin.query<{ copies: boolean }>(
    `SELECT current_setting('fsync') = 'off' AND current_setting('server_version_num')::int >= 150000 AS copies`,
  );
  return rows[0]?.copies ? 'STRATEGY FILE_COPY' : '';
}

/** Removes the template of this key, for tests of the templates themselves. */
export async function dropTemplate(template: TemplateDatabase): Promise<void> {
  await asAdmin((admin) => dropDatabase(admin, template.name));
}

/**
 * Creates an UTF8 database in which `lower('Ä')` is `ä`, with the first locale that this server has. With the locale `C`, the default of
 * many servers, case-insensitive comparison would stop at ASCII.
 */
async function createEmptyDatabase(admin: pg.ClientBase, name: string): Promise<void> {
  const version = Number((await admin.query<{ server_version_num: string }>('SHOW server_version_num')).rows[0]?.server_version_num);
  const candidates = [
    ...(version >= 170_000 ? [`LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LC_COLLATE 'C' LC_CTYPE 'C'`] : []),
    ...['C.UTF-8', 'en_US.UTF-8'].map(
      (locale) => `${version >= 150_000 ? 'LOCALE_PROVIDER libc ' : ''}LC_COLLATE 'C' LC_CTYPE '${locale}'`,
    ),
    ...(version >= 150_000 ? [`LOCALE_PROVIDER icu ICU_LOCALE 'und' LC_COLLATE 'C' LC_CTYPE 'C'`] : []),
  ];
  const refusals: string[] = [];
  for (const locale of candidates) {
    try {
      await admin.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' ${locale}`);
    } catch (error) {
      refusals.push(`${locale}: ${(error as Error).message}`);
      continue;
    }
    const { rows } = await connected(urlOf(name), (client) => client.query<{ folded: string }>(`SELECT lower('Ä') AS folded`));
    if (rows[0]?.folded === 'ä') return;
    refusals.push(`${locale}: lower('Ä') is ${rows[0]?.folded}`);
    await dropDatabase(admin, name);
  }
  throw new Error(`the database server has no locale in which lower('Ä') = 'ä':\n${refusals.join('\n')}`);
}

async function removeUnused(admin: pg.ClientBase): Promise<void> {
  const { rows } = await admin.query<{ datname: string }>(
    `SELECT datname FROM (
       SELECT datname, shobj_description(oid, 'pg_database') AS comment FROM pg_database WHERE starts_with(datname, $1)
     ) AS test_database
     -- CASE fixes the order: to_date fails on any other comment.
     WHERE CASE WHEN comment ~ '^used \\d{4}-\\d{2}-\\d{2}$' THEN to_date(substr(comment, 6), 'YYYY-MM-DD') < current_date - $2::int END`,
    [PREFIX, KEEP_UNUSED_DAYS],
  );
  for (const { datname } of rows) await dropDatabase(admin, datname);
}

async function markUsed(admin: pg.ClientBase, name: string): Promise<void> {
  await admin.query(`COMMENT ON DATABASE ${name} IS 'used ${new Date().toISOString().slice(0, 10)}'`);
}

async function dropDatabase(admin: pg.ClientBase, name: string): Promise<void> {
  await admin.query(`DROP DATABASE IF EXISTS ${admin.escapeIdentifier(name)} WITH (FORCE)`);
}

function urlOf(database: string): string {
  const url = new URL(backing().databaseUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Connections on which this process creates and drops databases, by server: PostgreSQL starts a process for each new one. */
const administrations = new Map<string, pg.Pool>();
const MAX_ADMINISTRATORS = 4;

function administration(url: string): pg.Pool {
  const existing = administrations.get(url);
  if (existing) return existing;
  // An idle connection does not keep the process alive.
  const pool = new pg.Pool({ ...connectionOptions(url), max: MAX_ADMINISTRATORS, allowExitOnIdle: true });
  // A lost connection fails the running statement, if any; without listeners it would end the process as well.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  administrations.set(url, pool);
  return pool;
}

async function asAdmin<T>(work: (admin: pg.ClientBase) => Promise<T>): Promise<T> {
  const admin = await administration(backing().databaseUrl).connect();
  try {
    const result = await work(admin);
    admin.release();
    return result;
  } catch (error) {
    // Closes the connection, and with it what it has locked.
    admin.release(true);
    throw error;
  }
}
