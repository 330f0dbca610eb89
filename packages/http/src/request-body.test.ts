import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { z } from 'zod';
import { createHttpApp } from './http-app.js';
import { closeHttpServer, createHttpServer, listen } from './http-server.js';
import { createLogger } from '@sinebar/runtime';
import { reply, type Route } from './route.js';
import { testRoute } from './undocumented-route.fixture.js';

const log = createLogger({ service: 'test', level: 'silent' });
const shared = { path: '/echo', permission: 'open', deadline: 'write' } as const;
const routes: Route[] = [
  testRoute({ ...shared, method: 'POST', body: z.array(z.string()), handle: ({ body }) => Promise.resolve(reply.json(body)) }),
  testRoute({ ...shared, method: 'GET', handle: () => Promise.reject(new Error('a defect')) }),
];

describe('request bodies', () => {
  let server: Server;
  let port: number;
  beforeAll(async () => {
    server = createHttpServer(createHttpApp({ routes, log, limits: { bodyBytes: 10_000, inFlightBytes: 15_000 } }));
    port = await listen(server, 0, '127.0.0.1');
  });
  afterAll(() => closeHttpServer(server, 100));

  it('may be deflated [D2.4]', async () => {
    const deflated = request(server).post('/echo').set('Content-Type', 'application/json').set('Content-Encoding', 'deflate');
    deflated.write(deflateSync('["a"]'));
    expect((await deflated.expect(200)).body).toEqual(['a']);
  });

  it.each(['Content-Length: 1000000000', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked\r\nContent-Encoding: gzip'])(
    'above the limit get a complete answer while the client still writes (%s) [D10.2]',
    async (framing) => {
      const isCompressed = framing.endsWith('gzip');
      const piece = isCompressed ? gzipSync('x'.repeat(20_000)) : Buffer.alloc(64 * 1024, 0x20);
      const chunk = framing.startsWith('Transfer')
        ? Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
        : piece;
      const client = connect(port, '127.0.0.1');
      let answer = '';
      let isOver = false;
      client.on('data', (bytes) => (answer += bytes.toString()));
      client.on('error', () => undefined);
      client.once('close', () => (isOver = true));
      client.write(`POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`);
      for (let i = 0; (i < 300 || answer === '') && !isOver; i += 1)
        await new Promise<void>((resolve) => client.write(chunk, () => resolve()));
      expect(isOver).toBe(false);
      client.end();
      await once(client, 'close');
      expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*larger than 10000 bytes[^]*}$/);
    },
  );

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('that decompress far above the limit are refused (%s)', async (encoding, compress) => {
    const large = createHttpServer(
      createHttpApp({ routes, log, limits: { bodyBytes: 2 ** 26, inFlightBytes: 2 ** 28, maxExpansion: 20 } }),
    );
    try {
      const send = (text: string) => {
        const sent = request(large).post('/echo').set('Content-Type', 'application/json').set('Content-Encoding', encoding);
        sent.write(compress(JSON.stringify([text])));
        return sent;
      };
      const answer = await send('x'.repeat(20 * 2 ** 20));
      expect(answer.status).toBe(413);
      expect(answer.body).toMatchObject({
        ExceptionType: 'BodyTooLarge',
        message: expect.stringContaining('more than 20 times its size, the limit of this server (SINEBAR_MAX_DECOMPRESSION_RATIO)'),
      });
      // Small bodies may have any compression ratio.
      await send('x'.repeat(2 ** 20)).expect(200);
    } finally {
      await closeHttpServer(large, 100);
    }
  });

  it('get 503 while other bodies use the memory budget, and are read afterwards [D10.2]', async () => {
    const holder = connect(port, '127.0.0.1');
    const held = `["${'x'.repeat(9_000)}`;
    holder.write(`POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${held.length + 2}\r\n\r\n${held}`);
    const send = () =>
      request(server)
        .post('/echo')
        .send(['y'.repeat(9_000)]);
    let answer = await send();
    // The budget has room until the bytes of the first request are read.
    for (let i = 0; i < 100 && answer.status === 200; i += 1) answer = await send();
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({ ExceptionType: 'Overloaded' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    holder.write('"]');
    const [first] = (await once(holder, 'data')) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1\.1 200 /);
    holder.destroy();
    await send().expect(200);
  });
});

describe('stack traces', () => {
  it.each([
    [false, ''],
    [true, expect.stringContaining('request-body.test')],
  ])('appear in error bodies only when configured: %p [D2.5]', async (debugErrors, expected) => {
    const { body } = (await request(createHttpApp({ routes, log, debugErrors })).get('/echo').expect(500)) as { body: object };
    expect(body).toMatchObject({ StackTrace: expected });
    expect(body).toMatchObject({ message: expect.not.stringContaining('a defect') });
  });
});
