import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { backing, cuttableProxy, describeWith, testBucket } from '@sinebar/testing';
import { Client } from 'minio';
import { BlobMissingError } from './blob-store.ts';
import { describeBlobStore } from './blob-store.fixture.ts';
import { s3Stores } from './s3-stores.fixture.ts';

/** Larger objects are uploaded in parts of 16 MiB. */
const IN_PARTS_ABOVE = 4 * 2 ** 20;

describeWith(['s3'], 'S3BlobStore', () => {
  const open = s3Stores();

  describe('with objects in one request', () => describeBlobStore(() => open()));
  describe('with objects in parts', () => describeBlobStore(() => open(undefined, { largestPutBytes: IN_PARTS_ABOVE })));

  it('refuses bytes that do not match the MD5, and keeps none', async () => {
    const store = await open();
    const folder = await mkdtemp(join(tmpdir(), 'sinebar-s3-'));
    const path = join(folder, 'x');
    await writeFile(path, 'other');
    const name = randomUUID();
    const put = store.put(name, path, 5, createHash('md5').update('bytes').digest('hex'));
    await expect(put).rejects.toMatchObject({ status: 503, cause: { code: 'BadDigest' } });
    await expect(store.get(name, undefined, AbortSignal.timeout(5000))).rejects.toThrow(BlobMissingError);
    await store.put(name, path, 5, createHash('md5').update('other').digest('hex'));
    await rm(folder, { recursive: true });
  });

  it('uses an existing bucket and keeps its other objects', async () => {
    const bucket = testBucket();
    await open(bucket);
    const store = await open(bucket);
    const { host, port, useTls, accessKey, secretKey } = backing().s3;
    const other = new Client({ endPoint: host, port, useSSL: useTls, accessKey, secretKey, region: 'us-east-1' });
    for (const key of ['notes.txt', randomUUID(), 'raw-data/readme.txt', 'raw-data-old/x']) await other.putObject(bucket, key, 'x');
    for await (const entry of store.list()) throw new Error(`listed ${entry.name}`);
  });

  it('lists more than one page', async () => {
    const store = await open();
    const folder = await mkdtemp(join(tmpdir(), 'sinebar-s3-'));
    const path = join(folder, 'x');
    await writeFile(path, 'x');
    const names = Array.from({ length: 1005 }, () => randomUUID()).sort();
    for (let i = 0; i < names.length; i += 50) await Promise.all(names.slice(i, i + 50).map((name) => store.put(name, path, 1)));
    const listed: string[] = [];
    for await (const { name } of store.list()) listed.push(name);
    expect(listed).toEqual(names);
    await rm(folder, { recursive: true });
  }, 120_000);

  it.each([
    ['in one request', undefined],
    ['in parts', IN_PARTS_ABOVE],
  ])('answers 503 when the store is lost in an upload %s, and leaves no partial upload', async (_how, largestPutBytes) => {
    const { host, port } = backing().s3;
    const proxy = await cuttableProxy(host, port);
    const bucket = testBucket();
    const direct = await open(bucket);
    const endpoint = `http://127.0.0.1:${proxy.port}`;
    const store = await open(bucket, { endpoint, ...(largestPutBytes !== undefined && { largestPutBytes }) });
    const folder = await mkdtemp(join(tmpdir(), 'sinebar-s3-'));
    const path = join(folder, 'x');
    await writeFile(path, randomBytes(33 * 2 ** 20));
    const name = randomUUID();
    const upload = store.put(name, path, 33 * 2 ** 20);
    setTimeout(() => proxy.cut(), 20);
    await expect(upload).rejects.toMatchObject({ status: 503 });
    expect(await store.health()).toMatchObject({ healthy: false });
    await expect(store.get(name, undefined, AbortSignal.timeout(5000))).rejects.toMatchObject({ status: 503 });
    // `remove` finds the parts that `put` could not remove, although no listing contains them.
    await direct.remove([name]);
    const { accessKey, secretKey, useTls } = backing().s3;
    const client = new Client({ endPoint: host, port, useSSL: useTls, accessKey, secretKey, region: 'us-east-1' });
    expect(await client.findUploadId(bucket, `raw-data/${name}`)).toBeUndefined();
    await proxy.close();
    await rm(folder, { recursive: true });
  });
});
