import pg from 'pg';
import { applySettings, assertSchemaName, clientConfig, LOCK_HOLDER_KEEPALIVE } from '../connection/connection-settings.ts';
import { SILENT_LOG, type DatabaseLog } from '../log.ts';
import { takeMigrationLock } from './migration-lock.ts';
import { reachServer, UnsuitableDatabaseError } from '../connection/server-check.ts';

export interface ServiceRoleOptions {
  /** Address of a superuser, or of a role that may create roles, schemas and extensions in this database. */
  administratorUrl: string;
  /** Address of the service: it names the role, its password and the same database. */
  serviceUrl: string;
  schema: string;
  extensions?: readonly string[];
  /** Time to wait for a server that does not answer yet. */
  startTimeoutMs?: number;
  log?: DatabaseLog;
}

const APPLICATION_NAME = 'sinebar-role';
const CONNECT_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 900_000;
/** Limits the wait of ALTER TABLE, behind which other statements queue. */
const TABLE_LOCK_TIMEOUT_MS = 30_000;

/**
 * Creates or updates the role of a service with its password and schema. The role becomes the owner of existing objects in the schema.
 * May be repeated, also with another password.
 * @throws UnsuitableDatabaseError when the addresses do not name a role of its own with a password in the administrator's database
 */
export async function prepareServiceRole(options: ServiceRoleOptions): Promise<void> {
  const { administratorUrl, schema, extensions = [], startTimeoutMs: timeoutMs = 60_000, log = SILENT_LOG } = options;
  assertSchemaName(schema);
  const address = { url: administratorUrl, applicationName: APPLICATION_NAME, connectTimeoutMs: CONNECT_TIMEOUT_MS };
  const client = await reachServer(address, { timeoutMs, log });
  try {
    const role = roleOf(options.serviceUrl, client);
    await applySettings(client, {
      schema: undefined,
      statementTimeoutMs: 0,
      lockTimeoutMs: TABLE_LOCK_TIMEOUT_MS,
      idleInTransactionTimeoutMs: 0,
      keepaliveSeconds: LOCK_HOLDER_KEEPALIVE,
    });
    await takeMigrationLock(client, LOCK_TIMEOUT_MS, undefined, log);
    await client.query('BEGIN');
    await makeRole(client, role);
    for (const extension of extensions) await client.query(`CREATE EXTENSION IF NOT EXISTS ${client.escapeIdentifier(extension)}`);
    await giveSchema(client, schema, role.name);
    const taken = await giveObjects(client, schema, role.name);
    await client.query('COMMIT');
    log.info({ role: role.name, schema, taken }, 'the role of the service exists and owns its schema');
  } finally {
    // Closing the connection rolls back an open transaction and releases the lock.
    await client.end().catch(() => undefined);
  }
}

interface Role {
  name: string;
  password: string;
}

function roleOf(serviceUrl: string, administrator: pg.Client): Role {
  const config = clientConfig({ url: serviceUrl, applicationName: APPLICATION_NAME, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  const { user: name, password, database } = new pg.Client(config);
  if (name === undefined || name === administrator.user) {
    throw new UnsuitableDatabaseError(
      `The address of the service names the administrator "${administrator.user}". Give the service a user of its own in DATABASE_URL.`,
    );
  }
  if (typeof password !== 'string' || password === '') {
    throw new UnsuitableDatabaseError(`The user "${name}" of the service has no password. Give one as DATABASE_PASSWORD.`);
  }
  if (database !== administrator.database) {
    throw new UnsuitableDatabaseError(
      `The service uses the database "${database}", the administrator is connected to "${administrator.database}". ` +
        'Name the same database in both addresses.',
    );
  }
  return { name, password };
}

async function makeRole(client: pg.Client, { name, password }: Role): Promise<void> {
  const role = client.escapeIdentifier(name);
  const isSuperuser = await readFlag(client, `current_setting('is_superuser') = 'on'`);
  if (!(await readFlag(client, 'EXISTS (SELECT FROM pg_roles WHERE rolname = $1)', [name]))) await client.query(`CREATE ROLE ${role}`);
  if (isSuperuser) {
    // The statement with the password must not be logged by the server.
    await client.query(
      `SELECT set_config('log_statement', 'none', true), set_config('log_min_error_statement', 'panic', true),
              set_config('log_min_duration_statement', '-1', true), set_config('log_min_duration_sample', '-1', true)`,
    );
    await client.query(`ALTER ROLE ${role} NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS`);
  } else if (!(await readFlag(client, `pg_has_role($1, 'USAGE')`, [name]))) {
    // Only a member may give schemas and tables to the role, and back them up.
    await client.query(`GRANT ${role} TO CURRENT_USER`);
  }
  await client.query(`ALTER ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
  const database = client.escapeIdentifier(client.database ?? '');
  // An administrator may have revoked PostgreSQL's default rights.
  await client.query(`GRANT CONNECT, TEMPORARY ON DATABASE ${database} TO ${role}`);
}

async function giveSchema(client: pg.Client, schema: string, owner: string): Promise<void> {
  const role = client.escapeIdentifier(owner);
  const exists = await readFlag(client, 'EXISTS (SELECT FROM pg_namespace WHERE nspname = $1)', [schema]);
  if (!exists) await client.query(`CREATE SCHEMA "${schema}" AUTHORIZATION ${role}`);
  else await client.query(`ALTER SCHEMA "${schema}" OWNER TO ${role}`);
  await client.query(`REVOKE ALL ON SCHEMA "${schema}" FROM PUBLIC`);
}

/** Objects of extensions stay with their extension; indexes and sequences of columns follow their tables. */
const FOREIGN_OBJECTS = `
  SELECT kind, name FROM (
    SELECT 'pg_class'::regclass AS class, oid, relowner AS owner, oid::regclass::text AS name,
           CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END AS kind
    FROM pg_class WHERE relnamespace = $1::text::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
    UNION ALL
    SELECT 'pg_proc'::regclass, oid, proowner, oid::regprocedure::text, 'ROUTINE'
    FROM pg_proc WHERE pronamespace = $1::text::regnamespace
    UNION ALL
    SELECT 'pg_type'::regclass, oid, typowner, oid::regtype::text, 'TYPE'
    FROM pg_type WHERE typnamespace = $1::text::regnamespace AND typtype IN ('d', 'e', 'r')
  ) AS object
  WHERE owner <> (SELECT oid FROM pg_roles WHERE rolname = $2)
    AND NOT EXISTS (
      SELECT FROM pg_depend
      WHERE classid = object.class AND objid = object.oid AND (deptype = 'e' OR deptype IN ('a', 'i') AND kind = 'SEQUENCE')
    )
  ORDER BY kind, name`;

/** @returns the number of objects with another owner. */
async function giveObjects(client: pg.Client, schema: string, owner: string): Promise<number> {
  const { rows } = await client.query<{ kind: string; name: string }>(FOREIGN_OBJECTS, [`"${schema}"`, owner]);
  for (const { kind, name } of rows) await client.query(`ALTER ${kind} ${name} OWNER TO ${client.escapeIdentifier(owner)}`);
  return rows.length;
}

async function readFlag(client: pg.Client, expression: string, values: readonly string[] = []): Promise<boolean> {
  const { rows } = await client.query<{ flag: boolean }>(`SELECT ${expression} AS flag`, [...values]);
  return rows[0]?.flag === true;
}
