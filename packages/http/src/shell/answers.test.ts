import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ServiceError } from '@sinebar/contracts';
import { describe, expect, it, jest } from '@jest/globals';
import request from 'supertest';
import { RequestDeadline } from './request-deadline.ts';
import { reply } from '../route.ts';
import { runningServer } from './running-server.fixture.ts';
import { testRoute } from '../undocumented-route.fixture.ts';

let aborted: unknown;
let arrived: () => void;
const arrival = () => new Promise<void>((resolve) => (arrived = resolve));
/** Resolves when the client has the head of the answer that is to break. */
let begun: Promise<void>;

/** Counts for `/dataServiceRest/found` how often the time to the first byte ended before and after that byte. */
const watch = { before: -1, after: -1 };
let answering: jest.SpiedFunction<RequestDeadline['answering']>;

const routes = [
  testRoute({
    method: 'GET',
    path: '/slow',
    permission: 'open',
    deadline: 'read',
    handle: ({ context }) =>
      new Promise((_, reject) => {
        context.signal.addEventListener('abort', () => {
          aborted = context.signal.reason;
          reject(context.signal.reason as Error);
          arrived();
        });
        arrived();
      }),
  }),
  testRoute({
    method: 'GET',
    path: '/dataServiceRest/found',
    permission: 'open',
    deadline: 'read',
    handle: () =>
      Promise.resolve(
        reply.stream({ 'Content-Type': 'text/plain' }, async (sink) => {
          await nextTurn();
          watch.before = answering.mock.calls.length;
          sink.write('x'.repeat(5000));
          watch.after = answering.mock.calls.length;
        }),
      ),
  }),
  ...(['/list/:how', '/list/:how/plain'] as const).map((path) =>
    testRoute({
      method: 'GET',
      path,
      permission: 'open',
      deadline: 'read',
      ...(path.endsWith('/plain') && { contentCoding: 'identity' as const }),
      handle: ({ params }) =>
        Promise.resolve(
          reply.stream({ 'Content-Type': 'application/json; charset=utf-8' }, async (sink) => {
            const { how } = params as { how: string };
            if (how === 'fails') throw new ServiceError('Unavailable', 'the database is away');
            sink.write(`[${'1,'.repeat(50_000)}`);
            await (how === 'breaks' ? begun : nextTurn());
            if (how === 'breaks') throw new Error('in the middle');
            sink.write('2]');
          }),
        ),
    }),
  ),
  testRoute({
    method: 'GET',
    path: '/measured',
    permission: 'open',
    deadline: 'read',
    handle: () =>
      Promise.resolve(
        reply.stream({ 'Content-Type': 'application/json', 'Content-Length': '5000' }, (sink) => {
          sink.write(JSON.stringify('x'.repeat(4998)));
          return Promise.resolve();
        }),
      ),
  }),
  testRoute({
    method: 'GET',
    path: '/stream/:how',
    permission: 'open',
    deadline: 'read',
    handle: ({ params }) =>
      Promise.resolve(
        reply.stream({ 'Content-Type': 'text/plain' }, async (sink) => {
          sink.write('x'.repeat(5000));
          const { how } = params as { how: string };
          await (how === 'breaks' ? begun : nextTurn());
          if (how === 'breaks') throw new Error('in the middle');
          sink.write('y');
        }),
      ),
  }),
];

describe('the answer of a route', () => {
  const running = runningServer({ routes });

  /** Reads an answer to its end. @throws when the connection breaks */
  const read = async (path: string): Promise<Buffer> => {
    begun = arrival();
    const [answer] = (await once(get({ port: running.port, path, headers: { 'Accept-Encoding': 'gzip' } }), 'response')) as [
      IncomingMessage,
    ];
    arrived();
    return buffer(answer);
  };

  it('aborts the work when the client disconnects', async () => {
    const socket = connect(running.port, '127.0.0.1');
    const begun = arrival();
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await begun;
    const ended = arrival();
    socket.destroy();
    await ended;
    expect(aborted).toMatchObject({ name: 'ClientDisconnected' });
  });

  it.each(['identity', 'gzip'])('measures the time until a streamed answer begins, with coding %s', async (coding) => {
    answering = jest.spyOn(RequestDeadline.prototype, 'answering');
    await request(running.server).get('/dataServiceRest/found').set('Accept-Encoding', coding).expect(200);
    answering.mockRestore();
    expect(watch).toEqual({ before: 0, after: 1 });
  });

  it('breaks the connection when a streamed answer fails', async () => {
    expect((await request(running.server).get('/stream/whole').expect(200)).headers['content-type']).toBe('text/plain');
    await expect(read('/stream/breaks')).rejects.toThrow('aborted');
  });

  it.each([
    ['gzip', 'gzip'],
    ['br, gzip', 'gzip'],
    ['gzip;q=0.5, deflate', 'gzip'],
    ['*', 'gzip'],
    ['br', 'br'],
    ['deflate', 'deflate'],
    ['gzip;q=0.5, identity', undefined],
    ['gzip;q=0', undefined],
    ['', undefined],
  ])('answers a list for "%s" with coding %s [D10.5]', async (accepted, coding) => {
    const answer = await request(running.server).get('/list/whole').set('Accept-Encoding', accepted).expect(200);
    expect(answer.body).toEqual([...Array.from({ length: 50_000 }, () => 1), 2]);
    expect(answer.headers['content-encoding']).toBe(coding);
    expect(answer.headers['vary']).toMatch(/Accept-Encoding/);
    const plain = await request(running.server).get('/list/whole/plain').set('Accept-Encoding', accepted).expect(200);
    expect(plain.headers['content-encoding']).toBeUndefined();
  });

  it('sends an answer with a known length completely, also compressed', async () => {
    const answer = await request(running.server).get('/measured').set('Accept-Encoding', 'gzip').expect(200);
    expect(answer.body).toBe('x'.repeat(4998));
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(answer.headers['content-length']).toBeUndefined();
  });

  it('sends an error when a list fails before its start, and breaks the connection when it fails later', async () => {
    const failed = await request(running.server).get('/list/fails').set('Accept-Encoding', 'gzip').expect(503);
    expect(failed.body).toMatchObject({ message: 'the database is away' });
    await expect(read('/list/breaks')).rejects.toThrow('aborted');
    const head = await request(running.server).head('/list/whole').set('Accept-Encoding', 'gzip').expect(200);
    expect(head.headers['content-encoding']).toBeUndefined();
  });

  it('keeps the request id of the client and compresses on request [D2.4, D10.5]', async () => {
    const answer = await request(running.server).get('/stream/whole').set('X-Request-Id', 'my-id.1').set('Accept-Encoding', 'gzip');
    expect(answer.headers['x-request-id']).toBe('my-id.1');
    expect(answer.headers['content-encoding']).toBe('gzip');
    const forged = await request(running.server).get('/stream/whole').set('X-Request-Id', 'a b').set('Accept-Encoding', 'identity');
    expect(forged.headers['x-request-id']).not.toBe('a b');
    expect(forged.headers['content-encoding']).toBeUndefined();
  });
});
