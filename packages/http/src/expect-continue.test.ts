import { EVERYONE } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import { RawConnection } from '@sinebar/testing';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { reply } from './route.ts';
import { runningServer } from './shell/running-server.fixture.ts';
import { testRoute } from './undocumented-route.fixture.ts';

const routes = [
  testRoute({
    method: 'POST',
    path: '/echo',
    permission: 'plan:write',
    deadline: 'write',
    body: z.array(z.string()),
    handle: ({ body }) => Promise.resolve(reply.json(body)),
  }),
  testRoute({
    method: 'DELETE',
    path: '/echo',
    deletes: { selectedBy: [] },
    permission: 'plan:write',
    deadline: 'write',
    handle: () => Promise.resolve(reply.empty(200)),
  }),
  testRoute({
    method: 'DELETE',
    path: '/echo/:name',
    deletes: 'item',
    permission: 'plan:write',
    deadline: 'write',
    handle: () => Promise.resolve(reply.empty(200)),
  }),
];
const CHUNKED = { 'Transfer-Encoding': 'chunked' };
const JSON_TYPE = { 'Content-Type': 'application/json', Authorization: 'Basic me' };
const EXPECT = { Expect: '100-continue' };

describe('a request that expects 100 (Continue)', () => {
  const running = runningServer({
    routes,
    limits: { bodyBytes: 1000, inFlightBytes: 2000 },
    authenticate: (request) =>
      request.headers.authorization === undefined
        ? Promise.reject(new ServiceError('Unauthenticated', 'Sign in.', { headers: { 'WWW-Authenticate': 'Basic' } }))
        : Promise.resolve(EVERYONE),
  });

  it.each([
    ['Content-Length', { 'Content-Length': '5' }, '["a"]'],
    ['chunks', CHUNKED, '5\r\n["a"]\r\n0\r\n\r\n'],
  ])('gets it when its body is read, and keeps its connection (%s) [D6.10]', async (_, framing, body) => {
    const client = new RawConnection(running.port);
    client.request('POST /echo', { ...JSON_TYPE, ...EXPECT, ...framing });
    expect(await client.until(/\r\n\r\n/)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    client.send(body);
    expect(await client.until(/\["a"\]\r\n0\r\n\r\n$/)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
    client.request('POST /echo', { ...JSON_TYPE, 'Content-Length': '5' }, '["b"]');
    expect(await client.until(/\["b"\]\r\n0\r\n\r\n$/)).not.toMatch(/Connection: close/i);
    await client.end();
  });

  it.each<[why: string, status: number, line: string, headers: Record<string, string>]>([
    ['an address that names nothing', 404, 'POST /nothing', JSON_TYPE],
    ['a method that is not possible', 405, 'PUT /echo', JSON_TYPE],
    ['a body where a deletion must have none', 400, 'DELETE /echo', JSON_TYPE],
    ['no sign-in', 401, 'POST /echo', { 'Content-Type': 'application/json' }],
    ['a body that is too large', 413, 'POST /echo', { ...JSON_TYPE, 'Content-Length': '1001' }],
    ['another type', 415, 'POST /echo', { ...JSON_TYPE, 'Content-Type': 'application/pdf' }],
    ['another coding', 415, 'POST /echo', { ...JSON_TYPE, 'Content-Encoding': 'zstd' }],
  ])('gets its final status at once for %s [D6.10]', async (_, status, line, headers) => {
    const client = new RawConnection(running.port);
    client.request(line, { 'Content-Length': '5', ...headers, ...EXPECT });
    const answer = await client.until(/\}$/);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/\r\nConnection: close\r\n/i);
    expect(await client.end()).not.toContain('100 Continue');
  });

  it.each([
    ['200', '0\r\n\r\n'],
    ['400', '1\r\nx\r\n0\r\n\r\n'],
  ])('gets it where a deletion must have no body, and then %s [D6.10]', async (status, body) => {
    const client = new RawConnection(running.port);
    client.request('DELETE /echo', { ...JSON_TYPE, ...EXPECT, ...CHUNKED });
    expect(await client.until(/\r\n\r\n/)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    client.send(body);
    expect(await client.until(/HTTP\/1\.1 [2-5][^]*\r\n\r\n/)).toContain(`HTTP/1.1 ${status} `);
    await client.end();
  });

  it('gets its final status at once when its body is not needed', async () => {
    const client = new RawConnection(running.port);
    client.request('DELETE /echo/a', { ...JSON_TYPE, ...EXPECT, 'Content-Length': '5' });
    expect(await client.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 200 [^]*Connection: close/i);
    await client.end();
  });

  it('keeps its connection when it has no body', async () => {
    const client = new RawConnection(running.port);
    client.request('DELETE /echo/a', { ...JSON_TYPE, ...EXPECT });
    expect(await client.until(/HTTP\/1\.1 200 [^]*\r\n\r\n/)).not.toMatch(/Connection: close/i);
    await client.end();
  });

  it('may send its body without waiting', async () => {
    const client = new RawConnection(running.port);
    client.request('POST /echo', { ...JSON_TYPE, ...EXPECT, 'Content-Length': '5' }, '["a"]');
    expect(await client.until(/\["a"\]\r\n0\r\n\r\n$/)).toMatch(/HTTP\/1\.1 200 /);
    await client.end();
  });

  it('is refused completely while it sends its body without waiting', async () => {
    const client = new RawConnection(running.port);
    client.request('POST /nothing', { ...JSON_TYPE, ...EXPECT, 'Content-Length': '300000' }, 'x'.repeat(300_000));
    expect(await client.until(/\}$/)).toMatch(/^HTTP\/1\.1 404 /);
    await client.end();
  });
});
