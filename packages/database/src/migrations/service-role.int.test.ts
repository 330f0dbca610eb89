import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { connected } from '@sinebar/testing';
import type { Migration } from '../database.ts';
import { migrate } from './migrate.ts';
import { outboxMigration } from '../outbox/outbox.ts';
import { UnsuitableDatabaseError } from '../connection/server-check.ts';
import { prepareServiceRole } from './service-role.ts';
import { createTestDatabase, describeWithPostgres, rejectionOf, type TestDatabase } from '../test-database.fixture.ts';

const step = (name: string, text: string): Migration => ({ name, up: async (session) => void (await session.query(text)) });

const STEPS: Migration[] = [
  outboxMigration('0001-outbox'),
  step(
    '0002-everything',
    `CREATE TABLE part (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, number serial, name text);
     CREATE SEQUENCE counter;
     CREATE VIEW named AS SELECT name FROM part;
     CREATE TYPE state AS ENUM ('open', 'closed');
     CREATE FUNCTION twice(value int) RETURNS int LANGUAGE sql AS 'SELECT value * 2';
     CREATE EXTENSION IF NOT EXISTS pg_trgm;
     INSERT INTO part (name) VALUES ('housing')`,
  ),
];
const LATER = step('0003-later', 'ALTER TABLE part ADD COLUMN weight int; DROP FUNCTION twice(int); DROP VIEW named; DROP TYPE state');
/** Contains every character with a meaning in addresses, SQL or shells. */
const PASSWORD = `p@:/?#[]%41 '"\\$&=ü`;

