import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { ServiceError } from '@sinebar/contracts';
import type pg from 'pg';
import type { Database } from '../database.ts';
import { openDatabase, type OpenDatabaseOptions } from '../open-database.ts';
import { DatabaseConflict } from '../connection/translate-error.ts';
import { eventually } from '@sinebar/testing';
import {
  createTestDatabase,
  describeWithPostgres,
  limits,
  rejectionOf,
  rememberingLog,
  startProxy,
  type TestDatabase,
} from '../test-database.fixture.ts';

describeWithPostgres('sessions', () => {
  let test: TestDatabase;
  let database: Database;
  const opened: Database[] = [];

  async function open(options: Partial<OpenDatabaseOptions> = {}): Promise<Database> {
    const made = await openDatabase({ url: test.url, schema: 'unit', applicationName: 'sinebar-unit', ...options });
    opened.push(made);
    return made;
  }

  beforeAll(async () => {
    test = await createTestDatabase();
    await test.query(`CREATE SCHEMA unit`);
    await test.query(
      `CREATE TABLE unit.item (
         id int PRIMARY KEY, name text, size int, detail jsonb, parent int CONSTRAINT item_parent REFERENCES unit.item)`,
    );
    database = await open({ poolSizes: { requests: 4, streams: 2 } });
  });
  afterEach(async () => {
    expect(database.poolUsage()).toMatchObject({ requests: { used: 0, waiting: 0 }, streams: { used: 0, waiting: 0 } });
    for (const other of opened.splice(1)) await other.close();
    await test.query('TRUNCATE unit.item');
  });
  afterAll(async () => {
    for (const made of opened) await made.close();
    await test.drop();
  });

  it('configures every connection [D10.1, D10.3]', async () => {
    const settings = await database.read(limits(), (session) =>
      session.query<{ name: string; setting: string }>(
        `SELECT name, setting FROM pg_settings WHERE name = ANY($1) UNION ALL SELECT 'schema', current_schema() ORDER BY name`,
        [['TimeZone', 'DateStyle', 'extra_float_digits', 'search_path', 'lock_timeout', 'application_name', 'tcp_keepalives_idle']],
      ),
    );
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      TimeZone: 'UTC',
      DateStyle: 'ISO, YMD',
      extra_float_digits: '1',
      search_path: '"unit", public',
      schema: 'unit',
      lock_timeout: '30000',
      application_name: 'sinebar-unit',
      tcp_keepalives_idle: '10',
    });
  });

  it('runs parameterised and prepared statements', async () => {
    const rows = await database.write(limits(), async (session) => {
      await session.query('INSERT INTO item (id, name, size) SELECT i, $1 || i, i FROM generate_series(1, 3) AS i', ['bolt?']);
      for (let i = 0; i < 3; i++) await session.query('SELECT name FROM item WHERE id = $1', [i], { name: 'item-by-id' });
      const prepared = await session.query<{ count: string }>(`SELECT count(*) FROM pg_prepared_statements WHERE name = 'item-by-id'`);
      expect(prepared).toEqual([{ count: '1' }]);
      return await session.query<{ id: number }>('SELECT id FROM item WHERE name = ANY($1) ORDER BY id', [['bolt?1', 'bolt?3']]);
    });
    expect(rows).toEqual([{ id: 1 }, { id: 3 }]);
  });

  it('limits each statement, in autocommit and in transactions, and resets the limit afterwards [D10.1]', async () => {
    const single = await open({ poolSizes: { requests: 1, streams: 1 } });
    for (const work of ['read', 'snapshot', 'stream', 'write'] as const) {
      const error = await rejectionOf(single[work](limits({ statementTimeoutMs: 50 }), (session) => session.query('SELECT pg_sleep(5)')));
      expect(error).toMatchObject({ code: 'DeadlineExceeded', status: 503 });
      const [now] = await single[work](limits({ statementTimeoutMs: 4321 }), (session) =>
        session.query<{ statement_timeout: string }>('SHOW statement_timeout'),
      );
      expect(now?.statement_timeout).toBe('4321ms');
    }
    expect(single.poolUsage().requests).toEqual({ used: 0, free: 1, waiting: 0 });
  });

  it('reads one state of the data in a snapshot, and refuses changes in it', async () => {
    await test.query('INSERT INTO unit.item (id) VALUES (1)');
    const counts = await database.snapshot(limits(), async (session) => {
      const count = async () => (await session.query<{ n: number }>('SELECT count(*)::int AS n FROM item'))[0]?.n;
      const before = await count();
      await test.query('INSERT INTO unit.item (id) VALUES (2)');
      return [before, await count()];
    });
    expect(counts).toEqual([1, 1]);
    const refused = await rejectionOf(database.snapshot(limits(), (session) => session.query('DELETE FROM item')));
    expect(refused).toMatchObject({ code: 'Unavailable' });
  });

  it('reports errors of the client', async () => {
    const failing = (text: string, values: unknown[]) => rejectionOf(database.write(limits(), (session) => session.query(text, values)));
    expect(await failing('INSERT INTO item (id, name) VALUES (1, $1)', ['a\0b'])).toMatchObject({ code: 'InvalidRequest' });
    expect(await failing('INSERT INTO item (id, detail) VALUES (1, $1)', [JSON.stringify({ a: 'a\0b' })])).toMatchObject({
      code: 'InvalidRequest',
    });
    expect(await failing('INSERT INTO item (id, size) VALUES (1, $1)', [3_000_000_000])).toMatchObject({ code: 'InvalidRequest' });
    expect(await failing('INSERT INTO item (id, parent) VALUES (1, 99)', [])).toMatchObject({
      code: 'Conflict',
      constraint: 'item_parent',
    });
    const twice = await failing('INSERT INTO item (id) VALUES (1), (1)', []);
    expect(twice).toBeInstanceOf(DatabaseConflict);
    expect(twice).toMatchObject({ code: 'AlreadyExists', kind: 'unique', constraint: 'item_pkey', table: 'item' });
    const defect = await failing('INSERT INTO item (nonsense) VALUES (1)', []);
    expect(defect).not.toBeInstanceOf(ServiceError);
    expect(defect).toMatchObject({ code: '42703' });
  });

  it('answers 503 after a wait for a connection, and at once for a stream [D10.1]', async () => {
    const small = await open({ poolSizes: { requests: 1, streams: 1 }, acquireTimeoutMs: 3_000 });
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
    const running = Promise.all([small.read(limits(), () => finished), small.stream(limits(), () => finished)]);
    await eventually(() => small.poolUsage().requests.used + small.poolUsage().streams.used === 2, 'both in use');

    const started = Date.now();
    expect(await rejectionOf(small.stream(limits(), () => Promise.resolve()))).toMatchObject({ code: 'Overloaded', retryAfterSeconds: 5 });
    expect(Date.now() - started).toBeLessThan(3_000);
    expect(await rejectionOf(small.read(limits(), () => Promise.resolve()))).toMatchObject({ code: 'Overloaded', retryAfterSeconds: 2 });

    const disconnect = new AbortController();
    const waiting = small.read(limits({ signal: disconnect.signal }), () => Promise.resolve());
    disconnect.abort(new Error('client disconnected'));
    expect(await rejectionOf(waiting)).toMatchObject({ message: 'client disconnected' });
    finish();
    await running;
    await eventually(() => small.poolUsage().requests.used === 0, 'a connection that came too late is back');
    expect(await small.read(limits(), (session) => session.query('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
  });

  it('discards broken connections and recovers', async () => {
    await Promise.all([1, 2, 3].map(() => database.read(limits(), (session) => session.query('SELECT pg_sleep(0.05)'))));
    await test.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sinebar-unit' AND datname = current_database()`,
    );
    await eventually(
      async () =>
        (await test.query(`SELECT FROM pg_stat_activity WHERE application_name = 'sinebar-unit' AND datname = current_database()`))
          .length === 0,
      'all ended',
    );
    const readOne = () => database.read(limits(), (session) => session.query('SELECT 1 AS one'));
    // The end of a connection may still be on its way to this process; a request that uses the connection before answers 503.
    await eventually(readOne, 'the first connection');
    for (let i = 0; i < 6; i++) expect(await readOne()).toEqual([{ one: 1 }]);

    const cut = rejectionOf(database.read(limits(), (session) => session.query('SELECT pg_sleep(20) /* cut */')));
    await eventually(
      async () =>
        (
          await test.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE query LIKE '%/* cut */' AND pid <> pg_backend_pid() AND datname = current_database()`,
          )
        ).length > 0,
      'a running statement',
    );
    expect(await cut).toMatchObject({ code: 'Unavailable', status: 503 });
  });

  it('answers 503 while the server is unavailable and works again afterwards [D2.6]', async () => {
    const proxy = await startProxy(test.url);
    const log = rememberingLog();
    const behind = await open({ url: proxy.url, acquireTimeoutMs: 500, log });
    expect(await behind.ping(1000)).toBe(true);
    await proxy.goDown();
    expect(await rejectionOf(behind.read(limits(), (session) => session.query('SELECT 1')))).toMatchObject({
      code: 'Unavailable',
      status: 503,
    });
    expect(await behind.ping(300)).toBe(false);
    await proxy.comeBack();
    await eventually(() => behind.ping(1000), 'ping');
    expect(await behind.read(limits(), (session) => session.query('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
    await behind.close();
    await proxy.close();
  });

  it('closes a connection with a running cursor or an open transaction', async () => {
    const single = await open({ poolSizes: { requests: 1, streams: 1 } });
    await single.read(limits(), (session) => session.query('BEGIN'));
    expect(await single.read(limits(), (session) => session.query('SELECT now() = statement_timestamp() AS outside'))).toEqual([
      { outside: true },
    ]);

    const pid = await single.read(limits(), async (session) => {
      void session.client.query('SELECT pg_sleep(0.2)').catch(() => undefined);
      return Promise.resolve((session.client as pg.ClientBase & { processID: number }).processID);
    });
    const [next] = await single.read(limits(), (session) => session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'));
    expect(next?.pid).toBe(pid);
  });

  it('refuses statements that come after the work has ended', async () => {
    let query: ((text: string) => Promise<unknown>) | undefined;
    await database.write(limits(), (session) => {
      query = (text) => session.query(text);
      return Promise.resolve();
    });
    await expect(query?.('SELECT 1')).rejects.toThrow(/whose work had ended/);
  });

  it('runs statements in sequence when the work does not await each', async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on('warning', listen);
    const rows = await database.read(limits(), (session) => Promise.all([1, 2, 3].map((i) => session.query(`SELECT ${i} AS i`))));
    process.off('warning', listen);
    expect(rows).toEqual([[{ i: 1 }], [{ i: 2 }], [{ i: 3 }]]);
    expect(warnings).toEqual([]);
  });

  it('does not connect with a wrong database or password, and explains the correction', async () => {
    const url = new URL(test.url);
    url.pathname = '/sinebar_no_such_database';
    await expect(open({ url: url.href })).rejects.toThrow(/does not exist .*Create it, or correct the database URL/);
    await expect(open({ url: 'postgres://127.0.0.1:1/x', startTimeoutMs: 0 })).rejects.toMatchObject({ code: 'Unavailable' });
  });
});
