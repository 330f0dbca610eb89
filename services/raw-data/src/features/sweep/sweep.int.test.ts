import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWith, eventually } from '@sinebar/testing';
import request from 'supertest';
import { startRawData, type RunningRawData } from '../../running-raw-data.test-case.js';
import { BlobRemovalStore } from '../blobs/blob-removal-store.js';
import { SweepService } from './sweep-service.js';

const DAY_MS = 24 * 3600 * 1000;

describeWith(['postgres'], 'the sweep', () => {
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

  const later = () =>
    new SweepService({
      database: running.database,
      blobs: running.blobs,
      now: () => new Date(Date.now() + 2 * DAY_MS),
      onRemovalOrdered: () => (ordered += 1),
    });
  const sweep = (remove: boolean, service = later()) =>
    service.sweep({ olderThanMs: DAY_MS, delete: remove, signal: AbortSignal.timeout(10_000) });
  const orphan = async () => {
    const path = join(folder, 'x');
    await writeFile(path, 'four');
    const name = randomUUID();
    await running.blobs.put(name, path, 4);
    return name;
  };

  it('finds nothing where both sides agree', async () => {
    expect(await sweep(true)).toEqual({
      checkedObjects: 3,
      checkedRows: 3,
      orphans: { count: 0, sizeBytes: 0, examples: [] },
      missing: { count: 0, examples: [] },
    });
  });

  it('reports objects without a row, and removes them only when told to', async () => {
    const names = [await orphan(), await orphan()].sort();
    const young = new SweepService({
      database: running.database,
      blobs: running.blobs,
      now: () => new Date(),
      onRemovalOrdered: () => undefined,
    });
    expect((await sweep(true, young)).orphans.count).toBe(0);
    expect((await sweep(false)).orphans).toEqual({ count: 2, sizeBytes: 8, examples: names });
    expect(await running.storedNames()).toHaveLength(5);
    expect((await sweep(true)).orphans.count).toBe(2);
    expect(ordered).toBe(1);
    await eventually(async () => expect(await running.storedNames()).toHaveLength(3));
  });

  it('leaves objects alone whose removal is somebody else’s', async () => {
    const name = await orphan();
    await running.database.write({ signal: AbortSignal.timeout(5000), statementTimeoutMs: 5000 }, (session) =>
      new BlobRemovalStore(session).order([name], DAY_MS),
    );
    expect((await sweep(true)).orphans.count).toBe(0);
    await running.query('DELETE FROM blob_removal');
    await running.blobs.remove([name]);
  });

  it('reports rows whose bytes are gone, and deletes none of them', async () => {
    const [row] = await running.query<{ object_name: string }>('SELECT object_name FROM raw_data_object ORDER BY object_name');
    const { object_name: name } = row as { object_name: string };
    await running.blobs.remove([name]);
    expect((await sweep(true)).missing).toEqual({ count: 1, examples: [name] });
    expect(await running.query('SELECT FROM raw_data_object')).toHaveLength(3);
  });

  it('never removes bytes that a row refers to, whoever orders it', async () => {
    const [row] = await running.query<{ object_name: string }>('SELECT object_name FROM raw_data_object ORDER BY object_name DESC');
    const { object_name: name } = row as { object_name: string };
    const taken = await running.database.write({ signal: AbortSignal.timeout(5000), statementTimeoutMs: 5000 }, async (session) => {
      const removals = new BlobRemovalStore(session);
      await removals.order([name]);
      return removals.take(10, 1000);
    });
    expect(taken).toEqual([]);
    expect(await running.query('SELECT FROM blob_removal')).toEqual([]);
  });
});