describeWithPostgres('role of a service', () => {
  let test: TestDatabase;
  let names: { first: string; second: string; administrator: string };

  beforeEach(async () => {
    test = await createTestDatabase();
    const id = randomUUID().slice(0, 8);
    names = { first: `first-${id}`, second: `second_${id}`, administrator: `administrator_${id}` };
  });
  afterEach(async () => {
    for (const name of Object.values(names)) {
      await test.query(
        `DO $$ BEGIN IF EXISTS (SELECT FROM pg_roles WHERE rolname = '${name}') THEN DROP OWNED BY "${name}" CASCADE; END IF; END $$`,
      );
    }
    for (const name of Object.values(names)) await test.query(`DROP ROLE IF EXISTS "${name}"`);
    await test.drop();
  });

  function urlOf(user: string, password = PASSWORD): string {
    const url = new URL(test.url);
    url.username = user;
    url.password = encodeURIComponent(password);
    return url.href;
  }
  const prepare = (user: string, schema: string, password = PASSWORD, administratorUrl = test.url) =>
    prepareServiceRole({ administratorUrl, serviceUrl: urlOf(user, password), schema, extensions: ['pg_trgm'] });
  const as = (user: string, statement: string, password = PASSWORD) =>
    connected(urlOf(user, password), async (client) => (await client.query(statement)).rows as object[]);

  it('migrates and uses its own schema', async () => {
    await prepare(names.first, 'first');
    await migrate(urlOf(names.first), 'first', STEPS);
    expect(await as(names.first, 'SELECT name FROM first.part')).toEqual([{ name: 'housing' }]);
  });

  it('creates temporary tables although an administrator revoked that right from PUBLIC', async () => {
    const { database } = (await test.query<{ database: string }>('SELECT current_database() AS database'))[0] ?? {};
    await test.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC`);
    await prepare(names.first, 'first');
    await as(names.first, 'CREATE TEMPORARY TABLE announced (id int)');
    expect(await rejectionOf(as(names.first, 'CREATE SCHEMA other'))).toMatchObject({ code: '42501' });
  });

  it.each([
    'SELECT * FROM first.part',
    'CREATE TABLE first.other (id int)',
    'DROP SCHEMA first CASCADE',
    'CREATE TABLE public.other (id int)',
  ])('is refused outside its schema: %s', async (statement) => {
    await prepare(names.first, 'first');
    await prepare(names.second, 'second');
    await migrate(urlOf(names.first), 'first', STEPS);
    expect(await rejectionOf(as(names.second, statement))).toMatchObject({ code: '42501' });
  });

  it('has no rights on the server, also when somebody granted them', async () => {
    await prepare(names.first, 'first');
    await test.query(`ALTER ROLE "${names.first}" SUPERUSER CREATEDB CREATEROLE BYPASSRLS REPLICATION`);
    await prepare(names.first, 'first');
    const flags = 'rolsuper OR rolcreatedb OR rolcreaterole OR rolbypassrls OR rolreplication';
    expect(await test.query(`SELECT ${flags} AS any FROM pg_roles WHERE rolname = $1`, [names.first])).toEqual([{ any: false }]);
  });

  it('becomes owner of objects of the administrator, so that it can migrate them', async () => {
    await migrate(test.url, 'first', STEPS);
    await prepare(names.first, 'first');
    await migrate(urlOf(names.first), 'first', [...STEPS, LATER]);
    expect(await as(names.first, 'SELECT name, weight FROM first.part')).toEqual([{ name: 'housing', weight: null }]);
  });

  it('leaves the objects of other schemas and of extensions to their owners', async () => {
    await migrate(test.url, 'first', STEPS);
    await migrate(test.url, 'second', [outboxMigration('0001-outbox')]);
    await prepare(names.first, 'first');
    const owned = await test.query<{ schema: string; name: string }>(
      `SELECT relnamespace::regnamespace::text AS schema, relname AS name FROM pg_class
       WHERE relkind = 'r' AND relowner = $1::text::regrole`,
      [`"${names.first}"`],
    );
    expect(new Set(owned.map(({ schema }) => schema))).toEqual(new Set(['first']));
    const ofExtension = `SELECT count(*)::int AS count FROM pg_proc WHERE proname = 'similarity' AND proowner = $1::text::regrole`;
    expect(await test.query(ofExtension, [`"${names.first}"`])).toEqual([{ count: 0 }]);
  });

  it('stays the same when it is prepared again, several times at once', async () => {
    await prepare(names.first, 'first');
    await migrate(urlOf(names.first), 'first', STEPS);
    await Promise.all([prepare(names.first, 'first'), prepare(names.second, 'second'), prepare(names.first, 'first')]);
    expect(await as(names.first, 'SELECT name FROM first.part')).toEqual([{ name: 'housing' }]);
  });

  it('gets a changed password', async () => {
    await prepare(names.first, 'first');
    await prepare(names.first, 'first', 'another');
    expect(await as(names.first, 'SELECT 1 AS one', 'another')).toEqual([{ one: 1 }]);
    expect(await rejectionOf(as(names.first, 'SELECT 1'))).toMatchObject({ code: '28P01' });
  });

  it('can be created by an administrator who is no superuser', async () => {
    const { database } = (await test.query<{ database: string }>('SELECT current_database() AS database'))[0] ?? {};
    await test.query(`CREATE ROLE ${names.administrator} LOGIN CREATEROLE PASSWORD 'word'`);
    await test.query(`ALTER DATABASE ${database} OWNER TO ${names.administrator}`);
    const administratorUrl = urlOf(names.administrator, 'word');
    await migrate(administratorUrl, 'first', STEPS);
    for (const password of ['before', PASSWORD]) await prepare(names.first, 'first', password, administratorUrl);
    await migrate(urlOf(names.first), 'first', [...STEPS, LATER]);
    expect(await as(names.first, 'SELECT name FROM first.part')).toEqual([{ name: 'housing' }]);
    await test.query(`ALTER DATABASE ${database} OWNER TO CURRENT_USER`);
  });

  it('must differ from the administrator', async () => {
    const error = await rejectionOf(prepareServiceRole({ administratorUrl: test.url, serviceUrl: test.url, schema: 'first' }));
    expect(error).toBeInstanceOf(UnsuitableDatabaseError);
    expect((error as Error).message).toMatch(/names the administrator .* user of its own in DATABASE_URL/);
  });

  it.each([
    ['no password', (url: URL) => (url.password = ''), /has no password\. Give one as DATABASE_PASSWORD\./],
    ['another database', (url: URL) => (url.pathname = '/other'), /uses the database "other".*same database in both addresses/],
  ])('is refused with %s', async (_, change, sentence) => {
    const url = new URL(urlOf(names.first));
    change(url);
    const error = await rejectionOf(prepareServiceRole({ administratorUrl: test.url, serviceUrl: url.href, schema: 'first' }));
    expect((error as Error).message).toMatch(sentence);
  });
});
