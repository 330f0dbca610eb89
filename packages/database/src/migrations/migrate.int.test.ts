import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Migration } from '../database.ts';
import { migrate, MigrationError } from './migrate.ts';
import { outboxMigration } from '../outbox/outbox.ts';
import { SchemaTooNewError, waitForSchema } from './schema-version.ts';
import { UnsuitableDatabaseError } from '../connection/server-check.ts';
import { connected, eventually } from '@sinebar/testing';
import { createTestDatabase, describeWithPostgres, rejectionOf, rememberingLog, type TestDatabase } from '../test-database.fixture.ts';

const step = (name: string, text: string, more: Partial<Migration> = {}): Migration => ({
  name,
  up: async (session) => {
    await session.query(text);
  },
  ...more,
});

const STEPS: Migration[] = [
  outboxMigration('0001-outbox'),
  step('0002-part', 'CREATE TABLE part (id int PRIMARY KEY, name text)'),
  step('0003-part-index', 'CREATE INDEX CONCURRENTLY IF NOT EXISTS part_name ON part (name)', { transaction: false }),
];

describeWithPostgres('migrate', () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await createTestDatabase();
  });
  afterEach(async () => {
    await test.drop();
  });

  const version = () => test.query('SELECT current, oldest_code FROM unit.schema_version');

  it('creates the schema, runs each step once and continues from there', async () => {
    expect(await migrate(test.url, 'unit', STEPS)).toEqual({ current: 3, applied: ['0001-outbox', '0002-part', '0003-part-index'] });
    expect(await migrate(test.url, 'unit', STEPS)).toEqual({ current: 3, applied: [] });
    const more = [...STEPS, step('0010-more', 'ALTER TABLE part ADD comment text', { oldestCode: 2 })];
    expect(await migrate(test.url, 'unit', more)).toEqual({ current: 10, applied: ['0010-more'] });
    expect(await version()).toEqual([{ current: 10, oldest_code: 2 }]);
    expect(await test.query(`SELECT schemaname, tablename FROM pg_tables WHERE tablename IN ('part', 'outbox')`)).toHaveLength(2);
    expect(await test.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
    expect(
      await test.query(
        `SELECT FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      ),
    ).toEqual([]);
  });

  it('succeeds in eight concurrent first starts of two services', async () => {
    const extension = step('0004-trigrams', 'CREATE EXTENSION IF NOT EXISTS pg_trgm');
    const slow = step('0005-slow', 'SELECT pg_sleep(0.3)');
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, i) => migrate(test.url, i % 2 === 0 ? 'unit' : 'other', [...STEPS, extension, slow])),
    );
    expect(results.map((result) => result.current)).toEqual(Array.from({ length: 8 }, () => 5));
    expect(results.filter((result) => result.applied.length > 0)).toHaveLength(2);
  });

  it('succeeds in four processes that start at once', async () => {
    const script = `import { migrate, outboxMigration } from ${JSON.stringify(new URL('../index.ts', import.meta.url).href)};
      const slow = { name: '0002-slow', up: (session) => session.query('SELECT pg_sleep(0.2)') };
      const { applied } = await migrate(process.argv[1], 'unit', [outboxMigration('0001-outbox'), slow]);
      console.log(applied.length);`;
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, test.url]);
    const outputs = await Promise.all([run(), run(), run(), run()]);
    expect(outputs.map(({ stdout }) => stdout.trim()).sort()).toEqual(['0', '0', '0', '2']);
  });

  it('rolls back a step that failed, and runs it again after its correction', async () => {
    const half = (last: string): Migration => ({
      name: '0004-half',
      up: async (session) => {
        await session.query('CREATE TABLE half (id int)');
        await session.query(last);
      },
    });
    const error = await rejectionOf(migrate(test.url, 'unit', [...STEPS, half('CREATE TABLE part (id int)')]));
    expect(error).toBeInstanceOf(MigrationError);
    expect((error as Error).message).toBe('The migration "0004-half" of the schema "unit" failed: relation "part" already exists');
    expect(await version()).toEqual([{ current: 3, oldest_code: 0 }]);
    expect(await test.query(`SELECT FROM pg_tables WHERE tablename = 'half'`)).toEqual([]);
    expect(await migrate(test.url, 'unit', [...STEPS, half('SELECT 1')])).toEqual({ current: 4, applied: ['0004-half'] });
  });

  it('does not count a step as done that ignored a failure', async () => {
    const swallowing: Migration = {
      name: '0004-swallowing',
      up: async (session) => {
        await session.query('CREATE TABLE part (id int)').catch(() => undefined);
      },
    };
    await expect(migrate(test.url, 'unit', [...STEPS, swallowing])).rejects.toThrow(/0004-swallowing/);
    expect(await version()).toEqual([{ current: 3, oldest_code: 0 }]);
  });

  it('retries while a table is in use', async () => {
    await migrate(test.url, 'unit', STEPS);
    const log = rememberingLog();
    await connected(test.url, async (reader) => {
      await reader.query('BEGIN; SELECT FROM unit.part');
      const migrating = migrate(test.url, 'unit', [...STEPS, step('0004-more', 'ALTER TABLE part ADD comment text')], { log });
      await eventually(() => log.sentences.some((sentence) => sentence.includes('a table is in use')), 'the first attempt gave up');
      await reader.query('COMMIT');
      expect((await migrating).applied).toEqual(['0004-more']);
    });
  });

  it('refuses steps that differ from the history of the database', async () => {
    await migrate(test.url, 'unit', [...STEPS, step('0006-later', 'SELECT 1')]);
    const inserted = [...STEPS, step('0005-forgotten', 'SELECT 1'), step('0006-later', 'SELECT 1'), step('0007-new', 'SELECT 1')];
    await expect(migrate(test.url, 'unit', inserted)).rejects.toThrow(/"0005-forgotten" .* give it a number above 6/);
    const renamed = [...STEPS, step('0006-other', 'SELECT 1'), step('0007-new', 'SELECT 1')];
    await expect(migrate(test.url, 'unit', renamed)).rejects.toThrow(/belongs to other code/);
  });

  it('lets old code run with a newer schema until a step excludes it', async () => {
    const newer = [...STEPS, step('0004-expand', 'ALTER TABLE part ADD comment text')];
    await migrate(test.url, 'unit', newer);
    expect(await migrate(test.url, 'unit', STEPS)).toEqual({ current: 4, applied: [] });
    expect(await waitForSchema(test.url, 'unit', STEPS)).toEqual({ current: 4, oldestCode: 0 });
    await migrate(test.url, 'unit', [...newer, step('0005-contract', 'ALTER TABLE part DROP name', { oldestCode: 4 })]);
    expect(await waitForSchema(test.url, 'unit', newer)).toEqual({ current: 5, oldestCode: 4 });
    for (const start of [migrate, waitForSchema]) {
      const error = await rejectionOf(start(test.url, 'unit', STEPS));
      expect(error).toBeInstanceOf(SchemaTooNewError);
      expect((error as Error).message).toContain('works only with code of version 4 or newer; this code is version 3');
    }
  });

  it('waits while the schema is older than the code, and gives up after a time', async () => {
    const early = rejectionOf(waitForSchema(test.url, 'unit', STEPS, { timeoutMs: 100 }));
    expect(await early).toMatchObject({ code: 'Unavailable', message: expect.stringContaining('is at version 0; this code needs 3') });
    await migrate(test.url, 'unit', STEPS.slice(0, 2));
    let ready = false;
    const log = rememberingLog();
    const waiting = waitForSchema(test.url, 'unit', STEPS, { log }).then((found) => {
      ready = true;
      return found;
    });
    await eventually(() => log.sentences.some((sentence) => sentence.includes('is at version 2')), 'the older schema is read');
    expect(ready).toBe(false);
    await migrate(test.url, 'unit', STEPS);
    expect(await waiting).toEqual({ current: 3, oldestCode: 0 });
    const disconnect = new AbortController();
    disconnect.abort(new Error('stopping'));
    await expect(waitForSchema(test.url, 'unit', STEPS, { signal: disconnect.signal })).rejects.toThrow('stopping');
  });

  it('works for a user who may not create schemas, in a schema of an administrator', async () => {
    const role = `unit_${Date.now()}`;
    await test.query(`CREATE ROLE ${role} LOGIN PASSWORD '${role}'`);
    await test.query(`CREATE SCHEMA unit AUTHORIZATION ${role}`);
    const url = new URL(test.url);
    url.username = role;
    url.password = role;
    try {
      expect((await migrate(url.href, 'unit', STEPS)).current).toBe(3);
      await expect(migrate(url.href, 'forbidden', STEPS)).rejects.toThrow(/permission denied/);
    } finally {
      await test.query(`DROP OWNED BY ${role}`);
      await test.query(`DROP ROLE ${role}`);
    }
  });

  it.each([
    [`TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'`, /locale of the database does not know .* CREATE DATABASE sinebar/],
    [`TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'`, /encoding SQL_ASCII; UTF8 is needed. .* CREATE DATABASE sinebar/],
  ])('refuses a database with %s', async (definition, sentence) => {
    const unsuitable = await createTestDatabase(definition);
    try {
      const error = await rejectionOf(migrate(unsuitable.url, 'unit', STEPS));
      expect(error).toBeInstanceOf(UnsuitableDatabaseError);
      expect((error as Error).message).toMatch(sentence);
    } finally {
      await unsuitable.drop();
    }
  });
});
