import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { backing, describeWith, testBucket } from '@sinebar/testing';
import { Client } from 'minio';
import { AssumeRoleProvider } from 'minio/dist/esm/AssumeRoleProvider.mjs';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { ROOT } from './kubernetes-objects.fixture.ts';

const SCRIPT = join(ROOT, 'infra/docker/prepare-s3.sh');
const PART_BYTES = 5 * 2 ** 20;

/** The policy as the job gives it to the store. */
function policyFor(bucket: string): string {
  const { stdout } = spawnSync('sh', [SCRIPT, 'policy'], { encoding: 'utf8', env: { PATH: process.env['PATH'], S3_BUCKET: bucket } });
  return stdout;
}

describeWith(['s3'], 'policy of infra/docker/prepare-s3.sh', () => {
  const bucket = `${testBucket()}-${randomUUID().slice(0, 8)}`;
  const other = `${bucket}-other`;
  let administrator: Client;
  /** Uses temporary keys with the policy, which a store issues without its administrator interface. */
  let restricted: Client;

  const clientOf = (keys: { accessKey: string; secretKey: string; sessionToken?: string }): Client => {
    const { host, port, useTls } = backing().s3;
    return new Client({ endPoint: host, port, useSSL: useTls, region: 'us-east-1', partSize: PART_BYTES, ...keys });
  };
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'allowed',
      (error: unknown) => (error as { code?: string }).code ?? String(error),
    );

  beforeAll(async () => {
    const { endpoint, accessKey, secretKey } = backing().s3;
    administrator = clientOf({ accessKey, secretKey });
    for (const name of [bucket, other]) await administrator.makeBucket(name, 'us-east-1');
    await administrator.putObject(other, 'raw-data/secret', 'secret');
    const provider = new AssumeRoleProvider({ stsEndpoint: endpoint, accessKey, secretKey, policy: policyFor(bucket) });
    const keys = await provider.getCredentials();
    restricted = clientOf({
      accessKey: keys.accessKey,
      secretKey: keys.secretKey,
      ...(keys.sessionToken !== undefined && { sessionToken: keys.sessionToken }),
    });
  });

  afterAll(async () => {
    for (const name of [bucket, other]) {
      const keys: string[] = [];
      for await (const { name: key } of administrator.listObjectsV2(name, '', true)) if (typeof key === 'string') keys.push(key);
      await administrator.removeObjects(name, keys);
      await administrator.removeBucket(name);
    }
  });

  describe('allows in the bucket of raw-data', () => {
    it('to check that it exists', async () => {
      expect(await restricted.bucketExists(bucket)).toBe(true);
    });

    it('to write by a presigned address, and to read', async () => {
      const address = await restricted.presignedPutObject(bucket, 'raw-data/one', 60);
      expect((await fetch(address, { method: 'PUT', body: 'ground' })).status).toBe(200);
      expect(await text(await restricted.getPartialObject(bucket, 'raw-data/one', 2, 4))).toBe('ound');
    });

    it('to write in parts', async () => {
      expect(await codeOf(restricted.putObject(bucket, 'raw-data/large', Buffer.alloc(PART_BYTES + 1)))).toBe('allowed');
    });

    it('to abort an interrupted upload', async () => {
      const upload = await restricted.initiateNewMultipartUpload(bucket, 'raw-data/broken', {});
      expect(await restricted.findUploadId(bucket, 'raw-data/broken')).toBe(upload);
      await restricted.abortMultipartUpload(bucket, 'raw-data/broken', upload);
      expect(await restricted.findUploadId(bucket, 'raw-data/broken')).toBeUndefined();
    });

    it('to list and to remove', async () => {
      await restricted.putObject(bucket, 'raw-data/removed', 'removed');
      await restricted.removeObjects(bucket, ['raw-data/removed']);
      const page = await restricted.listObjectsV2Query(bucket, 'raw-data/', '', '', 1000, '');
      expect(page.objects.map(({ name }) => name)).not.toContain('raw-data/removed');
    });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['to read another bucket', () => restricted.getObject(other, 'raw-data/secret')],
    ['to list another bucket', () => restricted.listObjectsV2Query(other, '', '', '', 10, '')],
    ['to write into another bucket', () => restricted.putObject(other, 'x', 'x')],
    ['to make a bucket', () => restricted.makeBucket(`${bucket}-new`, 'us-east-1')],
    ['to remove its bucket', () => restricted.removeBucket(bucket)],
    ['to change who may use its bucket', () => restricted.setBucketPolicy(bucket, '')],
  ])('refuses %s', async (_, attempt) => {
    expect(await codeOf(attempt())).toBe('AccessDenied');
  });
});
