import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { S3BlobStore } from './s3-blob-store.ts';

const SIZE = 8 * 2 ** 20;

/** A fake S3 store whose answer to `Expect: 100-continue` the test chooses. */
describe('upload to an S3 store', () => {
  let store: S3BlobStore;
  let path: string;
  let folder: string;
  let received = 0;
  let onAsked: RequestListener = () => undefined;
  const server = createServer((_, response) => response.writeHead(404).end());
  server.on('checkContinue', (request, response) => {
    request.on('data', (bytes: Buffer) => (received += bytes.length));
    onAsked(request, response);
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    store = new S3BlobStore({ endpoint, region: 'us-east-1', bucket: 'files', accessKey: 'a', secretKey: 's' });
    folder = await mkdtemp(join(tmpdir(), 'sinebar-refusing-'));
    path = join(folder, 'file');
    await writeFile(path, Buffer.alloc(SIZE, 'x'));
  });
  afterAll(async () => {
    store.close();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });

  const put = () => {
    received = 0;
    return store.put(randomUUID(), path, SIZE);
  };

  it('sends no body when the store is full', async () => {
    onAsked = (_, response) => response.writeHead(507).end('<Error><Code>XMinioStorageFull</Code></Error>');
    await expect(put()).rejects.toMatchObject({ status: 503, code: 'OutOfStorage', retryAfterSeconds: 60 });
    expect(received).toBe(0);
  });

  it.each([
    [507, 'SomethingElse'],
    [400, 'XMinioAdminBucketQuotaExceeded'],
    [403, 'QuotaExceeded'],
  ])('recognises a full store by the answer %i %s', async (status, code) => {
    onAsked = (_, response) => response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
    await expect(put()).rejects.toMatchObject({ status: 503, code: 'OutOfStorage' });
  });

  it('fails when the store refuses the file before the body, whatever the text of the answer', async () => {
    onAsked = (_, response) => response.writeHead(200).end();
    await expect(put()).rejects.toMatchObject({ status: 503, code: 'Unavailable' });
  });

  it('fails when the store refuses the file during the body', async () => {
    onAsked = (request, response) => {
      response.writeContinue();
      request.once('data', () => response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>'));
    };
    await expect(put()).rejects.toMatchObject({ status: 503, code: 'Unavailable' });
  });

  it('sends the body when the store asks for it, or does not support Expect', async () => {
    for (const knows of [true, false]) {
      onAsked = (request, response) => {
        if (knows) response.writeContinue();
        request.on('end', () => response.writeHead(200).end());
      };
      await put();
      expect([knows, received]).toEqual([knows, SIZE]);
    }
  });

  it('succeeds when the store answers the last byte and closes the connection at once', async () => {
    onAsked = (request, response) => {
      response.writeContinue();
      request.on('data', () => received === SIZE && response.writeHead(200, { Connection: 'close' }).end());
    };
    // The answer and the end of the file arrive in any order.
    for (let i = 0; i < 40; i += 1) await put();
  });
});
