import { once } from 'node:events';
import { connect } from 'node:net';
import { ServiceError } from '@sinebar/contracts';
import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { createHttpApp } from './http-app.ts';
import { createLogger } from '@sinebar/runtime';
import { runningServer } from './running-server.fixture.ts';
import { testRoute } from '../undocumented-route.fixture.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const routes = [
  testRoute({
    method: 'GET',
    path: '/fails/:how',
    permission: 'open',
    deadline: 'read',
    handle: ({ params }) => {
      const { how } = params as { how: string };
      if (how === 'full') throw new ServiceError('OutOfStorage', 'there is no space left for files');
      if (how === 'busy') throw new ServiceError('Unavailable', 'the database is away', { retryAfterSeconds: 3 });
      throw new Error('a detail that must not leave the server');
    },
  }),
];

describe('the answer to a failure', () => {
  const running = runningServer({ routes });

  it('sends safe messages only: the text of known errors, a neutral one for others [D2.5, D2.6]', async () => {
    const busy = await request(running.server).get('/fails/busy').expect(503);
    expect(busy.headers['retry-after']).toBe('3');
    const defect = await request(running.server).get('/fails/inside').expect(500);
    expect(JSON.stringify(defect.body)).not.toContain('must not leave');
  });

  it.each([
    ['busy', 'GET', '503 Service unavailable, try again later'],
    ['full', 'GET', '503 Out of storage space'],
    ['defect', 'GET', '500 Internal error, see the log of the server'],
    ['full', 'HEAD', '503 Out of storage space'],
    ['no-such-address', 'PUT', '405 Method Not Allowed'],
  ])('sends a readable reason phrase: %s %s [D10.7]', async (how, method, statusLine) => {
    const { status, statusText } = await fetch(`http://127.0.0.1:${running.port}/fails/${how}`, { method });
    expect(`${status} ${statusText}`).toBe(statusLine);
  });

  it('sends the reason phrase also before the end of a body', async () => {
    const socket = connect(running.port, '127.0.0.1');
    socket.write('GET /fails/full HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n12345');
    const [head] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(head.toString()).toMatch(/^HTTP\/1\.1 503 Out of storage space\r\n/);
  });

  it('sends Retry-After with every 503', async () => {
    const full = await request(running.server).get('/fails/full');
    expect(full.headers['retry-after']).toBe('5');
  });

  it.each([
    ['nonsense\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
  ])('answers invalid HTTP with an error body [D10.2]', async (text, status) => {
    const socket = connect(running.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(text);
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*"ExceptionType"`));
    socket.destroy();
  });

  it.each([
    [false, ''],
    [true, expect.stringContaining('errors.test')],
  ])('has a stack trace only when a setting says so: %p [D2.5]', async (debugErrors, expected) => {
    const { body } = (await request(createHttpApp({ routes, log, debugErrors })).get('/fails/inside').expect(500)) as { body: object };
    expect(body).toMatchObject({ StackTrace: expected });
    expect(body).toMatchObject({ message: expect.not.stringContaining('must not leave') });
  });
});
