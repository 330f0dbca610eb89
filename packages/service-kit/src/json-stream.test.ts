import { request as httpRequest } from 'node:http';
import { createGunzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Server } from 'node:http';
import { createHttpApp } from './http-app.js';
import { closeHttpServer, createHttpServer, listen } from './http-server.js';
import { jsonArrayOfTexts } from './json-stream.js';
import { createLogger } from './logger.js';
import { defineRoute, reply } from './route.js';

const ITEMS = 200;
const ITEM = JSON.stringify('x'.repeat(50_000));

async function* batches(): AsyncGenerator<string[]> {
  for (let i = 0; i < ITEMS / 10; i += 1) {
    await Promise.resolve();
    yield Array.from({ length: 10 }, () => ITEM);
  }
}

describe('a streamed array', () => {
  let server: Server;
  let port: number;
  let drainListeners = -1;
  beforeAll(async () => {
    const routes = [
      defineRoute({
        method: 'GET',
        path: '/many',
        permission: 'open',
        deadline: 'read',
        handle: () =>
          Promise.resolve(
            reply.stream({ 'Content-Type': 'application/json' }, async (sink, signal) => {
              const added = (['on', 'once', 'addListener'] as const).map((method) => jest.spyOn(sink, method));
              await jsonArrayOfTexts(sink, signal, batches());
              drainListeners = added.flatMap(({ mock }) => mock.calls).filter(([event]) => event === 'drain').length;
            }),
          ),
      }),
    ];
    server = createHttpServer(createHttpApp({ routes, log: createLogger({ service: 'test', level: 'silent' }) }));
    port = await listen(server, 0, '127.0.0.1');
  });
  afterAll(() => closeHttpServer(server, 100));

  /** Reads slowly enough that the writer has to wait many times. */
  function readSlowly(encoding: string): Promise<string> {
    return new Promise((resolve, reject) => {
      httpRequest({ port, path: '/many', headers: { 'Accept-Encoding': encoding } }, (answer) => {
        const source = encoding === 'gzip' ? answer.pipe(createGunzip()) : answer;
        let text = '';
        source.setEncoding('utf8');
        source.on('data', (chunk: string) => {
          text += chunk;
          source.pause();
          setImmediate(() => source.resume());
        });
        source.on('end', () => resolve(text));
        source.on('error', reject);
      }).end();
    });
  }

  it.each(['identity', 'gzip'])('arrives whole with coding %s, and leaves no listeners behind', async (encoding) => {
    const items = JSON.parse(await readSlowly(encoding)) as string[];
    expect(items).toHaveLength(ITEMS);
    expect(items.every((item) => item.length === 50_000)).toBe(true);
    // The compressing stream never gives a listener back.
    expect(drainListeners).toBe(1);
  });

  it('is an empty array without items, and ends with its signal', async () => {
    const written: string[] = [];
    const sink = { on: () => undefined, write: (chunk: Buffer) => written.push(chunk.toString()) > 0 };
    await jsonArrayOfTexts(sink as never, new AbortController().signal, (async function* () {})());
    expect(written).toEqual(['[]']);
    await expect(jsonArrayOfTexts(sink as never, AbortSignal.abort(new Error('gone')), (async function* () {})())).rejects.toThrow('gone');
  });
});
