import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EVERYONE, type Principal } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHttpApp } from '../shell/http-app.ts';
import { closeHttpServer, createHttpServer, listen } from '../http-server.ts';
import { createLogger } from '@sinebar/runtime';
import { reply } from '../route.ts';
import { testRoute } from '../undocumented-route.fixture.ts';
import { PerUserLimit } from './per-user-limit.ts';

const from = (address: string) => ({ socket: { remoteAddress: address } }) as unknown as IncomingMessage;
const limitOf = (limit: number) =>
  new PerUserLimit({
    limit,
    what: 'searches',
    setting: 'SINEBAR_SEARCHES_PER_USER',
    addressOf: ({ socket }) => socket.remoteAddress ?? '',
  });
const user = (userKey: string): Principal => ({ ...EVERYONE, name: 'ada', userKey });

describe('limit per user', () => {
  it('refuses requests above the limit with 429 and Retry-After', () => {
    const limit = limitOf(1);
    limit.enter(user('basic:ada'), from('192.0.2.1'));
    const attempt = () => limit.enter(user('basic:ada'), from('192.0.2.2'));
    expect(attempt).toThrow(ServiceError);
    expect(attempt).toThrow('This user has 1 searches at the same time');
  });

  it('counts users of one name with different sign-ins separately', () => {
    const limit = limitOf(1);
    limit.enter(user('basic:ada'), from('192.0.2.1'));
    expect(() => limit.enter(user('oidc:sub:7'), from('192.0.2.1'))).not.toThrow();
  });

  it('counts anonymous users by their address', () => {
    const limit = limitOf(1);
    limit.enter(EVERYONE, from('192.0.2.1'));
    expect(() => limit.enter(EVERYONE, from('192.0.2.1'))).toThrow('This address has 1 searches');
    expect(() => limit.enter(EVERYONE, from('192.0.2.2'))).not.toThrow();
  });

  it('admits the next request when one ends', () => {
    const limit = limitOf(1);
    limit.enter(EVERYONE, from('192.0.2.1'))();
    expect(() => limit.enter(EVERYONE, from('192.0.2.1'))).not.toThrow();
  });

  it('is off at 0', () => {
    const limit = limitOf(0);
    limit.enter(EVERYONE, from('192.0.2.1'));
    expect(() => limit.enter(EVERYONE, from('192.0.2.1'))).not.toThrow();
  });
});

describe('searches in the HTTP shell', () => {
  let server: Server;
  let arrived: () => void;
  let finish: () => void;
  const arrival = () => new Promise<void>((resolve) => (arrived = resolve));
  const get = (path: string) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  const read = { method: 'GET', permission: 'open', deadline: 'read' } as const;
  const routes = [
    testRoute({
      ...read,
      path: '/search',
      isSearch: true,
      handle: async () => {
        arrived();
        await new Promise<void>((resolve) => (finish = resolve));
        return reply.json([]);
      },
    }),
    testRoute({ ...read, path: '/item', handle: () => Promise.resolve(reply.json({})) }),
  ];

  beforeAll(async () => {
    server = createHttpServer(createHttpApp({ routes, searches: limitOf(1), log: createLogger({ service: 'test', level: 'silent' }) }));
    await listen(server, 0, '127.0.0.1');
  });
  afterAll(() => closeHttpServer(server, 100));

  it('are limited while they run, other requests are not', async () => {
    const running = arrival();
    const first = get('/search');
    await running;
    const refused = await get('/search');
    const other = await get('/item');
    finish();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(other.status).toBe(200);
    expect((await first).status).toBe(200);
  });

  it('may run again after the end of others', async () => {
    const running = arrival();
    const next = get('/search');
    await running;
    finish();
    expect((await next).status).toBe(200);
  });
});
