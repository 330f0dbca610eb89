import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { settlesWithin } from '@sinebar/concurrency';
import pg from 'pg';
import { closeAbruptly, isReadyForQuery, readInTurns } from './driver-internals.ts';
import { createTestDatabase, describeWithPostgres, rejectionOf, type TestDatabase } from '../test-database.fixture.ts';

describeWithPostgres('driver internals', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client(test.url);
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  it('closes a connection at once and fails the running statement', async () => {
    const client = await connect();
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
    const running = rejectionOf(client.query('SELECT pg_sleep(20)'));
    closeAbruptly(client);
    expect(await running).toMatchObject({ message: expect.stringMatching(/^Connection terminated/) });
    expect(await settlesWithin(ended, 1000)).toBe(true);
  });

  it('reports that the server is ready after a successful statement, and not while one runs', async () => {
    const client = await connect();
    await client.query('SELECT 1');
    expect(isReadyForQuery(client)).toBe(true);
    const running = client.query('SELECT pg_sleep(0.05)');
    expect(isReadyForQuery(client)).toBe(false);
    await running;
    expect(isReadyForQuery(client)).toBe(true);
    await client.end();
  });

  it.each([false, true])('reads a long answer in many turns of the event loop where it is told to: %s', async (told) => {
    const client = await connect();
    if (told) readInTurns(client);
    const bytes: number[] = [];
    let isSameTurn = false;
    client.connection.stream.prependListener('data', (data: Buffer) => {
      bytes.push((isSameTurn ? (bytes.pop() ?? 0) : 0) + data.length);
      if (isSameTurn) return;
      isSameTurn = true;
      setImmediate(() => (isSameTurn = false));
    });
    const { rows } = await client.query<{ number: number }>(
      'SELECT number, repeat($1, 100) AS text FROM generate_series(1, 100000) number',
      ['x'],
    );
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 100_000 }, (_, i) => i + 1));
    if (told) expect(Math.max(...bytes)).toBeLessThanOrEqual(2 * 65_536);
    else expect(Math.max(...bytes)).toBeGreaterThan(4 * 65_536);
    await client.end();
  });

  it('are needed after a failure, which the driver reports before the server is ready', async () => {
    const client = await connect();
    await client.query('BEGIN');
    const states = await new Promise<{ ready: boolean; status: string | null }>((resolve) => {
      client.query('SELECT 1 / 0', () => resolve({ ready: isReadyForQuery(client), status: client.getTransactionStatus() }));
    });
    expect(states).toEqual({ ready: false, status: 'T' });
    await client.end();
  });
});
