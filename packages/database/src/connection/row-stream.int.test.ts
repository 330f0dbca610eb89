import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { eventually } from '@sinebar/testing';
import type { TextRow } from '../database.ts';
import { readObjects, readRows } from './row-stream.ts';
import { sql } from '../sql.ts';
import { describeWithDatabase, limits, rejectionOf } from '../test-database.fixture.ts';

const numbersTo = (last: number) => sql`SELECT n, n % 2 = 0 AS even FROM generate_series(1, ${last}::int) AS n`;

describeWithDatabase('rows in batches', (database, test) => {
  const collected = async <R>(batches: AsyncIterable<R[]>) => {
    const all: R[][] = [];
    for await (const batch of batches) all.push(batch);
    return all;
  };

  it('are texts or values, in a small first batch on request, and never in an empty batch', async () => {
    await database().stream(limits(), async (session) => {
      const texts = await collected<TextRow>(readRows(session, numbersTo(7), { firstRows: 1, batchRows: 3 }));
      expect(texts.map((batch) => batch.length)).toEqual([1, 3, 3]);
      expect(texts[1]?.[0]).toEqual(['2', 't']);
      const objects = await collected(readObjects(session, numbersTo(4), { batchRows: 2 }));
      expect(objects).toEqual(
        [
          [1, 2],
          [3, 4],
        ].map((batch) => batch.map((n) => ({ n, even: n % 2 === 0 }))),
      );
      expect(await collected(readRows(session, numbersTo(0), { batchRows: 2 }))).toEqual([]);
    });
  });

  it('are planned for all rows, or for the first rows on request', async () => {
    // The planner evaluates an immutable function itself, so its result is the setting during planning.
    const body = `BEGIN RETURN current_setting('cursor_tuple_fraction'); END`;
    await database().write(limits(), (session) =>
      session.query(`CREATE OR REPLACE FUNCTION planned_for() RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$${body}$$`),
    );
    const fractions = await database().stream(limits(), async (session) => {
      const planned = async (sizes: { firstRows?: number }) =>
        (await collected(readRows(session, sql`SELECT planned_for()`, { batchRows: 2, ...sizes }))).flat(2);
      return [await planned({ firstRows: 1 }), await planned({}), await planned({ firstRows: 1 })];
    });
    expect(fractions).toEqual([['0.1'], ['1'], ['0.1']]);
  });

  it('leave the session usable, also when they are not read to the end', async () => {
    await database().write(limits(), async (session) => {
      for await (const batch of readRows(session, numbersTo(100), { batchRows: 10 })) {
        expect(await session.query('SELECT $1::int AS n', [batch.length])).toEqual([{ n: 10 }]);
        break;
      }
      expect(await collected(readRows(session, numbersTo(1), { batchRows: 10 }))).toEqual([[['1', 'f']]]);
    });
  });

  it('may be read for longer than the time-out of a statement', async () => {
    const batches = await database().stream({ ...limits(), statementTimeoutMs: 1_000 }, async (session) => {
      let count = 0;
      for await (const _batch of readRows(session, numbersTo(4), { batchRows: 1 })) {
        await delay(400);
        count += 1;
      }
      return count;
    });
    expect(batches).toBe(4);
  });

  it('end with the failure of the query, or with the reason of the signal', async () => {
    const failing = 'SELECT 1 / (50 - n) FROM generate_series(1, $1::int) AS n';
    const read = (text: string, signal?: AbortSignal) =>
      database().stream({ ...limits(), ...(signal && { signal }) }, (session) =>
        collected(readRows(session, { text, values: [100] }, { batchRows: 10 })),
      );
    expect(await rejectionOf(read(failing))).toMatchObject({ message: 'division by zero' });
    expect(await rejectionOf(read('SELECT nothing'))).toMatchObject({ message: 'column "nothing" does not exist' });
    const disconnect = new AbortController();
    const aborted = rejectionOf(read('SELECT pg_sleep(0.1) FROM generate_series(1, $1::int)', disconnect.signal));
    await eventually(async () => {
      const running = await test().query(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'FETCH 10 %'`);
      return running.length === 1;
    }, 'a batch is fetched');
    disconnect.abort(new Error('client disconnected'));
    expect(await aborted).toMatchObject({ message: 'client disconnected' });
  });
});
