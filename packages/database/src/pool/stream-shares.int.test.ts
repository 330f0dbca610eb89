import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Database } from '../database.ts';
import { migrate } from '../migrations/migrate.ts';
import { openDatabase } from '../open-database.ts';
import { createTestDatabase, describeWithPostgres, limits, type TestDatabase } from '../test-database.fixture.ts';

describeWithPostgres('connections for streaming answers', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase();
    await migrate(test.url, 'unit', []);
  });
  afterAll(() => test.drop());

  const open = (streamLimits = {}) =>
    openDatabase({ url: test.url, schema: 'unit', applicationName: 'test', poolSizes: { requests: 1, streams: 3 }, streamLimits });
  /** Streams until the returned function is called. */
  const hold = async (database: Database, client: string): Promise<() => Promise<void>> => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    let held = Promise.resolve();
    await new Promise<void>((begun, failed) => {
      held = database.stream({ ...limits(), client }, async () => {
        begun();
        await ended;
      });
      held.catch(failed);
    });
    return async () => {
      end();
      await held;
    };
  };

  it('are not all given to one client [D10.1]', async () => {
    const database = await open();
    const held = [await hold(database, 'anna'), await hold(database, 'anna')];
    expect(database.canStream('anna')).toBe(false);
    await expect(hold(database, 'anna')).rejects.toMatchObject({ status: 503, retryAfterSeconds: 5 });
    held.push(await hold(database, 'bert'));
    await (held.shift() as () => Promise<void>)();
    held.push(await hold(database, 'anna'));
    for (const release of held) await release();
    expect(database.canStream('anna')).toBe(true);
    await database.close();
  });

  it('are limited per client by the setting', async () => {
    const database = await open({ perClient: 1 });
    const release = await hold(database, 'anna');
    await expect(hold(database, 'anna')).rejects.toThrow('You have 1 large answers under way');
    await release();
    await database.close();
  });

  it('are released after the total time limit [D10.1]', async () => {
    const database = await open({ totalMs: 50 });
    const streamed = database.stream(limits(), async (session) => {
      for (;;) await session.query('SELECT pg_sleep(0.01)');
    });
    await expect(streamed).rejects.toMatchObject({ code: 'DeadlineExceeded' });
    expect(database.poolUsage().streams.used).toBe(0);
    await database.close();
  });
});
