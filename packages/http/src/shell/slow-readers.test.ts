import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHttpApp } from './http-app.ts';
import { closeHttpServer, createHttpServer, listen } from '../http-server.ts';
import { jsonArrayOfTexts } from '../json/json-stream.ts';
import { createLogger } from '@sinebar/runtime';
import { reply } from '../route.ts';
import { testRoute } from '../undocumented-route.fixture.ts';

const ITEM = JSON.stringify('x'.repeat(64 * 1024));
/** More items than the buffers of both ends hold. */
const ITEMS = 400;
const PACE = { leastBytesPerS: 256 * 1024, windowMs: 1_000, lookMs: 20 };

describe('a client that reads slowly', () => {
  let server: Server;
  let port: number;
  let ended: Promise<unknown>;
  beforeAll(async () => {
    async function* endless(): AsyncGenerator<string[]> {
      for (let i = 0; i < ITEMS; i += 1) {
        await Promise.resolve();
        yield [ITEM];
      }
    }
    const many = testRoute({
      method: 'GET',
      path: '/many',
      permission: 'open',
      deadline: 'read',
      handle: () =>
        Promise.resolve(
          reply.stream({ 'Content-Type': 'application/json' }, (sink, signal) => {
            const written = jsonArrayOfTexts(sink, signal, endless());
            ended = written.catch((error: unknown) => error);
            return written;
          }),
        ),
    });
    const log = createLogger({ service: 'test', level: 'silent' });
    server = createHttpServer(createHttpApp({ routes: [many], log, transferPace: PACE }));
    port = await listen(server, 0, '127.0.0.1');
  });
  afterAll(() => closeHttpServer(server, 100));

  const ask = (): Socket => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET /many HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    return socket;
  };
  const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));

  it('loses the connection [D10.1]', async () => {
    const socket = ask();
    socket.once('data', () => socket.pause());
    await new Promise((begun) => socket.once('data', begun));
    expect(await ended).toMatchObject({ code: 'RequestTimeout', message: expect.stringContaining('must take 262144 a second') });
    socket.resume();
    await closed(socket);
  });

  it('gets the complete answer when it is fast enough', async () => {
    const socket = ask();
    let bytes = 0;
    socket.on('data', (piece) => {
      bytes += piece.length;
      socket.pause();
      setTimeout(() => socket.resume(), 2);
    });
    await closed(socket);
    expect(await ended).toBeUndefined();
    expect(bytes).toBeGreaterThan(ITEMS * ITEM.length);
  });
});
