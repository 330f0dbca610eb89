import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';

/** Only root mounts file systems. */
const asRoot = process.platform === 'linux' && process.getuid?.() === 0 ? it : it.skip;
const DISK_BYTES = 2 ** 20;
const FILE = ['K0100 1', 'K1001/1 4711', 'K2002/1 Diameter', '20.01', ''].join('\r\n');

describeWith(['postgres'], 'the spool of imported files', () => {
  let disk: string;
  const runs: RunningInspection[] = [];
  const start = async (spoolFolder: string) => {
    const running = await startInspection({}, spoolFolder);
    runs.push(running);
    return running;
  };
  const send = (running: RunningInspection, body: Buffer | string) =>
    request(running.server)
      .post('/exchangeServiceRest/imports?format=aqdef&partPath=/line')
      .set('Content-Type', 'text/plain')
      .serialize((bytes: unknown) => bytes as string)
      .send(body);

  beforeAll(async () => {
    disk = await mkdtemp(join(tmpdir(), 'sinebar-import-disk-'));
    if (asRoot === it) spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', disk], { stdio: 'inherit' });
  });
  afterAll(async () => {
    for (const running of runs) await running.stop();
    if (asRoot === it) spawnSync('umount', [disk], { stdio: 'inherit' });
    await rm(disk, { recursive: true, force: true });
  });

  asRoot('that is full refuses a file with 503 and Retry-After, keeps nothing of it, and takes one that fits [D10.7, D10.11]', async () => {
    const folder = join(disk, 'spool');
    const running = await start(folder);
    const refused = await send(running, randomBytes(2 * DISK_BYTES));
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('60');
    expect(refused.body).toMatchObject({ ExceptionType: 'OutOfStorage' });
    expect(await readdir(folder)).toEqual([]);
    expect((await send(running, FILE)).status).toBe(201);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is emptied of the files of an ended process at the start [D10.11]', async () => {
    const folder = join(await mkdtemp(join(tmpdir(), 'sinebar-import-spool-')), 'spool');
    const { pid } = spawnSync(process.execPath, ['--version']);
    const running = await start(folder);
    const uploading = request(running.server).post('/exchangeServiceRest/imports?format=aqdef').set('Content-Type', 'text/plain');
    uploading.write('K0100 1');
    const before = await namesIn(folder, 1);
    const ended = (before[0] as string).replace(/\.\d+\./, `.${pid}.`).replace(/[^.]*\.upload$/, `${randomUUID()}.upload`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, ended), 'K0100 1');
    await start(folder);
    // The running process keeps its file.
    expect(await readdir(folder)).toEqual(before);
    uploading.abort();
    await namesIn(folder, 0);
    await rm(folder, { recursive: true });
  });
});

/** Waits until the folder has a number of files. */
async function namesIn(folder: string, count: number): Promise<string[]> {
  for (;;) {
    const names = await readdir(folder).catch(() => []);
    if (names.length === count) return names;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}
