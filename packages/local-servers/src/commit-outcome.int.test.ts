import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate, openDatabase, type Database, type Migration } from '@sinebar/database';
import { cuttableProxy, eventually, type CuttableProxy } from '@sinebar/testing';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startBackingServices, type BackingServices } from './backing-services.ts';

const MIGRATIONS: Migration[] = [
  { name: '0001-note', up: async (session) => void (await session.query('CREATE TABLE note (text text PRIMARY KEY)')) },
];
const TIME_LIMIT_MS = 60_000;

/** Uses a separate server that the tests kill, behind a proxy that can hold back its answers. */
describe('a commit whose server is killed', () => {
  let runs: string;
  let url: string;
  let services: BackingServices;
  let proxy: CuttableProxy;
  let database: Database;
  let starts = 0;

  beforeAll(async () => {
    runs = mkdtempSync(join(tmpdir(), 'sinebar-int-'));
    // The database runs as another user when root starts it.
    chmodSync(runs, 0o711);
    const onRestarted = () => (starts += 1);
    services = await startBackingServices({ need: ['postgres'], dataDir: join(runs, 'runs'), environment: {}, restart: true, onRestarted });
    url = services.variables.DATABASE_URL as string;
    // Nothing is written to the disk but what a commit waits for, so that a crash loses what is not committed, its number included.
    await directly(`ALTER SYSTEM SET wal_writer_delay = '10s'`);
    await directly('SELECT pg_reload_conf()');
    proxy = await cuttableProxy('127.0.0.1', Number(new URL(url).port));
    const behind = new URL(url);
    behind.port = String(proxy.port);
    await migrate(url, 'unit', MIGRATIONS);
    database = await openDatabase({ url: behind.href, schema: 'unit', applicationName: 'sinebar-unit', poolSizes: { requests: 2 } });
  }, 180_000);
  afterEach(() => proxy.restore());
  afterAll(async () => {
    await database?.close();
    await proxy?.close();
    await services?.stop();
    rmSync(runs, { recursive: true, force: true });
  }, TIME_LIMIT_MS);

  async function directly<R extends object>(text: string, values: unknown[] = []): Promise<R[]> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, query_timeout: 10_000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<R>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  const count = async (text: string) =>
    (await directly<{ n: number }>('SELECT count(*)::int AS n FROM unit.note WHERE text = $1', [text]))[0]?.n;
  const nextNumber = async () => BigInt((await directly<{ id: string }>('SELECT pg_current_xact_id()::text AS id'))[0]?.id ?? '0');
  const statusOf = async (id: bigint) =>
    (await directly<{ status: string }>('SELECT pg_xact_status($1::xid8) AS status', [String(id)]))[0]?.status;
  /** The connection is restored after COMMIT was sent without effect. */
  const restoreSoon = () =>
    setTimeout(() => {
      proxy.cut();
      proxy.restore();
    }, 100);

  /** Kills the main process, whose children notice, and waits until the server runs again. */
  async function killServer(): Promise<void> {
    const before = starts;
    process.kill(services.servers.get('postgres')?.pid ?? NaN, 'SIGKILL');
    await eventually(() => starts > before, { timeoutMs: TIME_LIMIT_MS });
  }

  /** Writes a note; `beforeCommit` runs when everything but COMMIT has been sent. */
  function write(text: string, beforeCommit: (id: bigint) => void | Promise<void>): { outcome: Promise<string>; attempts: () => number } {
    let attempts = 0;
    const limits = { signal: AbortSignal.timeout(TIME_LIMIT_MS), statementTimeoutMs: TIME_LIMIT_MS };
    const outcome = database
      .write(limits, async (session) => {
        attempts += 1;
        const [row] = await session.query<{ id: string }>('SELECT pg_current_xact_id()::text AS id');
        await session.query('INSERT INTO note VALUES ($1)', [text]);
        if (attempts === 1) await beforeCommit(BigInt(row?.id ?? '0'));
      })
      .then(
        () => 'stored',
        (error: Error) => `${(error as Error & { code?: string }).code}: ${error.message}`,
      );
    return { outcome, attempts: () => attempts };
  }

  it(
    'is acknowledged when only the answer was lost, even shortly after the start of the server',
    async () => {
      await killServer();
      const { outcome, attempts } = write('answer lost', () => proxy.stall('answers'));
      await eventually(async () => (await count('answer lost')) === 1);
      proxy.cut();
      proxy.restore();
      expect(await outcome).toBe('stored');
      expect(attempts()).toBe(1);
    },
    TIME_LIMIT_MS,
  );

  it(
    'is uncertain when the server was killed between the commit and its answer',
    async () => {
      const { outcome, attempts } = write('killed after', () => proxy.stall('answers'));
      await eventually(async () => (await count('killed after')) === 1);
      await killServer();
      proxy.cut();
      proxy.restore();
      expect(await outcome).toMatch(/^Unavailable: .*may have been stored/);
      expect(attempts()).toBe(1);
      expect(await count('killed after')).toBe(1);
    },
    TIME_LIMIT_MS,
  );

  it(
    'is repeated when the server lost it and has not reused its number',
    async () => {
      const { outcome, attempts } = write('killed before', async (id) => {
        proxy.stall();
        await killServer();
        await expect(statusOf(id)).rejects.toThrow(/in the future/);
        restoreSoon();
      });
      expect(await outcome).toBe('stored');
      expect(attempts()).toBe(2);
      expect(await count('killed before')).toBe(1);
    },
    TIME_LIMIT_MS,
  );

  it(
    'is not acknowledged when the server lost it and reused its number for another transaction',
    async () => {
      const { outcome, attempts } = write('number given again', async (id) => {
        proxy.stall();
        await killServer();
        let given = await nextNumber();
        expect(given).toBeLessThanOrEqual(id);
        while (given < id) given = await nextNumber();
        expect(await statusOf(id)).toBe('committed');
        restoreSoon();
      });
      expect(await outcome).toMatch(/^Unavailable: .*may have been stored/);
      expect(attempts()).toBe(1);
      expect(await count('number given again')).toBe(0);
    },
    TIME_LIMIT_MS,
  );

  it(
    'is uncertain after a crash of another process that the main process survives',
    async () => {
      const starts = () =>
        directly<{ main: Date; recovered: Date }>(
          'SELECT pg_postmaster_start_time() AS main, pg_stat_get_bgwriter_stat_reset_time() AS recovered',
        );
      const [before] = await starts();
      const { outcome } = write('other crash', () => proxy.stall('answers'));
      await eventually(async () => (await count('other crash')) === 1);
      const [other] = await directly<{ pid: number }>(`SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'`);
      if (!other) throw new Error('there is no WAL writer');
      process.kill(other.pid, 'SIGKILL');
      const [after] = await eventually(
        async () => {
          const found = await starts();
          return found[0]?.recovered.getTime() !== before?.recovered.getTime() && found;
        },
        { timeoutMs: TIME_LIMIT_MS },
      );
      expect(after?.main).toEqual(before?.main);
      proxy.cut();
      proxy.restore();
      expect(await outcome).toMatch(/^Unavailable: .*may have been stored/);
    },
    TIME_LIMIT_MS,
  );
});
