import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Database } from '../database.ts';
import { openDatabase } from '../open-database.ts';
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

describeWithPostgres('abort', () => {
  let test: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    test = await createTestDatabase();
    await test.query('CREATE SCHEMA unit');
    await test.query('CREATE TABLE unit.item (id int PRIMARY KEY)');
    database = await openDatabase({
      url: test.url,
      schema: 'unit',
      applicationName: 'sinebar-unit',
      poolSizes: { requests: 2, streams: 1 },
    });
  });
  afterEach(() => {
    expect(database.poolUsage()).toMatchObject({ requests: { used: 0, waiting: 0 }, streams: { used: 0, waiting: 0 } });
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
  });

  const runningSleeps = async () =>
    (
      await test.query(
        `SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active' AND datname = current_database()`,
      )
    ).length;

  it.each(['read', 'snapshot', 'stream', 'write'] as const)(
    'cancels the running statement of a %s and rejects with the reason',
    async (kind) => {
      const disconnect = new AbortController();
      const reason = new Error('client disconnected');
      const work = rejectionOf(database[kind](limits({ signal: disconnect.signal }), (session) => session.query('SELECT pg_sleep(20)')));
      await eventually(async () => (await runningSleeps()) === 1, 'the statement runs');
      const started = Date.now();
      disconnect.abort(reason);
      expect(await work).toBe(reason);
      expect(Date.now() - started).toBeLessThan(10_000);
      expect(await runningSleeps()).toBe(0);
    },
  );

  it('cancels statements that the work runs on the connection itself', async () => {
    const disconnect = new AbortController();
    const work = rejectionOf(
      database.stream(limits({ signal: disconnect.signal }), (session) => session.client.query('SELECT pg_sleep(20)')),
    );
    await eventually(async () => (await runningSleeps()) === 1, 'the statement runs');
    disconnect.abort(new Error('client disconnected'));
    expect(await work).toMatchObject({ message: 'client disconnected' });
  });

  it('starts nothing when the signal is already aborted, and stores nothing when it is aborted before COMMIT', async () => {
    const disconnect = new AbortController();
    const stored = database.write(limits({ signal: disconnect.signal }), async (session) => {
      await session.query('INSERT INTO item VALUES (1)');
      disconnect.abort(new Error('client disconnected'));
      return 'stored';
    });
    expect(await rejectionOf(stored)).toMatchObject({ message: 'client disconnected' });
    let called = false;
    const late = database.read(limits({ signal: disconnect.signal }), () => {
      called = true;
      return Promise.resolve();
    });
    expect(await rejectionOf(late)).toMatchObject({ message: 'client disconnected' });
    expect(called).toBe(false);
    expect(await test.query('SELECT id FROM unit.item')).toEqual([]);
  });

  it('never cancels a statement of the next user of the connection', async () => {
    const single = await openDatabase({
      url: test.url,
      schema: 'unit',
      applicationName: 'sinebar-unit',
      poolSizes: { requests: 1, streams: 1 },
    });
    let aborted = 0;
    for (let i = 0; i < 200; i++) {
      const disconnect = new AbortController();
      const runMs = Math.random() * 4;
      const timer = setTimeout(() => disconnect.abort(new Error('client disconnected')), Math.random() * 6);
      const kind = (['read', 'write', 'snapshot'] as const)[i % 3] ?? 'read';
      const first = single[kind](limits({ signal: disconnect.signal }), (session) =>
        session.query('SELECT pg_sleep($1)', [runMs / 1000]),
      ).catch((error: unknown) => {
        expect(error).toMatchObject({ message: 'client disconnected' });
        aborted++;
      });
      const next = single.read(limits(), async (session) => {
        await session.query('SELECT pg_sleep(0.002)');
        return await session.query('SELECT 1 AS one');
      });
      await first;
      expect(await next).toEqual([{ one: 1 }]);
      clearTimeout(timer);
    }
    expect(aborted).toBeGreaterThan(20);
    expect(single.poolUsage().requests).toEqual({ used: 0, free: 1, waiting: 0 });
    await single.close();
  });

  it('closes the connection when the server cannot cancel', async () => {
    const proxy = await startProxy(test.url);
    const log = rememberingLog();
    const behind = await openDatabase({ url: proxy.url, schema: 'unit', applicationName: 'sinebar-unit', log });
    const disconnect = new AbortController();
    const work = rejectionOf(behind.read(limits({ signal: disconnect.signal }), (session) => session.query('SELECT pg_sleep(20)')));
    await eventually(async () => (await runningSleeps()) === 1, 'the statement runs');
    proxy.refuseNew();
    disconnect.abort(new Error('client disconnected'));
    expect(await work).toMatchObject({ message: 'client disconnected' });
    expect(log.sentences.join()).toContain('could not be cancelled');
    expect(behind.poolUsage().requests.used).toBe(0);
    await proxy.close();
    await behind.close();
    // The server notices by itself that its client has gone.
    await eventually(async () => (await runningSleeps()) === 0, { describe: 'the statement is ended', timeoutMs: 12_000 });
  });

  it('stops waiting for work that ignores its signal', async () => {
    const disconnect = new AbortController();
    const work = rejectionOf(database.read(limits({ signal: disconnect.signal }), () => new Promise<void>(() => undefined)));
    await eventually(() => database.poolUsage().requests.used === 1, 'in use');
    disconnect.abort(new Error('client disconnected'));
    expect(await work).toMatchObject({ message: 'client disconnected' });
    expect(await database.read(limits(), (session) => session.query('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
  });
});
