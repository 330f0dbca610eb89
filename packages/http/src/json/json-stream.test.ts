import { request as httpRequest, type Server } from 'node:http';
import { connect } from 'node:net';
import { createGunzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createHttpApp } from '../shell/http-app.ts';
import { closeHttpServer, createHttpServer, listen } from '../http-server.ts';
import { jsonArrayOfTexts } from './json-stream.ts';
import { createLogger } from '@sinebar/runtime';
import { reply } from '../route.ts';
import { testRoute } from '../undocumented-route.fixture.ts';

const ITEMS = 200;
/** All items differ, so bytes that are reused too early would show. */
const ALL = Array.from({ length: ITEMS }, (_, i) => `${i} `.padEnd(20_000 + 300 * i, String.fromCharCode(97 + (i % 26))));

async function* batches(): AsyncGenerator<string[]> {
  for (let i = 0; i < ITEMS / 10; i += 1) {
    await Promise.resolve();
    yield ALL.slice(10 * i, 10 * i + 10).map((item) => JSON.stringify(item));
  }
}

/** Decodes a body with `Transfer-Encoding: chunked`. */
function unchunked(body: string): string {
  let text = '';
  for (let at = 0; ;) {
    const end = body.indexOf('\r\n', at);
    const length = parseInt(body.slice(at, end), 16);
    if (length === 0) return text;
    text += body.slice(end + 2, end + 2 + length);
    at = end + 2 + length + 2;
  }
}

describe('a streamed array', () => {
  let server: Server;
  let port: number;
  let drainListeners = -1;
  beforeAll(async () => {
    const routes = [
      testRoute({
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

  it.each(['identity', 'gzip'])('arrives completely with coding %s, and leaves no listeners', async (encoding) => {
    expect(JSON.parse(await readSlowly(encoding))).toEqual(ALL);
    // The compressing stream never removes a listener.
    expect(drainListeners).toBe(1);
  });

  it('arrives completely for concurrent requests on one connection', async () => {
    const socket = connect(port, '127.0.0.1');
    const ask = (connection: string) => `GET /many HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n\r\n`;
    socket.write(ask('keep-alive') + ask('keep-alive') + ask('close'));
    const received: Buffer[] = [];
    for await (const piece of socket as AsyncIterable<Buffer>) received.push(piece);
    const answers = Buffer.concat(received)
      .toString('latin1')
      .split(/HTTP\/1\.1 200 OK\r\n/)
      .slice(1)
      .map((answer) => JSON.parse(unchunked(answer.slice(answer.indexOf('\r\n\r\n') + 4))) as string[]);
    expect(answers).toEqual([ALL, ALL, ALL]);
  });

  it('sends the first items before it creates others, even while they are compressed', async () => {
    const log: string[] = [];
    let drained = (): void => undefined;
    const sink = {
      writableLength: 0,
      on: (_event: string, listen: () => void) => void (drained = listen),
      write: (chunk: Buffer) => {
        log.push(`write ${chunk.length}`);
        // Imitates a stream that compresses in another thread: it reports progress in a later turn of the event loop.
        setTimeout(() => {
          log.push('taken');
          drained();
        }, 5);
        return false;
      },
    };
    async function* items(): AsyncGenerator<string[]> {
      for (const name of ['1', '2', '3']) {
        await Promise.resolve();
        log.push(`make ${name}`);
        yield [JSON.stringify(name.repeat(20_000))];
      }
    }
    await jsonArrayOfTexts(sink as never, new AbortController().signal, items());
    expect(log.slice(0, 4)).toEqual(['make 1', 'write 20003', 'taken', 'make 2']);
  });

  it('creates no others before the event loop can send the first items', async () => {
    const log: string[] = [];
    const sink = {
      on: () => undefined,
      write: () => {
        log.push('write');
        setImmediate(() => log.push('turn of the event loop'));
        return true;
      },
    };
    async function* items(): AsyncGenerator<string[]> {
      for (const name of ['1', '2']) {
        await Promise.resolve();
        log.push(`make ${name}`);
        yield [JSON.stringify(name.repeat(20_000))];
      }
    }
    await jsonArrayOfTexts(sink as never, new AbortController().signal, items());
    expect(log.slice(0, 4)).toEqual(['make 1', 'write', 'turn of the event loop', 'make 2']);
  });

  it('is an empty array without items, and ends with its signal', async () => {
    const written: string[] = [];
    const sink = { on: () => undefined, write: (chunk: Buffer) => written.push(chunk.toString()) > 0 };
    await jsonArrayOfTexts(sink as never, new AbortController().signal, (async function* () {})());
    expect(written).toEqual(['[]']);
    await expect(jsonArrayOfTexts(sink as never, AbortSignal.abort(new Error('gone')), (async function* () {})())).rejects.toThrow('gone');
  });
});
