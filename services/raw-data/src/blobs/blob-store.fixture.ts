import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BlobMissingError, type BlobStore } from './blob-store.ts';

const MIB = 2 ** 20;

export function describeBlobStore(open: () => Promise<BlobStore>): void {
  describe('as a blob store', () => {
    let store: BlobStore;
    let folder: string;
    const signal = () => AbortSignal.timeout(20_000);

    beforeAll(async () => {
      store = await open();
      folder = await mkdtemp(join(tmpdir(), 'sinebar-blob-test-'));
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    const put = async (bytes: Buffer, name: string = randomUUID()): Promise<string> => {
      const path = join(folder, randomUUID());
      await writeFile(path, bytes);
      await store.put(name, path, bytes.length);
      await rm(path);
      return name;
    };

    it.each([0, 1, 5000])('gives back %i bytes', async (size) => {
      const bytes = randomBytes(size);
      const name = await put(bytes);
      expect(await read(await store.get(name, undefined, signal()))).toEqual(bytes);
    });

    it('gives back 40 MiB, whole and in ranges', async () => {
      const bytes = randomBytes(40 * MIB);
      const name = await put(bytes);
      const whole = await store.get(name, undefined, signal());
      const hash = createHash('md5');
      for await (const chunk of whole) hash.update(chunk as Buffer);
      expect(hash.digest('hex')).toBe(createHash('md5').update(bytes).digest('hex'));
      for (const [first, last] of [
        [0, 0],
        [16 * MIB - 3, 16 * MIB + 3],
        [40 * MIB - 5, 40 * MIB - 1],
      ] as const) {
        expect(await read(await store.get(name, { first, last }, signal()))).toEqual(bytes.subarray(first, last + 1));
      }
    });

    it('says that an object is missing', async () => {
      await expect(store.get(randomUUID(), undefined, signal())).rejects.toThrow(BlobMissingError);
      await expect(store.get(randomUUID(), { first: 3, last: 4 }, signal())).rejects.toThrow(BlobMissingError);
    });

    it('refuses a file of another size than announced, and keeps nothing of it', async () => {
      const path = join(folder, 'short');
      await writeFile(path, 'abc');
      const name = randomUUID();
      await expect(store.put(name, path, 4)).rejects.toThrow('expected 4 bytes, found 3');
      await expect(store.get(name, undefined, signal())).rejects.toThrow(BlobMissingError);
    });

    it('leaves nothing behind when the file to store is not there', async () => {
      const name = randomUUID();
      await expect(store.put(name, join(folder, 'never-written'), 4)).rejects.toThrow('ENOENT');
      await expect(store.get(name, undefined, signal())).rejects.toThrow(BlobMissingError);
    });

    it('ends a download in its middle when it is aborted', async () => {
      const name = await put(randomBytes(20 * MIB));
      const controller = new AbortController();
      const stream = await store.get(name, undefined, controller.signal);
      let received = 0;
      const drained = (async () => {
        for await (const chunk of stream) {
          received += (chunk as Buffer).length;
          if (received > MIB) controller.abort();
        }
      })();
      await expect(drained).rejects.toThrow('aborted');
      expect(stream.destroyed).toBe(true);
      expect(received).toBeLessThan(20 * MIB);
      await expect(store.get(name, undefined, controller.signal)).rejects.toThrow('aborted');
    });

    it('removes objects, also those that are not there', async () => {
      const kept = await put(Buffer.from('kept'));
      const removed = [await put(Buffer.from('a')), await put(Buffer.from('b'))];
      await store.remove([...removed, randomUUID()]);
      await store.remove([]);
      for (const name of removed) await expect(store.get(name, undefined, signal())).rejects.toThrow(BlobMissingError);
      expect(await read(await store.get(kept, undefined, signal()))).toEqual(Buffer.from('kept'));
    });

    it('refuses names that are no uuids', async () => {
      await expect(store.get('../../etc/passwd', undefined, signal())).rejects.toThrow('not the name of an object');
    });

    it('lists all objects in the order of their names, from any place', async () => {
      const before = Date.now();
      const names: string[] = [];
      for (let i = 0; i < 40; i += 1) names.push(await put(Buffer.from(`object ${i}`)));
      const listed = [];
      for await (const entry of store.list()) listed.push(entry);
      const all = listed.map(({ name }) => name);
      expect(all).toEqual([...all].sort());
      expect(all).toEqual(expect.arrayContaining(names));
      const one = listed.find(({ name }) => name === names[3]);
      expect(one).toMatchObject({ sizeBytes: 8 });
      expect(Math.abs((one as { modified: Date }).modified.getTime() - before)).toBeLessThan(60_000);
      const middle = all[Math.floor(all.length / 2)] as string;
      const rest: string[] = [];
      for await (const { name } of store.list(middle)) rest.push(name);
      expect(rest).toEqual(all.slice(all.indexOf(middle) + 1));
    });

    it('is healthy', async () => {
      expect(await store.health()).toMatchObject({ healthy: true });
    });
  });
}

async function read(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
