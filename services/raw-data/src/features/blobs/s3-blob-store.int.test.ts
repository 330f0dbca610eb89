import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { backing, cuttableProxy, describeWith, testBucket } from '@sinebar/testing';
import { Client } from 'minio';
import { describeBlobStore } from './blob-store.test-case.js';
import { s3Stores } from './s3-stores.test-case.js';

describeWith(['s3'], 'S3BlobStore', () => {
  const open = s3Stores();

  describeBlobStore(() => open());

  it('takes over a bucket that is there, and leaves alone what else is in it', async () => {
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

  it('answers "unavailable" when the store cannot be reached, and leaves no half upload behind', async () => {
    const { host, port } = backing().s3;
    const proxy = await cuttableProxy(host, port);
    const bucket = testBucket();
    const direct = await open(bucket);
    const store = await open(bucket, `http://127.0.0.1:${proxy.port}`);
    const folder = await mkdtemp(join(tmpdir(), 'sinebar-s3-'));
    const path = join(folder, 'x');
    await writeFile(path, randomBytes(33 * 2 ** 20));
    const name = randomUUID();
    const upload = store.put(name, path, 33 * 2 ** 20);
    setTimeout(() => proxy.cut(), 60);
    await expect(upload).rejects.toMatchObject({ status: 503 });
    expect(await store.health()).toMatchObject({ healthy: false });
    await expect(store.get(name, undefined, AbortSignal.timeout(5000))).rejects.toMatchObject({ status: 503 });
    // What `put` could not clean up itself, `remove` finds, though no listing shows it.
    await direct.remove([name]);
    const { accessKey, secretKey, useTls } = backing().s3;
    const client = new Client({ endPoint: host, port, useSSL: useTls, accessKey, secretKey, region: 'us-east-1' });
    expect(await client.findUploadId(bucket, `raw-data/${name}`)).toBeUndefined();
    await proxy.close();
    await rm(folder, { recursive: true });
  });
});
