import { afterAll } from '@jest/globals';
import { backing, testBucket } from '@sinebar/testing';
import { S3BlobStore, type S3Options } from './s3-blob-store.ts';

/** Opens stores on the S3 server of the tests, by default on a new bucket each, and closes them at the end. */
export function s3Stores(): (bucket?: string, options?: Partial<S3Options>) => Promise<S3BlobStore> {
  const stores: S3BlobStore[] = [];
  afterAll(() => stores.forEach((store) => store.close()));
  return async (bucket = testBucket(), options = {}) => {
    const { endpoint, accessKey, secretKey } = backing().s3;
    const store = new S3BlobStore({ endpoint, region: 'us-east-1', bucket, accessKey, secretKey, ...options });
    stores.push(store);
    await store.prepare();
    return store;
  };
}
