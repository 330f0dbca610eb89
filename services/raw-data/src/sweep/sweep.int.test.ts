import { removeUnusedThumbnails, ThumbnailStore } from '../thumbnails/thumbnail-store.ts';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLogger } from '@sinebar/runtime';
import { describeWith, eventually } from '@sinebar/testing';
import request from 'supertest';
import { startRawData, type RunningRawData } from '../running-raw-data.fixture.ts';
import { ANNOUNCED_FOR_MS, BlobRemovalStore, UNKNOWN_OUTCOME_MS } from '../blobs/blob-removal-store.ts';
import { BlobRemovalWorker } from '../blobs/blob-removal-worker.ts';
import { SweepSchedule } from './sweep-schedule.ts';
import { SweepService } from './sweep-service.ts';

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;

describeWith(['postgres'], 'sweep', () => {
  let running: RunningRawData;
  let folder: string;
  let part: string;
  let ordered = 0;

  beforeAll(async () => {
    running = await startRawData();
    folder = await mkdtemp(join(tmpdir(), 'sinebar-sweep-'));
    part = await running.inspection.create('pa/');
    for (let i = 0; i < 3; i += 1) {
      await request(running.server)
        .post(`/rawDataServiceRest/rawData/part/${part}`)
        .set({ 'Content-Disposition': '"a"', 'Content-Type': 'text/plain' })
        .send('x')
        .expect(201);
    }
  });
  afterAll(async () => {
    await running.stop();
    await rm(folder, { recursive: true });
  });

  const serviceIn = (ms: number) =>
    new SweepService({
      database: running.database,
      blobs: running.blobs,
      now: () => new Date(Date.now() + ms),
      onRemovalOrdered: () => (ordered += 1),
    });
  const later = () => serviceIn(2 * DAY_MS);
  const write = <T>(work: Parameters<typeof running.database.write<T>>[1]) =>
    running.database.write({ signal: AbortSignal.timeout(5000), statementTimeoutMs: 5000 }, work);
  const sweep = (remove: boolean, service = later()) =>
    service.sweep({ olderThanMs: DAY_MS, delete: remove, signal: AbortSignal.timeout(10_000) });
  const orphan = async () => {
    const name = randomUUID();
    const path = join(folder, name);
    await writeFile(path, 'four');
    await running.blobs.put(name, path, 4);
    return name;
  };

  it('finds nothing when blobs and rows match', async () => {
    expect(await sweep(true)).toEqual({
      checkedObjects: 3,
      checkedRows: 3,
      orphans: { count: 0, sizeBytes: 0, examples: [] },
      missing: { count: 0, examples: [] },
    });
  });

  it('reports blobs without a row, and removes them only on request', async () => {
    const names = [await orphan(), await orphan()].sort();
    expect((await sweep(true, serviceIn(0))).orphans.count).toBe(0);
    expect((await sweep(false)).orphans).toEqual({ count: 2, sizeBytes: 8, examples: names });
    expect(await running.storedNames()).toHaveLength(5);
    expect((await sweep(true)).orphans.count).toBe(2);
    expect(ordered).toBe(1);
    await eventually(async () => expect(await running.storedNames()).toHaveLength(3));
  });

  it('ignores blobs whose removal is already ordered', async () => {
    const name = await orphan();
    await write((session) => new BlobRemovalStore(session).order([name], DAY_MS));
    expect((await sweep(true)).orphans.count).toBe(0);
    await running.query('DELETE FROM blob_removal');
    await running.blobs.remove([name]);
  });

  it('runs removals at once that wait only for ended uploads', async () => {
    // The removal worker does not run.
    const idle = await startRawData({ start: false });
    const names = Array.from({ length: 4 }, () => randomUUID() as string);
    const [announced = '', unknown = '', retried = '', fresh = ''] = names;
    const due = async () => {
      const rows = await idle.query<{ name: string }>('SELECT object_name AS name FROM blob_removal WHERE due <= clock_timestamp()');
      return rows.map(({ name }) => name).sort();
    };
    const writeThere: typeof write = (work) => idle.database.write({ signal: AbortSignal.timeout(5000), statementTimeoutMs: 5000 }, work);
    const hasten = (olderThanMs: number) => writeThere((session) => new BlobRemovalStore(session).hasten(olderThanMs));
    await writeThere(async (session) => {
      const removals = new BlobRemovalStore(session);
      // Ordered two hours ago by an upload that the service still counts as running.
      await removals.order([announced], ANNOUNCED_FOR_MS - 2 * HOUR_MS);
      await removals.order([fresh], ANNOUNCED_FOR_MS);
      await removals.order([unknown], UNKNOWN_OUTCOME_MS - 60_000);
      await removals.order([retried], HOUR_MS / 2);
      await session.query('UPDATE blob_removal SET attempts = 3 WHERE object_name = $1::uuid', [retried]);
    });
    await hasten(DAY_MS);
    expect(await due()).toEqual([retried]);
    await hasten(HOUR_MS);
    expect(await due()).toEqual([announced, retried].sort());
    await hasten(30_000);
    expect(await due()).toEqual([announced, retried, unknown].sort());
    await hasten(0);
    expect(await due()).toEqual([...names].sort());
    await idle.stop();
  });

  it('removes the bytes of a large upload that was interrupted before its row was written', async () => {
    const name = await orphan();
    await write((session) => new BlobRemovalStore(session).order([name], ANNOUNCED_FOR_MS));
    await sweep(true);
    expect(await running.storedNames()).toContain(name);
    await serviceIn(0).sweep({ olderThanMs: 0, delete: true, signal: AbortSignal.timeout(10_000) });
    await onlyFiles();
  });

  const schedule = (sweepService: SweepService) =>
    new SweepSchedule({
      database: running.database,
      sweep: sweepService,
      removeOrphans: false,
      log: createLogger({ service: 'test', level: 'fatal' }),
    });
  const orphans = async (count: number) => Promise.all(Array.from({ length: count }, () => orphan()));
  /** Checks that exactly the bytes of the files are stored. */
  const onlyFiles = async () => {
    const { database, blobs } = running;
    await new BlobRemovalWorker({
      database,
      blobs,
      log: createLogger({ service: 'test', level: 'fatal' }),
      onRemoved: removeUnusedThumbnails,
    }).removeDue();
    await eventually(async () => expect(await running.storedNames()).toHaveLength(3));
  };
  const removed = async (names: readonly string[]) => {
    await write((session) => new BlobRemovalStore(session).order(names));
    await onlyFiles();
  };

  it('removes at the start what a crash can have left', async () => {
    const names = await orphans(64);
    await schedule(serviceIn(0)).removeCrashLeftovers();
    await onlyFiles();
    expect(names).toHaveLength(64);
  });

  it('removes nothing at the start when there are more blobs than a crash can have left', async () => {
    const names = await orphans(65);
    await schedule(serviceIn(0)).removeCrashLeftovers();
    expect(await running.query('SELECT FROM blob_removal')).toEqual([]);
    expect(await running.storedNames()).toEqual(expect.arrayContaining(names));
    await removed(names);
  });

  it('removes no blobs at the start that are older than a recent crash', async () => {
    const names = await orphans(2);
    await schedule(serviceIn(HOUR_MS + 60_000)).removeCrashLeftovers();
    expect(await running.query('SELECT FROM blob_removal')).toEqual([]);
    await schedule(serviceIn(HOUR_MS - 60_000)).removeCrashLeftovers();
    await onlyFiles();
    expect(names).toHaveLength(2);
  });

  it('removes nothing at the start when the database has no files', async () => {
    const empty = await startRawData();
    try {
      const name = await orphan();
      const parts = { blobs: running.blobs, now: () => new Date(), onRemovalOrdered: () => undefined };
      await schedule(new SweepService({ ...parts, database: empty.database })).removeCrashLeftovers();
      expect(await empty.query('SELECT FROM blob_removal')).toEqual([]);
      await removed([name]);
    } finally {
      await empty.stop();
    }
  });

  it('keeps the blobs of thumbnails until their last file is deleted', async () => {
    const [{ md5, lost }] = (await running.query(
      `SELECT encode(md5, 'hex') AS md5, gen_random_uuid()::text AS lost FROM raw_data_object`,
    )) as [{ md5: string; lost: string }];
    const used = await orphan();
    const thumbnail = { mimeType: 'image/png', sizeBytes: 4 };
    expect(await write((session) => new ThumbnailStore(session).add(md5, { ...thumbnail, objectName: used }))).toBe(true);
    expect(await write((session) => new ThumbnailStore(session).add(md5, { ...thumbnail, objectName: lost }))).toBe(false);
    expect(await sweep(true)).toMatchObject({ checkedRows: 4, orphans: { count: 0 }, missing: { count: 0 } });
    // No thumbnail may be added for a deleted file, and the hourly job removes an existing one.
    const deleted = '0'.repeat(32);
    expect(await write((session) => new ThumbnailStore(session).add(deleted, { ...thumbnail, objectName: lost }))).toBe(false);
    await running.query(`UPDATE thumbnail SET md5 = decode($1, 'hex')`, [deleted]);
    const hourly = schedule(serviceIn(0));
    hourly.start();
    await eventually(async () => expect(await running.query('SELECT FROM thumbnail')).toEqual([]));
    await hourly.stop();
    await onlyFiles();
    // Lost bytes of a thumbnail do not count as a lost file.
    expect(await write((session) => new ThumbnailStore(session).add(md5, { ...thumbnail, objectName: lost }))).toBe(true);
    expect((await sweep(true)).missing.count).toBe(0);
    await running.query('DELETE FROM thumbnail');
  });

  it('reports rows without bytes, and deletes none of them', async () => {
    const [row] = await running.query<{ object_name: string }>('SELECT object_name FROM raw_data_object ORDER BY object_name');
    const { object_name: name } = row as { object_name: string };
    await running.blobs.remove([name]);
    expect((await sweep(true)).missing).toEqual({ count: 1, examples: [name] });
    expect(await running.query('SELECT FROM raw_data_object')).toHaveLength(3);
  });

  it('never removes bytes of an existing row, whoever ordered the removal', async () => {
    const [row] = await running.query<{ object_name: string }>('SELECT object_name FROM raw_data_object ORDER BY object_name DESC');
    const { object_name: name } = row as { object_name: string };
    const taken = await write(async (session) => {
      const removals = new BlobRemovalStore(session);
      await removals.order([name]);
      return removals.take(10, 1000);
    });
    expect(taken).toEqual([]);
    expect(await running.query('SELECT FROM blob_removal')).toEqual([]);
  });
});
