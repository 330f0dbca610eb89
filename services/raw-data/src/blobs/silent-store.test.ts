import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { S3BlobStore } from './s3-blob-store.ts';

/** A fake S3 store that accepts requests and then stops answering. */
describe('an S3 store that stops answering', () => {
  let store: S3BlobStore;
  let patient: S3BlobStore;
  let folder: string;
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer((request, response) => {
    request.resume();
    answer(request, response);
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const endpoint = `http://127.0.0.1:${port}`;
    const options = { endpoint, region: 'us-east-1', bucket: 'files', accessKey: 'a', secretKey: 's' };
    store = new S3BlobStore({ ...options, silenceMs: 300 });
    // Where an answer must begin within the time-out, also on a busy machine.
    patient = new S3BlobStore({ ...options, silenceMs: 2_000 });
    folder = await mkdtemp(join(tmpdir(), 'sinebar-silent-'));
  });
  afterAll(async () => {
    store.close();
    patient.close();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });

  const signal = () => new AbortController().signal;
  const unavailable = { status: 503, code: 'Unavailable', cause: { message: 'the store was silent for 0.3 s' } };

  it.each([
    ['a download', () => store.get(randomUUID(), undefined, signal())],
    ['a range', () => store.get(randomUUID(), { first: 0, last: 9 }, signal())],
    ['a removal', () => store.remove([randomUUID()])],
    ['a listing', () => store.list()[Symbol.asyncIterator]().next()],
    ['a start', () => store.prepare()],
    [
      'an upload',
      async () => {
        const path = join(folder, randomUUID());
        await writeFile(path, 'four');
        await store.put(randomUUID(), path, 4);
      },
    ],
  ])('fails %s after the time-out', async (_, ask: () => Promise<unknown>) => {
    answer = () => undefined;
    await expect(ask()).rejects.toMatchObject(unavailable);
  });

  it('is unhealthy', async () => {
    answer = () => undefined;
    expect(await store.health()).toMatchObject({ healthy: false });
  });

  it('aborts a download in progress', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'Content-Length': '1000', 'Last-Modified': new Date(0).toUTCString() });
      response.write('begun');
    };
    const source = await patient.get(randomUUID(), undefined, signal());
    await expect(buffer(source)).rejects.toThrow();
    expect(source.destroyed).toBe(true);
  });
});
