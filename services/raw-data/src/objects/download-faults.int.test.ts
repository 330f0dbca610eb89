import { randomBytes } from 'node:crypto';
import { truncate } from 'node:fs/promises';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { RawDataInformation } from '@sinebar/contracts';
import { backing, cuttableProxy, describeWith, eventually, testBucket, type BackingService, type CuttableProxy } from '@sinebar/testing';
import request from 'supertest';
import { startRawData, type RunningRawData } from '../running-raw-data.fixture.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { S3BlobStore } from '../blobs/s3-blob-store.ts';

const FILE = '/rawDataServiceRest/rawData/part';
/** Larger than all buffers, so that a client that does not read stops the stream. */
const SIZE = 32 * 2 ** 20;
const BYTES = randomBytes(SIZE);
/** Fewer than the connections of the service to the store. */
const CLIENTS = 40;

/** A store whose open downloads can be counted and broken. */
interface Fixture {
  store: (files: BlobStore) => BlobStore;
  /** Connections or files that are open for downloads. */
  open: () => number;
  /** Stops the store while it sends the object. */
  breakOff: (folder: string, objectName: string) => Promise<void>;
  mend: () => void;
  close: () => Promise<void>;
}

async function s3(): Promise<Fixture> {
  const { host, port, accessKey, secretKey } = backing().s3;
  const proxy: CuttableProxy = await cuttableProxy(host, port);
  const endpoint = `http://127.0.0.1:${proxy.port}`;
  const store = new S3BlobStore({ endpoint, region: 'us-east-1', bucket: testBucket(), accessKey, secretKey });
  await store.prepare();
  return {
    store: () => store,
    open: () => proxy.connections(),
    breakOff: () => Promise.resolve(proxy.cut()),
    mend: () => proxy.restore(),
    close: async () => {
      store.close();
      await proxy.close();
    },
  };
}

function files(): Promise<Fixture> {
  const streams = new Set<Readable>();
  return Promise.resolve({
    store: (store) => {
      const get = store.get.bind(store);
      return Object.assign(store, {
        get: async (...wanted: Parameters<typeof get>) => {
          const stream = await get(...wanted);
          streams.add(stream);
          return stream.once('close', () => streams.delete(stream));
        },
      });
    },
    open: () => streams.size,
    breakOff: (folder, name) => truncate(join(folder, name.slice(0, 2), name), SIZE / 4),
    mend: () => undefined,
    close: () => Promise.resolve(),
  });
}

const STORES: [name: string, needs: BackingService[], make: () => Promise<Fixture>][] = [
  ['an S3 store', ['postgres', 's3'], s3],
  ['a folder', ['postgres'], files],
];

