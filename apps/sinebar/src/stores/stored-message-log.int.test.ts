import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeMessageLog, testEnvelope, testEnvelopes } from '@sinebar/testing/bus-contract';
import { createLogger } from '@sinebar/runtime';
import pg from 'pg';
import { connectionUrl, readCredentials, startEmbeddedPostgres, type EmbeddedPostgres } from '@sinebar/local-servers';
import { StoredMessageLog } from './stored-message-log.ts';

let folder: string;
let server: EmbeddedPostgres;
let admin: pg.Client;
let databases = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinebar-message-log-'));
  await chmod(folder, 0o755);
  server = await startEmbeddedPostgres({ dataDir: folder, fsync: false, log: createLogger({ service: 'test', level: 'silent' }) });
  admin = new pg.Client({ connectionString: await superuserUrl() });
  await admin.connect();
});

afterAll(async () => {
  await admin.end();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function superuserUrl(): Promise<string> {
  return connectionUrl((await readCredentials(join(folder, 'postgres'))).superuser, server.port, 'postgres');
}

async function emptyDatabase(): Promise<string> {
  databases++;
  await admin.query(`CREATE DATABASE log_${databases} OWNER sinebar`);
  return server.url.replace(/\/sinebar$/, `/log_${databases}`);
}

async function messageCount(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ n: number }>('SELECT count(*)::int AS n FROM bus.message')).rows[0]?.n ?? -1;
  } finally {
    await client.end();
  }
}

describeMessageLog(
  'StoredMessageLog',
  async ({ maxMessages }) => {
    const options = { url: await emptyDatabase(), maxMessages, maxBytes: 2 ** 30 };
    const opened = [await StoredMessageLog.open(options)];
    return {
      log: opened[0] as StoredMessageLog,
      reopen: async () => {
        await opened.pop()?.close();
        const again = await StoredMessageLog.open(options);
        opened.push(again);
        return again;
      },
      close: async () => {
        for (const log of opened) await log.close();
      },
    };
  },
  { durable: true },
);

describe('StoredMessageLog', () => {
  it('trims by bytes too, and deletes the rows', async () => {
    const url = await emptyDatabase();
    const sizeBytes = JSON.stringify(testEnvelope()).length;
    const log = await StoredMessageLog.open({ url, maxMessages: 1_000, maxBytes: sizeBytes * 4 });
    await log.append(testEnvelopes(20));
    await log.trim();
    const { state, messages } = await log.read(0, 100);
    expect(state.lastSequence).toBe(20);
    expect(messages.length).toBeGreaterThanOrEqual(3);
    expect(messages.length).toBeLessThanOrEqual(4);
    expect(messages[0]?.sequence).toBe(state.firstSequence);
    expect(await messageCount(url)).toBe(messages.length);
    await log.trim();
    expect(await messageCount(url)).toBe(messages.length);
    await log.close();
  });

  it('trims more than one batch in one call, down to no rows', async () => {
    const url = await emptyDatabase();
    const log = await StoredMessageLog.open({ url, maxMessages: 0, maxBytes: 2 ** 30 });
    await log.append(testEnvelopes(11_000));
    await log.trim();
    expect(await log.state()).toMatchObject({ firstSequence: 11_001, lastSequence: 11_000 });
    expect(await messageCount(url)).toBe(0);
    await log.append(testEnvelopes(1));
    expect((await log.read(0, 10)).messages.map(({ sequence }) => sequence)).toEqual([11_001]);
    await log.close();
  });

  it('returns large messages in pages of limited size with at least one message', async () => {
    const log = await StoredMessageLog.open({ url: await emptyDatabase(), maxMessages: 100, maxBytes: 2 ** 30 });
    const large = Array.from({ length: 12 }, () => ({ ...testEnvelope(), sinebarpath: 'x'.repeat(2 ** 20) }));
    await log.append(large);
    const seen: string[] = [];
    for (let after = 0; after < 12;) {
      const { messages } = await log.read(after, 100);
      expect(messages.length).toBeGreaterThan(0);
      expect(messages.length).toBeLessThan(6);
      seen.push(...messages.map(({ envelope }) => envelope.id));
      after = messages.at(-1)?.sequence ?? 12;
    }
    expect(seen).toEqual(large.map(({ id }) => id));
    await log.close();
  });

  it('stores nothing of a call when one of its messages fails', async () => {
    const log = await StoredMessageLog.open({ url: await emptyDatabase(), maxMessages: 100, maxBytes: 2 ** 30 });
    const large = Array.from({ length: 12 }, () => ({ ...testEnvelope(), sinebarpath: 'x'.repeat(2 ** 20) }));
    const broken = { ...testEnvelope(), id: 'not\u0000storable' };
    await expect(log.append([...large, broken])).rejects.toThrow();
    expect((await log.read(0, 100)).messages).toEqual([]);
    await log.append([testEnvelope()]);
    expect((await log.read(0, 100)).messages.map(({ sequence }) => sequence)).toEqual([1]);
    await log.close();
  });

  it('fails while the database is unavailable, and works afterwards', async () => {
    const log = await StoredMessageLog.open({ url: await emptyDatabase(), maxMessages: 100, maxBytes: 2 ** 30 });
    await log.append(testEnvelopes(2));
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sinebar-bus' AND datname = current_database()`,
    );
    await log.append(testEnvelopes(1)).catch(() => undefined);
    await log.append(testEnvelopes(1));
    expect((await log.state()).lastSequence).toBeGreaterThanOrEqual(3);
    await log.close();
  });
});
