import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { z } from 'zod';
import { createHttpApp } from './http-app.ts';
import { closeHttpServer, createHttpServer } from '../http-server.ts';
import { createLogger } from '@sinebar/runtime';
import type { ErrorBody } from '@sinebar/contracts';
import { listOf, members, uuidParameter } from '../parameters.ts';
import { reply } from '../route.ts';
import { runningServer } from './running-server.fixture.ts';
import { testRoute } from '../undocumented-route.fixture.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const uuid = '05040c4c-f0af-46b8-810e-30c0c00a379e';
const routes = [
  testRoute({
    method: 'POST',
    path: '/echo',
    permission: 'open',
    deadline: 'write',
    body: z.array(z.string()),
    handle: ({ body }) => Promise.resolve(reply.json(body)),
  }),
  testRoute({
    method: 'POST',
    path: '/dataServiceRest/things',
    permission: 'plan:write',
    deadline: 'write',
    body: listOf(members({ uuid: uuidParameter, fileName: z.string().optional() }), 'must be an array'),
    handle: ({ body }) => Promise.resolve(reply.json(body, 201)),
  }),
];

describe('request bodies', () => {
  const running = runningServer({ routes, limits: { bodyBytes: 10_000, inFlightBytes: 15_000 } });

  it('may be deflated [D2.4]', async () => {
    const deflated = request(running.server).post('/echo').set('Content-Type', 'application/json').set('Content-Encoding', 'deflate');
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
      const client = connect(running.port, '127.0.0.1');
      let answer = '';
      let isOver = false;
      client.on('data', (bytes) => (answer += bytes.toString()));
      client.on('error', () => undefined);
      client.once('close', () => (isOver = true));
      client.write(`POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`);
      // The turn of the event loop lets the server read: writes that the system buffers at once would never give it one.
      for (let i = 0; (i < 300 || answer === '') && !isOver; i += 1)
        await new Promise<void>((resolve) => client.write(chunk, () => setImmediate(resolve)));
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
    const holder = connect(running.port, '127.0.0.1');
    const held = `["${'x'.repeat(9_000)}`;
    holder.write(`POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${held.length + 2}\r\n\r\n${held}`);
    const send = () =>
      request(running.server)
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

  it('reads bodies with members in any case, plain and compressed [D2.4, D2.7]', async () => {
    const body = JSON.stringify([{ UUID: `{${uuid}}`, FILENAME: 'a', version: 'ignored' }]);
    const expected = [{ uuid, fileName: 'a' }];
    expect(
      (await request(running.server).post('/dataServiceRest/things').set('Content-Type', 'application/json').send(body).expect(201)).body,
    ).toEqual(expected);
    const zipped = request(running.server)
      .post('/dataServiceRest/things')
      .set('Content-Type', 'application/json')
      .set('Content-Encoding', 'gzip');
    zipped.write(gzipSync(body));
    expect((await zipped.expect(201)).body).toEqual(expected);
  });

  it.each([
    'text/plain',
    'Text/Plain; charset="UTF-8"',
    'text/plain;charset=us-ascii',
    'application/x-www-form-urlencoded',
    'application/x-www-form-urlencoded; charset=UTF-8',
    'text/json',
    'application/problem+json',
    '',
    undefined,
  ])('are JSON under the type %j [D2.4]', async (type) => {
    const lines = ['POST /echo HTTP/1.1', 'Host: localhost', 'Connection: close', 'Content-Length: 9'];
    if (type !== undefined) lines.push(`Content-Type: ${type}`);
    const socket = connect(running.port, '127.0.0.1');
    socket.write(`${lines.join('\r\n')}\r\n\r\n["a=b&c"]`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\["a=b&c"\]\r\n/);
  });

  it.each<[string, string | Buffer, Record<string, string>, number, RegExp]>([
    ['no JSON', '[{', {}, 400, /not valid JSON/],
    ['an empty body', '', {}, 400, /needs a JSON body/],
    ['an object', '{}', {}, 400, /must be an array/],
    ['a wrong item', '[{"uuid":1}]', {}, 400, /\[0\]\.uuid: must be a uuid/],
    ['a text for an item', '["x"]', {}, 400, /\[0\]: must be a JSON object/],
    ['U+0000', `[{"uuid":"\\u0000"}]`, {}, 400, /U\+0000/],
    ['33 levels', '['.repeat(33), {}, 400, /levels deep/],
    ['broken UTF-8', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), {}, 400, /UTF-8/],
    ['another type', '[]', { 'Content-Type': 'application/xml' }, 415, /application\/json/],
    ['a form', '--x\r\n', { 'Content-Type': 'multipart/form-data; boundary=x' }, 415, /application\/json/],
    ['bytes', '[]', { 'Content-Type': 'application/octet-stream' }, 415, /application\/json/],
    ['a url-encoded form', 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' }, 400, /not valid JSON/],
    ['text that is none', 'a', { 'Content-Type': 'text/plain' }, 400, /not valid JSON/],
    ['text in another charset', '[]', { 'Content-Type': 'text/plain; charset=iso-8859-1' }, 415, /UTF-8/],
    ['another charset', '[]', { 'Content-Type': 'application/json; charset=utf-16' }, 415, /UTF-8/],
    ['an unknown coding', '[]', { 'Content-Encoding': 'zstd' }, 415, /gzip, deflate or br/],
    ['a false coding', '[]', { 'Content-Encoding': 'gzip' }, 400, /does not agree/],
    ['too much', `["${'x'.repeat(10_000)}"]`, {}, 413, /larger than 10000 bytes/],
    ['too much inside gzip', gzipSync(`["${'x'.repeat(10_000)}"]`), { 'Content-Encoding': 'gzip' }, 413, /larger than/],
  ])('refuses %s [D2.4, D2.6, D10.2]', async (_name, body, headers, status, message) => {
    const answer = await request(running.server)
      .post('/dataServiceRest/things')
      .set({ 'Content-Type': 'application/json', ...headers })
      .serialize((value) => value as string)
      .send(body as string);
    expect(answer.status).toBe(status);
    expect((answer.body as { message: string }).message).toMatch(message);
    expect((answer.body as { requestId: string }).requestId).toBe(answer.headers['x-request-id']);
  });

  it('does not read an escaped backslash before u0000 as a null character', async () => {
    await request(running.server)
      .post('/dataServiceRest/things')
      .send([{ uuid, fileName: '\\u0000' }])
      .expect(201);
  });

  it('returns the bytes of a body to the memory budget', async () => {
    for (let i = 0; i < 5; i += 1) {
      await request(running.server)
        .post('/dataServiceRest/things')
        .send([{ uuid, fileName: 'x'.repeat(9000) }])
        .expect(201);
    }
  });

  it('reports at most twenty problems of a body, and fast', async () => {
    const { body } = (await request(running.server)
      .post('/dataServiceRest/things')
      .send(Array.from({ length: 4000 }, () => 1))
      .expect(400)) as { body: ErrorBody };
    expect(body.details).toHaveLength(20);
  });

  it('answers before the end of a body that is too large, and closes', async () => {
    const socket = connect(running.port, '127.0.0.1');
    socket.write('POST /dataServiceRest/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20000\r\n\r\n[');
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toMatch(/^HTTP\/1\.1 413 [\s\S]*Connection: close/i);
    socket.destroy();
  });
});
