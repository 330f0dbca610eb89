import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { ADVISORY_LOCKS, advisoryKey, MIGRATION_LOCK_KEY } from './advisory-locks.ts';
import { createTestDatabase, describeWithPostgres, type TestDatabase } from './test-database.fixture.ts';

describeWithPostgres('advisory locks', () => {
  let test: TestDatabase;
  const clients: pg.Client[] = [];

  async function connect(schema: string): Promise<pg.Client> {
    const client = new pg.Client(test.url);
    clients.push(client);
    await client.connect();
    await client.query(`SET search_path TO "${schema}", public`);
    return client;
  }

  async function tryLock(client: pg.Client, key: string): Promise<boolean> {
    const { rows } = await client.query<{ free: boolean }>(`SELECT pg_try_advisory_lock(${key}) AS free`);
    return rows[0]?.free === true;
  }

  async function numberOf(client: pg.Client, key: string): Promise<string | undefined> {
    const { rows } = await client.query<{ key: string }>(`SELECT (${key})::text AS key`);
    return rows[0]?.key;
  }

  beforeAll(async () => {
    test = await createTestDatabase();
    for (const schema of ['first', 'second', 'inspection', 'raw_data']) await test.query(`CREATE SCHEMA ${schema}`);
  });
  afterAll(async () => {
    for (const client of clients) await client.end();
    await test.drop();
  });

  it.each(ADVISORY_LOCKS)('%s excludes other sessions in the same schema only', async (lock) => {
    const key = advisoryKey(lock, { item: `'some'` });
    const [first, again, second] = [await connect('first'), await connect('first'), await connect('second')];
    expect(await tryLock(first, key)).toBe(true);
    expect(await tryLock(again, key)).toBe(false);
    expect(await tryLock(second, key)).toBe(true);
  });

  it('use a different key for each lock, schema and item', async () => {
    const keys: (string | undefined)[] = [await numberOf(await connect('first'), MIGRATION_LOCK_KEY)];
    for (const schema of ['first', 'second', 'inspection', 'raw_data']) {
      const client = await connect(schema);
      for (const lock of ADVISORY_LOCKS) {
        keys.push(await numberOf(client, advisoryKey(lock)), await numberOf(client, advisoryKey(lock, { item: `'some'` })));
      }
    }
    const withItemInKey = new Set([
      'part',
      'fileKeys',
      'outbox',
      'partFollower',
      'refill',
      'keptFigures',
      'alarms',
      'alarmNotices',
      'alarmDeliveries',
      'reportSchedules',
    ]);
    const withOneKey = ADVISORY_LOCKS.filter((lock) => !withItemInKey.has(lock)).length;
    // In its default schema a lock that kept its older key and is not one of many has one key, whatever the item.
    expect(new Set(keys).size).toBe(keys.length - withOneKey);
  });

  it('use the same key for a named schema as for a connection to that schema', async () => {
    for (const schema of ['first', 'inspection', 'raw_data']) {
      const client = await connect(schema);
      for (const lock of ADVISORY_LOCKS) {
        expect(await numberOf(client, advisoryKey(lock, { schema }))).toBe(await numberOf(client, advisoryKey(lock)));
      }
    }
  });

  describe('in the default schemas, where older releases may hold them', () => {
    it.each([
      ['inspection', 'plan', undefined, '5310101'],
      ['inspection', 'statistics', undefined, '5310102'],
      ['inspection', 'attributePurge', undefined, '5310103'],
      ['inspection', 'valueCompaction', undefined, '5310104'],
      ['inspection', 'pendingOperations', undefined, '5310105'],
      ['inspection', 'outbox', undefined, `hashtextextended('sinebar outbox inspection', 0)`],
      ['raw_data', 'partFollower', undefined, `hashtextextended('raw-data follower raw_data', 0)`],
      ['raw_data', 'removals', undefined, `hashtextextended('sinebar removal of files', 0)`],
      ['raw_data', 'part', `'some'`, `hashtextextended('raw-data part some', 0)`],
      ['raw_data', 'fileKeys', `'some'`, `hashtextextended('raw-data keys some', 0)`],
    ] as const)('the key of %s, %s stays', async (schema, lock, item, key) => {
      const client = await connect(schema);
      expect(await numberOf(client, advisoryKey(lock, item ? { item } : {}))).toBe(await numberOf(client, key));
    });
  });
});
