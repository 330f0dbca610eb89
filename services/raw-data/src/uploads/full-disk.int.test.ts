import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { startRawData, type RunningRawData } from '../running-raw-data.fixture.ts';
import { FileBlobStore } from '../blobs/file-blob-store.ts';

/** Only root mounts file systems. */
const asRoot = process.platform === 'linux' && process.getuid?.() === 0 ? it : it.skip;
const DISK_BYTES = 2 ** 20;

describeWith(['postgres'], 'a full disk', () => {
  let disk: string;
  const runs: RunningRawData[] = [];
  beforeAll(async () => {
    disk = await mkdtemp(join(tmpdir(), 'sinebar-full-disk-'));
    if (asRoot === it) spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', disk], { stdio: 'inherit' });
  });
  afterAll(async () => {
    for (const running of runs) await running.stop();
    if (asRoot === it) spawnSync('umount', [disk], { stdio: 'inherit' });
    await rm(disk, { recursive: true, force: true });
  });

  const upload = async (running: RunningRawData, sizeBytes: number) => {
    const part = await running.inspection.create('pbox/');
    return request(running.server)
      .post(`/rawDataServiceRest/rawData/part/${part}`)
      .set({ 'Content-Disposition': '"a.bin"', 'Content-Type': 'application/octet-stream' })
      .send(randomBytes(sizeBytes));
  };
  const start = async (options: Parameters<typeof startRawData>[0]) => {
    const running = await startRawData(options);
    runs.push(running);
    return running;
  };

  asRoot.each([
    ['the spool', () => start({ spoolFolder: join(disk, 'spool') })],
    [
      'the folder for files',
      async () => {
        const store = new FileBlobStore(join(disk, 'files'));
        await store.prepare(new Date(), true);
        return start({ blobs: () => store });
      },
    ],
  ])('of %s refuses a file with 503 and Retry-After, keeps nothing of it, and takes one that fits', async (_, open) => {
    const running = await open();
    const refused = await upload(running, 2 * DISK_BYTES);
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('60');
    expect(refused.body).toMatchObject({ ExceptionType: 'OutOfStorage' });
    expect((await upload(running, DISK_BYTES / 4)).status).toBe(201);
  });
});
