import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { z } from 'zod';
import { createHttpApp } from './http-app.js';
import { closeHttpServer, createHttpServer, listen } from './http-server.js';
import { createLogger } from './logger.js';
import { defineRoute, reply, type Route } from './route.js';

const log = createLogger({ service: 'test', level: 'silent' });
const shared = { path: '/echo', permission: 'open', deadline: 'write' } as const;
const routes: Route[] = [
  defineRoute({ ...shared, method: 'POST', body: z.array(z.string()), handle: ({ body }) => Promise.resolve(reply.json(body)) }),
  defineRoute({ ...shared, method: 'GET', handle: () => Promise.reject(new Error('a defect')) }),
];

describe('bodies of requests', () => {
  let server: Server;
  let port: number;
  beforeAll(async () => {
    server = createHttpServer(createHttpApp({ routes, log, limits: { bodyBytes: 10_000, inFlightBytes: 15_000 } }));
    port = await listen(server, 0, '127.0.0.1');
  });
  afterAll(() => closeHttpServer(server, 100));

  it('may be deflated', async () => {
    const deflated = request(server).post('/echo').set('Content-Type', 'application/json').set('Content-Encoding', 'deflate');
    deflated.write(deflateSync('["a"]'));
    expect((await deflated.expect(200)).body).toEqual(['a']);
  });

  it('get 503 while too many bytes of others are in memory, and are read afterwards', async () => {
    const holder = connect(port, '127.0.0.1');
    const held = `["${'x'.repeat(9_000)}`;
    holder.write(`POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${held.length + 2}\r\n\r\n${held}`);
    const send = () =>
      request(server)
        .post('/echo')
        .send(['y'.repeat(9_000)]);
    let answer = await send();
    // Until the bytes of the first have been read, there is room.
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
  ])('are in error bodies only when a setting says so: %p', async (debugErrors, expected) => {
    const { body } = (await request(createHttpApp({ routes, log, debugErrors })).get('/echo').expect(500)) as { body: object };
    expect(body).toMatchObject({ StackTrace: expected });
    expect(body).toMatchObject({ message: expect.not.stringContaining('a defect') });
  });
});
