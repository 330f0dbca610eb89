import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pause } from '@sinebar/concurrency';
import { Spool } from './spool.ts';

describe('spool', () => {
  let folder: string;
  let spool: Spool;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sinebar-spool-'));
    spool = new Spool(folder);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const signal = new AbortController().signal;
  const receive = (source: Readable, limitBytes?: number, on = signal) => spool.receive(source, { limitBytes, signal: on });

  it('writes all bytes in order, whatever the sizes of the chunks', async () => {
    const pieces = Array.from({ length: 300 }, (_, i) => randomBytes((i * 7919) % 50_000));
    const bytes = Buffer.concat(pieces);
    const file = await receive(Readable.from(pieces, { objectMode: false }));
    expect(file).toMatchObject({ sizeBytes: bytes.length, md5: createHash('md5').update(bytes).digest('hex') });
    expect((await readFile(file.path)).equals(bytes)).toBe(true);
    await file.discard();
    await file.discard();
    expect(await readdir(folder)).toEqual([]);
  });

  it('accepts as many bytes as the limit and no more', async () => {
    expect(await receive(Readable.from([Buffer.from('1234')]), 4)).toMatchObject({ sizeBytes: 4 });
    await expect(receive(Readable.from([Buffer.from('123'), Buffer.from('45')]), 4)).rejects.toMatchObject({ status: 413 });
    expect(await readdir(folder)).toHaveLength(1);
  });

  describe('with a quota', () => {
    const QUOTA = 4 * 2 ** 20;
    const quoted = () => new Spool(folder, { quotaBytes: QUOTA });
    const open = { limitBytes: undefined, signal };

    it('accepts a file as large as the quota', async () => {
      expect(await quoted().receive(Readable.from([randomBytes(QUOTA)]), open)).toMatchObject({ sizeBytes: QUOTA });
    });

    it.each([
      ['announced', { ...open, announcedBytes: QUOTA + 1 }, 0],
      ['not announced', open, QUOTA + 1],
    ])('refuses a file above the quota as too large, %s', async (_, options, sizeBytes) => {
      const received = quoted().receive(Readable.from([randomBytes(sizeBytes)]), options);
      await expect(received).rejects.toMatchObject({ status: 413, message: expect.stringContaining('SINEBAR_SPOOL_BYTES') });
      expect(await readdir(folder)).toEqual([]);
    });

    it.each([
      ['announced', { ...open, announcedBytes: QUOTA / 2 }],
      ['not announced', open],
    ])('answers 503 while other files fill the quota, %s', async (_, options) => {
      const spool = quoted();
      const other = await spool.receive(Readable.from([randomBytes(QUOTA - 10)]), open);
      const received = () => spool.receive(Readable.from([randomBytes(QUOTA / 2)]), options);
      await expect(received()).rejects.toMatchObject({
        status: 503,
        retryAfterSeconds: 10,
        message: expect.stringContaining('SINEBAR_SPOOL_BYTES'),
      });
      await other.discard();
      expect(await received()).toMatchObject({ sizeBytes: QUOTA / 2 });
    });
  });

  it.each([0o000, 0o022])('hides its files from other accounts, with the umask %i', async (umask) => {
    const before = process.umask(umask);
    const spool = new Spool(join(folder, 'inner'));
    await spool.prepare(new Date());
    const { path } = await spool.receive(Readable.from([Buffer.from('x')]), { limitBytes: undefined, signal });
    process.umask(before);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'inner'))).mode & 0o777).toBe(0o700);
  });

  it('removes access of others from its folder', async () => {
    await chmod(folder, 0o777);
    await spool.prepare(new Date());
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['fails', (source: PassThrough) => source.destroy(new Error('broken'))],
    ['closes', (source: PassThrough) => source.destroy()],
  ])('keeps nothing of a stream that %s', async (_, end) => {
    const source = new PassThrough();
    const received = receive(source);
    source.write(randomBytes(3 * 2 ** 20));
    while (spool.usage.receiving !== 1) await pause(1);
    end(source);
    await expect(received).rejects.toMatchObject({ code: 'IncompleteBody' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('keeps nothing when it is aborted before or during the write', async () => {
    const controller = new AbortController();
    const source = new PassThrough();
    const received = receive(source, undefined, controller.signal);
    source.write('x');
    while (spool.usage.bytes !== 1) await pause(1);
    controller.abort(new Error('the client is gone'));
    await expect(received).rejects.toThrow('the client is gone');
    await expect(receive(Readable.from(['x']), undefined, controller.signal)).rejects.toThrow('the client is gone');
    expect(await readdir(folder)).toEqual([]);
  });

  it('refuses a stream that ended before it was read', async () => {
    const source = new PassThrough();
    source.on('error', () => undefined);
    source.destroy();
    await expect(receive(source)).rejects.toMatchObject({ code: 'IncompleteBody' });
  });

  it('creates its folder again when it was removed', async () => {
    await rm(folder, { recursive: true });
    expect(await receive(Readable.from([Buffer.from('x')]))).toMatchObject({ sizeBytes: 1 });
  });

  it('removes only what a crash left', async () => {
    for (const name of ['old.upload', 'young.upload', 'old.txt']) await writeFile(join(folder, name), 'x');
    const yesterday = new Date(Date.now() - 25 * 3600 * 1000);
    for (const name of ['old.upload', 'old.txt']) await utimes(join(folder, name), yesterday, yesterday);
    await spool.prepare(new Date());
    expect((await readdir(folder)).sort()).toEqual(['old.txt', 'young.upload']);
    await new Spool(folder, { isShared: false }).prepare(new Date());
    expect(await readdir(folder)).toEqual(['old.txt']);
  });

  describe('shared with a process that has another host', () => {
    const MINUTE_MS = 60_000;
    const inMinutes = (count: number) => new Date(Date.now() + count * MINUTE_MS);
    const other = () => new Spool(folder, { owner: { prefix: 'other.', hasEnded: () => false } });

    it('keeps the files that the process touches, for as long as it needs them', async () => {
      const file = await receive(Readable.from([Buffer.from('x')]));
      for (let minute = 1; minute <= 30; minute += 1) {
        await spool.touch(inMinutes(minute));
        await other().prepare(inMinutes(minute));
      }
      expect(await readFile(file.path, 'utf8')).toBe('x');
    });

    it('removes the files of a process that touches them no longer', async () => {
      await receive(Readable.from([Buffer.from('x')]));
      await other().prepare(inMinutes(9));
      expect(await readdir(folder)).toHaveLength(1);
      await other().prepare(inMinutes(11));
      expect(await readdir(folder)).toEqual([]);
    });

    it('does not touch files that were discarded', async () => {
      const file = await receive(Readable.from([Buffer.from('x')]));
      await file.discard();
      await spool.touch(new Date());
      expect(await readdir(folder)).toEqual([]);
    });
  });
});
