import { expect, it } from '@jest/globals';
import { sql, type Sql } from '../sql.ts';
import { describeWithDatabase, limits, rejectionOf } from '../test-database.fixture.ts';
import { copyRows } from './copy-rows.ts';

/** Bytes before the rows and after them. */
const HEADER_BYTES = 19;
const TRAILER_BYTES = 2;

describeWithDatabase('copied rows', (database) => {
  const copied = (statement: Sql) =>
    database().snapshot(limits(), async (session) => {
      const chunks: Buffer[] = [];
      for await (const chunk of copyRows(session, statement)) chunks.push(chunk);
      const [one] = await session.query<{ one: number }>('SELECT 1 AS one');
      expect(one).toEqual({ one: 1 });
      return Buffer.concat(chunks);
    });
  /** The first column of the first row as text. */
  const text = async (statement: Sql) => {
    const bytes = await copied(statement);
    const length = bytes.readInt32BE(HEADER_BYTES + 2);
    return bytes.toString('utf8', HEADER_BYTES + 6, HEADER_BYTES + 6 + length);
  };

  it('are in the binary format of PostgreSQL', async () => {
    const bytes = await copied(sql`SELECT n::float8 FROM generate_series(1, 3) AS n`);
    expect(bytes.length).toBe(HEADER_BYTES + 3 * (2 + 4 + 8) + TRAILER_BYTES);
    expect(bytes.readDoubleBE(HEADER_BYTES + 6)).toBe(1);
  });

  it.each([`it's`, `a\\b`, `"quoted"`, '$1 ; DROP SCHEMA unit --', 'Grüße 🙂', ''])('take the text %j as it is', async (value) => {
    expect(await text(sql`SELECT ${value}::text`)).toBe(value);
  });
  it('take numbers', async () => expect(await text(sql`SELECT (${-1.5}::float8)::text`)).toBe('-1.5'));
  it('take nothing', async () => expect(await text(sql`SELECT coalesce(${null}::text, 'none')`)).toBe('none'));
  it('take lists', async () => expect(await text(sql`SELECT array_to_string(${[`x'`, 'y']}::text[], '|')`)).toBe(`x'|y`));
  it('take empty lists', async () => expect(await text(sql`SELECT cardinality(${[]}::text[])::text`)).toBe('0'));

  it('leave the connection usable when the reader stops early', async () => {
    await database().snapshot(limits(), async (session) => {
      for await (const chunk of copyRows(session, sql`SELECT n FROM generate_series(1, 200000) AS n`)) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      expect(await session.query('SELECT 2 AS two')).toEqual([{ two: 2 }]);
    });
  });

  it('end with the failure of the statement', async () => {
    expect(await rejectionOf(copied(sql`SELECT 1 / (n - 5) FROM generate_series(1, 10) AS n`))).toMatchObject({ code: '22012' });
  });

  it('end when the request is aborted', async () => {
    const controller = new AbortController();
    const reading = database().snapshot(limits({ signal: controller.signal }), async (session) => {
      for await (const chunk of copyRows(session, sql`SELECT n, pg_sleep(0.0001) FROM generate_series(1, 10000000) AS n`)) {
        if (chunk.length > 0) controller.abort(new Error('client disconnected'));
      }
    });
    expect(await rejectionOf(reading)).toMatchObject({ message: 'client disconnected' });
  });
});