for (const [name, needs, make] of STORES) {
  describeWith(needs, `downloads from ${name}`, () => {
    let fixture: Fixture;
    let running: RunningRawData;
    let part: string;
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
    beforeAll(async () => {
      fixture = await make();
      running = await startRawData({ blobs: fixture.store });
      part = await running.inspection.create('pbox/');
    });
    afterAll(async () => {
      agent.destroy();
      await running.stop();
      await fixture.close();
    });

    const upload = async (bytes: Buffer) => {
      const headers = { 'Content-Disposition': '"a.txt"', 'Content-Type': 'text/plain' };
      const answer = await request(running.server).post(`${FILE}/${part}`).set(headers).send(bytes).expect(201);
      return (answer.body as RawDataInformation).key;
    };
    /** Starts a download and stops reading. */
    const begin = (key: number, headers: Record<string, string> = {}) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const asked = httpRequest({ port: running.port, agent, path: `${FILE}/${part}/${key}`, headers });
        asked.once('error', reject);
        asked.once('response', (answer) => answer.on('error', () => undefined).once('readable', () => resolve(answer)));
        asked.end();
      });
    /** Returns whether only the follower uses a connection to the database. */
    const poolIsFree = () => running.database.poolUsage().requests.used <= 1 && running.database.poolUsage().streams.used === 0;

    it.each<[string, Record<string, string>]>([
      ['whole files', {}],
      ['ranges', { Range: `bytes=100-${SIZE - 2}` }],
    ])('of %s stop in the store when the client disconnects', async (_, headers) => {
      const key = await upload(BYTES);
      const idle = fixture.open();
      const answers = await Promise.all(Array.from({ length: CLIENTS }, () => begin(key, headers)));
      expect(fixture.open()).toBeGreaterThanOrEqual(CLIENTS);
      for (const answer of answers) answer.destroy();
      // Idle connections may stay open for the next request.
      await eventually(() => fixture.open() <= idle && poolIsFree(), { timeoutMs: 20_000, describe: 'the streams are closed' });
      const whole = await begin(key);
      whole.destroy();
      await eventually(() => fixture.open() <= idle, { timeoutMs: 20_000 });
    });

    it.each<[string, Record<string, string>]>([
      ['whole file', {}],
      ['range', { Range: `bytes=100-${SIZE - 2}` }],
      ['file that may be compressed', { 'Accept-Encoding': 'gzip' }],
    ])('of a %s break when the store fails, and never look complete', async (_, headers) => {
      const key = await upload(BYTES);
      const answer = await begin(key, headers);
      const [row] = await running.query<{ object_name: string }>('SELECT object_name FROM raw_data_object WHERE key = $1', [key]);
      await fixture.breakOff(running.fileFolder, row?.object_name ?? '');
      let bytes = 0;
      const closed = new Promise((resolve) => answer.once('close', resolve));
      answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
      await closed;
      expect(answer.complete).toBe(false);
      expect(bytes).toBeLessThan(SIZE - 100);
      await eventually(() => fixture.open() === 0 && poolIsFree(), { timeoutMs: 20_000 });
      fixture.mend();
    });
  });
}

/** Time in milliseconds in which a request must end after the store stopped forwarding packets. */
const HANG_LIMIT_MS = 10_000;

describeWith(['postgres', 's3'], 'an S3 store that accepts no more packets', () => {
  let proxy: CuttableProxy;
  let store: S3BlobStore;
  let running: RunningRawData;
  let address: string;
  const agent = new Agent();
  const headers = { 'Content-Disposition': '"a.bin"', 'Content-Type': 'application/octet-stream' };

  beforeAll(async () => {
    const { host, port, accessKey, secretKey } = backing().s3;
    proxy = await cuttableProxy(host, port);
    store = new S3BlobStore({
      endpoint: `http://127.0.0.1:${proxy.port}`,
      region: 'us-east-1',
      bucket: testBucket(),
      accessKey,
      secretKey,
    });
    await store.prepare();
    running = await startRawData({ blobs: () => store });
    address = `${FILE}/${await running.inspection.create('pbox/')}`;
    await request(running.server).post(`${address}/0`).set(headers).send(BYTES).expect(201);
  });
  afterEach(() => proxy.restore());
  afterAll(async () => {
    agent.destroy();
    await running.stop();
    store.close();
    await proxy.close();
  });

  it.each([
    ['a download', () => request(running.server).get(`${address}/0`)],
    ['a small upload', () => request(running.server).post(address).set(headers).send(randomBytes(100))],
    [
      'a large upload',
      () =>
        request(running.server)
          .post(address)
          .set(headers)
          .send(randomBytes(SIZE / 8)),
    ],
  ])('answers %s with 503 in time', async (_, ask) => {
    proxy.stall();
    const begun = performance.now();
    const answer = await ask();
    expect(answer.status).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(performance.now() - begun).toBeLessThan(HANG_LIMIT_MS);
    expect(await running.spooled()).toEqual([]);
  });

  it('closes the connection of a download that has begun', async () => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const asked = httpRequest({ port: running.port, agent, path: `${address}/0` }, resolve);
      asked.once('error', reject);
      asked.end();
    });
    await new Promise((resolve) => answer.once('readable', resolve));
    proxy.stall();
    const begun = performance.now();
    answer.on('error', () => undefined);
    const closed = new Promise((resolve) => answer.once('close', resolve));
    answer.resume();
    await closed;
    expect(answer.complete).toBe(false);
    expect(performance.now() - begun).toBeLessThan(HANG_LIMIT_MS);
  });
});
