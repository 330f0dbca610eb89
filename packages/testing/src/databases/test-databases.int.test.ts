import { afterEach, expect, it } from '@jest/globals';
import pg from 'pg';
import { describeWith } from '../describe-with.ts';
import { createTestDatabase, dropTemplate, templateDatabase, type TemplateDatabase, type TestDatabase } from './test-databases.ts';
import { uniqueId } from '../unique-names.ts';
import { backing } from '../backing.ts';

describeWith(['postgres'], 'test databases', () => {
  const databases: TestDatabase[] = [];
  const templates: TemplateDatabase[] = [];
  afterEach(async () => {
    for (const database of databases.splice(0)) await database.drop();
    for (const template of templates.splice(0)) await dropTemplate(template);
  });

  const query = async (url: string, text: string): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  };
  const create = async (template?: TemplateDatabase) => {
    const database = await createTestDatabase(template);
    databases.push(database);
    return database;
  };
  const migrated = (key: string, migrate: (url: string) => Promise<void>) => {
    const template = templateDatabase(key, migrate);
    templates.push(template);
    return template;
  };

  it('fold case beyond ASCII', async () => {
    const { url } = await create();
    expect(await query(url, `SELECT lower('ÄÖ') AS folded, getdatabaseencoding() AS encoding`)).toEqual([
      { folded: 'äö', encoding: 'UTF8' },
    ]);
  });

  it('are copies of a template that is migrated once, also by concurrent calls', async () => {
    const key = uniqueId();
    let runs = 0;
    const migrate = async (url: string) => {
      runs += 1;
      await query(url, 'CREATE TABLE part (id int); INSERT INTO part VALUES (7)');
    };
    const [first, second] = await Promise.all([create(migrated(key, migrate)), create(templateDatabase(key, migrate))]);
    expect(runs).toBe(1);
    await query(first.url, 'DELETE FROM part');
    expect(await query(second.url, 'SELECT id FROM part')).toEqual([{ id: 7 }]);
  });

  it('are created again after a failed migration', async () => {
    const key = uniqueId();
    const failing = templateDatabase(key, async (url) => {
      await query(url, 'CREATE TABLE half (id int)');
      throw new Error('migration failed');
    });
    await expect(create(failing)).rejects.toThrow('migration failed');
    const template = migrated(key, async (url) => {
      await query(url, 'CREATE TABLE half (id int)');
    });
    const { url } = await create(template);
    expect(await query(url, 'SELECT count(*)::int AS count FROM half')).toEqual([{ count: 0 }]);
  });

  it('are dropped while clients are connected, and only once', async () => {
    const database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => undefined);
    await client.connect();
    await database.drop();
    await database.drop();
    await expect(query(database.url, 'SELECT 1')).rejects.toThrow('does not exist');
    await client.end().catch(() => undefined);
  });

  it('of a killed run are removed after a week, others are kept', async () => {
    const [old, recent] = [await create(), await create()];
    const name = (url: string) => new URL(url).pathname.slice(1);
    await query(backing().databaseUrl, `COMMENT ON DATABASE ${name(old.url)} IS 'used 2020-01-31'`);
    await create(migrated(uniqueId(), () => Promise.resolve()));
    await expect(query(old.url, 'SELECT 1')).rejects.toThrow('does not exist');
    expect(await query(recent.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});
