import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { z } from 'zod';
import { healthRoutes, createLogger } from '@sinebar/runtime';
import { createHttpApp } from '../shell/http-app.ts';
import { closeHttpServer, createHttpServer, listen } from '../http-server.ts';
import { reply } from '../route.ts';
import { testRoute } from '../undocumented-route.fixture.ts';
import { BrowserGuard } from './browser-guard.ts';

const CONSOLE = 'https://console.example';
const EVIL = { Origin: 'http://evil.example', 'Sec-Fetch-Site': 'cross-site' };
const changes: unknown[] = [];

const routes = [
  testRoute({
    method: 'GET',
    path: '/things',
    permission: 'open',
    deadline: 'read',
    handle: () => Promise.resolve(reply.json([1], 200, { ETag: '"1"' })),
  }),
  testRoute({
    method: 'POST',
    path: '/things',
    permission: 'open',
    deadline: 'write',
    body: z.unknown(),
    handle: ({ body }) => {
      changes.push(body);
      return Promise.resolve(reply.json(body, 201));
    },
  }),
  ...healthRoutes({ check: () => Promise.resolve([]), peers: [], isStopping: () => false }),
];

describe('the HTTP shell with a guard', () => {
  let server: Server;
  beforeAll(async () => {
    const guard = new BrowserGuard({ isOpen: true, SINEBAR_CORS_ORIGINS: [CONSOLE] });
    server = createHttpServer(createHttpApp({ routes, guard, log: createLogger({ service: 'test', level: 'silent' }) }));
    await listen(server, 0, '127.0.0.1');
  });
  afterAll(() => closeHttpServer(server, 100));

  it('refuses a change by a page of another origin with a message that explains what to do', async () => {
    const { body } = (await request(server).post('/things').set(EVIL).send([1]).expect(403)) as { body: unknown };
    expect(body).toMatchObject({ ExceptionType: 'Forbidden', Message: expect.stringContaining('SINEBAR_CORS_ORIGINS') });
  });

  /** What browsers send for a page of another origin: `fetch` with `no-cors`, a form, a form in a sandboxed frame, old browsers. */
  const FOREIGN: readonly (readonly [name: string, headers: Record<string, string>])[] = [
    ['a page', EVIL],
    ['a page in a browser that sends no Sec-Fetch-Site', { Origin: 'http://evil.example' }],
    ['a sandboxed frame', { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }],
    ['a sandboxed frame in a browser that sends no Sec-Fetch-Site', { Origin: 'null' }],
    ['a page that hides its origin', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a page at another port', { Origin: 'http://127.0.0.1:1', 'Sec-Fetch-Site': 'same-site' }],
  ];
  /** Types that a page can send without a preflight. */
  const SIMPLE = ['text/plain', 'text/plain;charset=UTF-8', 'application/x-www-form-urlencoded', 'multipart/form-data', undefined];

  it.each(FOREIGN.flatMap(([name, headers]) => SIMPLE.map((type) => [name, type, headers] as const)))(
    'runs no route for %s that sends JSON as %s [D10.6]',
    async (_name, type, headers) => {
      changes.length = 0;
      for (const path of ['/things', '//things', '/things//']) {
        const sent = request(server).post(path).set(headers);
        if (type !== undefined) sent.set('Content-Type', type);
        sent.write('[1]');
        await sent.expect(403);
      }
      expect(changes).toEqual([]);
    },
  );

  it.each(SIMPLE.filter((type) => type !== 'multipart/form-data'))(
    'runs a route for a program that sends JSON as %s [D2.4]',
    async (type) => {
      const sent = request(server).post('/things');
      if (type !== undefined) sent.set('Content-Type', type);
      sent.write('[1]');
      expect((await sent.expect(201)).body).toEqual([1]);
    },
  );

  it.each(['/things', '/healthServiceRest/live', '/nowhere'])(
    'refuses a request for %s with several Host headers, and closes the connection [D10.6]',
    async (path) => {
      const { port } = server.address() as AddressInfo;
      for (const second of ['Host: localhost', 'host: 127.0.0.1', 'HOST:', 'Host: localhost\r\nConnection: keep-alive']) {
        const socket = connect(port, '127.0.0.1');
        socket.write('GET /things HTTP/1.1\r\nHost: localhost\r\n\r\n');
        expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
        let answer = '';
        socket.on('data', (data) => (answer += String(data)));
        socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${second}\r\n\r\nGET /things HTTP/1.1\r\nHost: localhost\r\n\r\n`);
        await once(socket, 'close');
        expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*Connection: close[^]*has 2 Host headers\. Send one\./i);
        expect(answer).not.toMatch(/HTTP\/1\.1 200 /);
      }
    },
  );

  it('refuses before it looks for a route', async () => {
    await request(server).post('/nowhere').set(EVIL).expect(403);
  });

  it('accepts a change by a program [D10.6]', async () => {
    await request(server).post('/things').send([1]).expect(201);
  });

  it('refuses an unknown host with a message that explains what to do [D10.6]', async () => {
    const { body } = (await request(server).get('/things').set('Host', 'evil.example').expect(421)) as { body: unknown };
    expect(body).toMatchObject({ ExceptionType: 'MisdirectedRequest', Message: expect.stringContaining('SINEBAR_HOSTS') });
  });

  it('answers health probes under any host name', async () => {
    await request(server).get('/healthServiceRest/ready').set('Host', 'probe.example').expect(200);
  });

  it.each(['/things', '/nowhere'])('prevents pages of other origins from embedding %s', async (path) => {
    const { headers } = await request(server).get(path);
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  });

  describe('for pages of a listed origin', () => {
    const preflight = () =>
      request(server)
        .options('/things')
        .set({ Origin: CONSOLE, 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': 'authorization,if-match' })
        .expect(204);

    it('allows the methods of its routes in a preflight', async () => {
      expect((await preflight()).headers['access-control-allow-methods']).toBe('GET, HEAD, POST, PUT, DELETE');
    });

    it('allows the requested headers', async () => {
      expect((await preflight()).headers['access-control-allow-headers']).toBe('authorization,if-match');
    });

    it('allows the origin, but neither cookies nor stored passwords', async () => {
      const { headers } = await preflight();
      expect(headers).toMatchObject({ 'access-control-allow-origin': CONSOLE });
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    });

    it('exposes answers and their headers', async () => {
      const { headers } = await request(server).get('/things').set('Origin', CONSOLE).expect(200);
      expect(headers).toMatchObject({
        'access-control-allow-origin': CONSOLE,
        'access-control-expose-headers': expect.stringContaining('ETag'),
        vary: expect.stringContaining('Origin'),
      });
    });

    it('exposes errors', async () => {
      const { headers } = await request(server).get('/nowhere').set('Origin', CONSOLE).expect(404);
      expect(headers['access-control-allow-origin']).toBe(CONSOLE);
    });

    it('accepts changes', async () => {
      await request(server).post('/things').set({ Origin: CONSOLE, 'Sec-Fetch-Site': 'cross-site' }).send([1]).expect(201);
    });
  });

  it('allows nothing in a preflight of other origins', async () => {
    const { headers } = await request(server)
      .options('/things')
      .set({ ...EVIL, 'Access-Control-Request-Method': 'PUT' })
      .expect(405);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });
});
