import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defaultRunsFolder, findProgram, openRunFolder, ProgramMissingError, startVersitygw, VERSITYGW } from '@sinebar/local-servers';
import { describeUnless } from '@sinebar/testing';
import { BlobMissingError } from './blob-store.ts';
import { describeBlobStore } from './blob-store.fixture.ts';
import { S3BlobStore, type S3Options } from './s3-blob-store.ts';

/** Larger objects are uploaded in parts of 16 MiB. */
const IN_PARTS_ABOVE = 4 * 2 ** 20;
const program = await findProgram(VERSITYGW, { environment: process.env, onProgress: (line) => process.stderr.write(`${line}\n`) }).catch(
  (error: unknown) => {
    if (!(error instanceof ProgramMissingError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return undefined;
  },
);

describeUnless(program === undefined ? 'no versitygw; Go builds it' : undefined, 'S3BlobStore on Versity S3 Gateway', () => {
  let started: Awaited<ReturnType<typeof startVersitygw>>;
  let removeFolder: () => void;
  const stores: S3BlobStore[] = [];

  beforeAll(async () => {
    const folder = await openRunFolder(defaultRunsFolder());
    removeFolder = () => folder.remove();
    started = await startVersitygw(folder, program ?? '');
  });
  afterAll(async () => {
    for (const store of stores) store.close();
    await started?.server.stop();
    removeFolder?.();
  });

  const open = async (options: Partial<S3Options> = {}): Promise<S3BlobStore> => {
    const { endpoint, accessKey, secretKey } = started;
    const bucket = `files-${randomUUID()}`;
    const store = new S3BlobStore({ endpoint, region: 'us-east-1', bucket, accessKey, secretKey, ...options });
    stores.push(store);
    await store.prepare();
    return store;
  };

  describe('with objects in one request', () => describeBlobStore(() => open()));
  describe('with objects in parts', () => describeBlobStore(() => open({ largestPutBytes: IN_PARTS_ABOVE })));

  it('refuses bytes that do not match the MD5, and keeps none', async () => {
    const store = await open();
    const folder = await mkdtemp(join(tmpdir(), 'sinebar-versitygw-'));
    const path = join(folder, 'x');
    await writeFile(path, 'other');
    const name = randomUUID();
    const put = store.put(name, path, 5, createHash('md5').update('bytes').digest('hex'));
    await expect(put).rejects.toMatchObject({ status: 503, cause: { code: 'BadDigest' } });
    await expect(store.get(name, undefined, AbortSignal.timeout(5000))).rejects.toThrow(BlobMissingError);
    await rm(folder, { recursive: true });
  });
});
