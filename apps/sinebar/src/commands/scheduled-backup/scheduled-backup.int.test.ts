import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createLogger, Metrics } from '@sinebar/runtime';
import { createTestDatabase, describeWith, eventually, sinebarCommand, type TestDatabase } from '@sinebar/testing';
import { alertRules, readExpression, readSeries } from '@sinebar/testing/observability';
import { startSinebar, typed } from '../../running-sinebar.fixture.ts';
import { backupCommand } from '../backup/backup-command.ts';
import { readManifest, type Manifest } from '../backup/manifest.ts';
import { restoreCommand } from '../backup/restore-command.ts';
import { testRestoreCommand } from '../backup/test-restore-command.ts';
import { scheduleBackups } from './backup-schedule.ts';
import { makeBackup } from './make-backup.ts';
import { scheduledBackupCommand } from './scheduled-backup-command.ts';

const DAY_MS = 86_400_000;
const RETENTION = { daily: 2, weekly: 0 };
/** Only root mounts file systems. */
const asRoot = process.platform === 'linux' && process.getuid?.() === 0 ? it : it.skip;

describeWith(['postgres'], 'scheduled backups', () => {
  let root: string;
  let folder: string;
  let env: Record<string, string>;
  let made = 0;
  const databases: TestDatabase[] = [];
  const signal = new AbortController().signal;
  const newDatabase = async () => {
    const database = await createTestDatabase();
    databases.push(database);
    return database.url;
  };
  /** Makes the backup of a day. */
  const backupOf = async (day: number) =>
    makeBackup({ env, signal, folder, retention: RETENTION, now: () => new Date(Date.parse('2026-01-31T02:00:00Z') + day * DAY_MS) });
  const withClient = async <T>(work: (client: pg.Client) => Promise<T>) => {
    const client = new pg.Client({ connectionString: env['DATABASE_URL'] });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'sinebar-schedule-'));
    const { client, stop } = await startSinebar(join(root, 'data'));
    const uuid = randomUUID();
    await client.parts.create([{ uuid, path: 'P:/Pump/' }]);
    await client.rawData.upload({ entity: 'Part', uuid }, { fileName: 'large', content: 'x'.repeat(2 ** 20) });
    await stop();
    expect((await typed(backupCommand, [join(root, 'first')], { SINEBAR_DATA_DIR: join(root, 'data') })).code).toBe(0);
    env = { DATABASE_URL: await newDatabase(), SINEBAR_FILE_DIR: join(root, 'files') };
    expect((await typed(restoreCommand, [join(root, 'first')], env)).code).toBe(0);
  });
  beforeEach(() => {
    folder = join(root, `backups-${made++}`);
  });
  afterAll(async () => {
    for (const database of databases) await database.drop();
    await rm(root, { recursive: true, force: true });
  });

  it('are made, removed when they are too old, and restored to what was there', async () => {
    await mkdir(join(folder, 'by-hand'), { recursive: true });
    for (const day of [0, 1]) await backupOf(day);
    const { removed } = await backupOf(2);
    expect(removed).toEqual(['2026-01-31T0200Z']);
    expect((await readdir(folder)).sort()).toEqual(['2026-02-01T0200Z', '2026-02-02T0200Z', 'by-hand']);
    const other = { DATABASE_URL: await newDatabase(), SINEBAR_FILE_DIR: join(root, 'restored-files') };
    expect((await typed(restoreCommand, [join(folder, '2026-02-02T0200Z')], other)).code).toBe(0);
    expect((await typed(backupCommand, [join(root, 'second')], other)).code).toBe(0);
    const contentOf = async (path: string) => {
      const { tables, sequences, files } = await readManifest(path);
      return { tables: tables.filter(({ name }) => name !== 'follow_position'), sequences, files };
    };
    expect(await contentOf(join(root, 'second'))).toEqual(await contentOf(join(folder, '2026-02-02T0200Z')));
  });

  it('remove what a killed one has left', async () => {
    const running = await withClient(async (client) => {
      await client.query('BEGIN; LOCK TABLE inspection.measurement');
      const child = spawn(process.execPath, sinebarCommand('scheduled-backup', folder), {
        env: { PATH: process.env['PATH'], ...env },
        stdio: 'ignore',
      });
      const ended = once(child, 'exit');
      await eventually(async () => (await readdir(join(folder, (await readdir(folder))[0] ?? ''))).includes('rows'));
      child.kill('SIGKILL');
      await ended;
      return child;
    });
    expect(running.signalCode).toBe('SIGKILL');
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^\.\d{4}-\d\d-\d\dT\d{4}Z\.unfinished-/)]);
    // PostgreSQL notices the end of the process when it writes to it.
    await eventually(async () => void (await backupOf(0)), { timeoutMs: 60_000 });
    expect(await readdir(folder)).toEqual(['2026-01-31T0200Z']);
  });

  it('remove what a removal has left', async () => {
    await mkdir(join(folder, '.2026-01-01T0200Z.removed'), { recursive: true });
    await backupOf(0);
    expect(await readdir(folder)).toEqual(['2026-01-31T0200Z']);
  });

  asRoot('say that the disk is full, keep nothing of it, and work again when there is room', async () => {
    await mkdir(folder);
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder]).status).toBe(0);
    try {
      await backupOf(0);
      await writeFile(join(folder, 'other'), randomBytes(2 ** 20));
      const full = await typed(scheduledBackupCommand, [folder], env);
      expect(full).toMatchObject({ code: 1, stderr: expect.stringMatching(/^There is no space left in .+ Make room/) });
      expect((await readdir(folder)).sort()).toEqual(['2026-01-31T0200Z', 'other']);
      await rm(join(folder, 'other'));
      expect((await typed(scheduledBackupCommand, [folder], env)).code).toBe(0);
    } finally {
      spawnSync('umount', ['--lazy', folder]);
    }
  });

  it.each([
    [['--keep-daily', 'seven'], '--keep-daily takes a number from 0 to 9999, not "seven".'],
    [['--keep-weekly', '-1'], '--keep-weekly'],
    [['--disks', '/disks'], '--disks needs --at'],
  ])('are refused with %j', async (words, sentence) => {
    expect(await typed(scheduledBackupCommand, [folder, ...words], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(sentence),
    });
    expect(await readdir(root)).not.toContain(basename(folder));
  });

  it('have metrics, which tell a failure until the next success, and the age of the newest', async () => {
    const log = createLogger({ service: 'test', level: 'silent' });
    const metrics = new Metrics(log);
    const schedule = scheduleBackups({
      folder,
      minuteOfDay: 120,
      disks: { postgres: root },
      makeBackup: () => Promise.reject(new Error('no room')),
      now: () => new Date('2026-01-31T02:00:00Z'),
      log,
    });
    schedule.observe?.(metrics);
    const series = async () => readSeries(await metrics.text());
    expect((await series()).get('sinebar_backup_newest_timestamp_seconds')).toBe(0);
    await schedule.start();
    await eventually(async () => (await series()).get('sinebar_backup_failed') === 1);
    await schedule.stop();
    await backupOf(0);
    const now = await series();
    expect(now.get('sinebar_backup_newest_timestamp_seconds')).toBeGreaterThan(Date.now() / 1000 - 600);
    expect(now.get('sinebar_disk_free_bytes{disk="postgres"}')).toBeGreaterThan(0);
    expect(now.get('sinebar_disk_size_bytes{disk="backup"}')).toBeGreaterThan(0);
    const named = alertRules().flatMap(({ expr }) => readExpression(expr).metrics.filter((name) => name.startsWith('sinebar_backup_')));
    expect(named.filter((name) => !now.has(name))).toEqual([]);
  });

  describe('a test restore', () => {
    const scratchDatabases = () =>
      withClient(async (client) => {
        const { rows } = await client.query<{ datname: string }>(
          "SELECT datname FROM pg_database WHERE datname LIKE 'sinebar\\_test\\_restore\\_%'",
        );
        return rows.map(({ datname }) => datname);
      });

    it('finds a backup equal and leaves nothing', async () => {
      const { path } = await backupOf(0);
      expect(await typed(testRestoreCommand, [path], env)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/can be restored: \d+ rows in \d+ tables and 1 files/),
      });
      expect(await scratchDatabases()).toEqual([]);
    });

    it('names rows that are missing, and files that rows name', async () => {
      const { path } = await backupOf(0);
      const change = async (change: (manifest: Manifest) => void) => {
        const manifest = await readManifest(path);
        change(manifest);
        await writeFile(join(path, 'manifest.json'), JSON.stringify(manifest));
        return (await typed(testRestoreCommand, [path], env)).stderr;
      };
      expect(
        await change(({ tables }) => {
          for (const table of tables) if (table.name === 'plan_item') table.rows += 1;
        }),
      ).toContain('The table inspection.plan_item took 2 rows of 3.');
      await writeFile(join(path, 'files.jsonl'), '');
      const stderr = await change(({ tables, files }) => {
        for (const table of tables) if (table.name === 'plan_item') table.rows -= 1;
        Object.assign(files, { count: 0, sha256: createHash('sha256').update('').digest('hex') });
      });
      expect(stderr).toMatch(/A restored row names the object [0-9a-f-]+ with 1048576 bytes, and the backup does not hold it\./);
      expect(await scratchDatabases()).toEqual([]);
    });

    it('removes the scratch database that a killed one has left', async () => {
      const { path } = await backupOf(0);
      const child = spawn(process.execPath, sinebarCommand('test-restore', path), {
        env: { PATH: process.env['PATH'], ...env },
        stdio: 'ignore',
      });
      const ended = once(child, 'exit');
      await eventually(async () => (await scratchDatabases()).length > 0);
      child.kill('SIGKILL');
      await ended;
      expect(await scratchDatabases()).toHaveLength(1);
      await eventually(async () => (await typed(testRestoreCommand, [path], env)).code === 0 && (await scratchDatabases()).length === 0, {
        timeoutMs: 60_000,
      });
    });
  });
});
