import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { PathScope, type Principal } from '@sinebar/access-control';
import { ServiceError, type ErrorBody } from '@sinebar/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import request from 'supertest';
import { z } from 'zod';
import { createHttpApp } from './http-app.js';
import { closeHttpServer, createHttpServer, listen } from './http-server.js';
import { createLogger } from '@sinebar/runtime';
import { booleanParameter, listOf, members, uuidListParameter, uuidParameter } from './parameters.js';
import { RequestDeadline } from './request-deadline.js';
import { reply } from './route.js';
import { testRoute } from './undocumented-route.fixture.js';

const log = createLogger({ service: 'test', level: 'silent' });
const uuid = '05040c4c-f0af-46b8-810e-30c0c00a379e';
const nobody: Principal = { name: 'nobody', rightsKey: 'none', scopeOf: () => PathScope.NOTHING, holds: () => false };

let aborted: unknown;
let arrived: () => void;
const arrival = () => new Promise<void>((resolve) => (arrived = resolve));

/** Counts for `/dataServiceRest/found` how often the time to the first byte ended before and after that byte. */
const watch = { before: -1, after: -1 };
let answering: jest.SpiedFunction<RequestDeadline['answering']>;

const routes = [
  testRoute({
    method: 'GET',
    path: '/dataServiceRest/things',
    permission: 'plan:read',
    deadline: 'read',
    query: z.object({ thingUuids: uuidListParameter.optional(), deep: booleanParameter.default(false), wanted: z.string().optional() }),
    keepEmpty: ['wanted'],
    handle: ({ query }) => Promise.resolve(reply.json(query)),
  }),
  testRoute({
    method: 'POST',
    path: '/dataServiceRest/things',
    permission: 'plan:write',
    deadline: 'write',
    body: listOf(members({ uuid: uuidParameter, fileName: z.string().optional() }), 'must be an array'),
    handle: ({ body }) => Promise.resolve(reply.json(body, 201)),
  }),
  testRoute({
    method: 'DELETE',
    path: '/dataServiceRest/things',
    permission: 'plan:write',
    deadline: 'long',
    query: z.object({ thingUuids: uuidListParameter.optional() }),
    handle: ({ query }) => Promise.resolve(reply.json(query)),
  }),
  testRoute({
    method: 'GET',
    path: '/dataServiceRest/things/:uuid',
    permission: 'open',
    deadline: 'read',
    params: z.object({ uuid: uuidParameter }),
    handle: ({ params }) => Promise.resolve(reply.json(params)),
  }),
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
  testRoute({
    method: 'GET',
    path: '/origin',
    permission: 'open',
    deadline: 'read',
    handle: ({ context }) => Promise.resolve(reply.json(context.origin)),
  }),
  testRoute({
    method: 'GET',
    path: '/trace',
    permission: 'open',
    deadline: 'read',
    handle: ({ context }) => {
      context.log.info('handled');
      return Promise.resolve(reply.json(context.traceparent ?? null));
    },
  }),
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
          await new Promise((resolve) => setTimeout(resolve, 20));
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
            await new Promise((resolve) => setTimeout(resolve, 20));
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
          await new Promise((resolve) => setTimeout(resolve, 20));
          if ((params as { how: string }).how === 'breaks') throw new Error('in the middle');
          sink.write('y');
        }),
      ),
  }),
];

describe('http app', () => {
  let server: Server;
  let port: number;
  beforeAll(async () => {
    server = createHttpServer(createHttpApp({ routes, log, limits: { bodyBytes: 10_000, inFlightBytes: 15_000 } }));
    port = await listen(server, 0, '127.0.0.1');
  });
  afterAll(() => closeHttpServer(server, 100));
  afterEach(() => (aborted = undefined));

  it('matches paths, parameter names, uuids and booleans in any case', async () => {
    const answer = await request(server)
      .get(`/DATASERVICEREST/Things/?THINGUUIDS={{${uuid.toUpperCase()}},${uuid}}&deep=True&other=1`)
      .expect(200);
    expect(answer.body).toEqual({ thingUuids: [uuid], deep: true });
    expect((await request(server).get(`/dataservicerest/things/{${uuid.toUpperCase()}}`).expect(200)).body).toEqual({ uuid });
  });

  it('knows its own address from the public one that is set, else from the host of the request', async () => {
    expect((await request(server).get('/origin').set('Host', 'plant.example:8080')).body).toBe('http://plant.example:8080');
    const behindProxy = createHttpServer(createHttpApp({ routes, log, publicUrl: 'https://plant.example/quality/' }));
    await listen(behindProxy, 0, '127.0.0.1');
    try {
      expect((await request(behindProxy).get('/origin').set('Host', 'inside:1234')).body).toBe('https://plant.example/quality');
    } finally {
      await closeHttpServer(behindProxy, 100);
    }
  });

  it('answers a request with an expectation that it does not know as if there were none', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /dataServiceRest/things HTTP/1.1\r\nHost: localhost\r\nExpect: miracle\r\n\r\n');
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  it('takes an empty parameter as not sent, but where empty means something', async () => {
    expect((await request(server).get('/dataServiceRest/things?thingUuids=&deep=&wanted=').expect(200)).body).toEqual({
      deep: false,
      wanted: '',
    });
  });

  it.each([
    ['deep=maybe', 'deep'],
    ['thingUuids={1}', 'thingUuids'],
    ['deep=true&DEEP=false', 'deep'],
    ['deep=%E0%A4', 'deep'],
    ['wanted=a%00b', 'wanted'],
  ])('refuses ?%s with 400 that names %s', async (query, name) => {
    const body = (await request(server).get(`/dataServiceRest/things?${query}`).expect(400)).body as ErrorBody;
    expect(body).toMatchObject({ ExceptionType: 'InvalidRequest', StackTrace: '' });
    expect(body.message).toContain(name);
    expect(body.Message).toBe(body.message);
  });

  it.each(['thingUuid={}', 'thingUuids=', 'thingUuids', 'x'])('deletes nothing for ?%s', async (query) => {
    await request(server).delete(`/dataServiceRest/things?${query}`).expect(400);
  });

  it('reads bodies with members in any case, plain and compressed', async () => {
    const body = JSON.stringify([{ UUID: `{${uuid}}`, FILENAME: 'a', version: 'ignored' }]);
    const expected = [{ uuid, fileName: 'a' }];
    expect(
      (await request(server).post('/dataServiceRest/things').set('Content-Type', 'application/json').send(body).expect(201)).body,
    ).toEqual(expected);
    const zipped = request(server).post('/dataServiceRest/things').set('Content-Type', 'application/json').set('Content-Encoding', 'gzip');
    zipped.write(gzipSync(body));
    expect((await zipped.expect(201)).body).toEqual(expected);
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
    ['another type', 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415, /application\/json/],
    ['another charset', '[]', { 'Content-Type': 'application/json; charset=utf-16' }, 415, /UTF-8/],
    ['an unknown coding', '[]', { 'Content-Encoding': 'zstd' }, 415, /gzip, deflate or br/],
    ['a false coding', '[]', { 'Content-Encoding': 'gzip' }, 400, /does not agree/],
    ['too much', `["${'x'.repeat(10_000)}"]`, {}, 413, /larger than 10000 bytes/],
    ['too much inside gzip', gzipSync(`["${'x'.repeat(10_000)}"]`), { 'Content-Encoding': 'gzip' }, 413, /larger than/],
  ])('refuses %s', async (_name, body, headers, status, message) => {
    const answer = await request(server)
      .post('/dataServiceRest/things')
      .set({ 'Content-Type': 'application/json', ...headers })
      .serialize((value) => value as string)
      .send(body as string);
    expect(answer.status).toBe(status);
    expect((answer.body as { message: string }).message).toMatch(message);
    expect((answer.body as { requestId: string }).requestId).toBe(answer.headers['x-request-id']);
  });

  it('does not count the escaped backslash before u0000 as a character', async () => {
    await request(server)
      .post('/dataServiceRest/things')
      .send([{ uuid, fileName: '\\u0000' }])
      .expect(201);
  });

  it('gives the bytes of a body back to the budget', async () => {
    for (let i = 0; i < 5; i += 1) {
      await request(server)
        .post('/dataServiceRest/things')
        .send([{ uuid, fileName: 'x'.repeat(9000) }])
        .expect(201);
    }
  });

  it('answers 404 for no route, 405 with Allow for no method', async () => {
    expect((await request(server).get('/dataServiceRest/nothing').expect(404)).body).toMatchObject({ ExceptionType: 'NotFound' });
    const answer = await request(server).put('/dataservicerest/THINGS/').expect(405);
    expect(answer.headers['allow']).toBe('DELETE, GET, HEAD, POST');
    await request(server).get('/dataServiceRest/things/%E0%A4%A').expect(400);
  });

  it('sends safe texts only: a sentence for what is known, a neutral one for a defect', async () => {
    const busy = await request(server).get('/fails/busy').expect(503);
    expect(busy.headers['retry-after']).toBe('3');
    const defect = await request(server).get('/fails/inside').expect(500);
    expect(JSON.stringify(defect.body)).not.toContain('must not leave');
  });

  it.each([
    ['busy', 'GET', '503 Service unavailable, try again later'],
    ['full', 'GET', '503 Out of storage space'],
    ['defect', 'GET', '500 Internal error, see the log of the server'],
    ['full', 'HEAD', '503 Out of storage space'],
    ['no-such-address', 'PUT', '405 Method Not Allowed'],
  ])('sends a reason phrase that people can read: %s %s', async (how, method, statusLine) => {
    const { status, statusText } = await fetch(`http://127.0.0.1:${port}/fails/${how}`, { method });
    expect(`${status} ${statusText}`).toBe(statusLine);
  });

  it('sends the reason phrase also when it answers before the end of a body', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /fails/full HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n12345');
    const [head] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(head.toString()).toMatch(/^HTTP\/1\.1 503 Out of storage space\r\n/);
  });

  it('sends Retry-After with every 503', async () => {
    const full = await request(server).get('/fails/full');
    expect(full.headers['retry-after']).toBe('5');
  });

  it('aborts the work of a client that is gone', async () => {
    const socket = connect(port, '127.0.0.1');
    const begun = arrival();
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await begun;
    const ended = arrival();
    socket.destroy();
    await ended;
    expect(aborted).toMatchObject({ name: 'ClientDisconnected' });
  });

  it.each(['identity', 'gzip'])('watches the time until a streamed answer begins, with coding %s', async (coding) => {
    answering = jest.spyOn(RequestDeadline.prototype, 'answering');
    await request(server).get('/dataServiceRest/found').set('Accept-Encoding', coding).expect(200);
    answering.mockRestore();
    expect(watch).toEqual({ before: 0, after: 1 });
  });

  it('breaks the connection when a streamed answer fails in the middle', async () => {
    expect((await request(server).get('/stream/whole').expect(200)).headers['content-type']).toBe('text/plain');
    await expect(request(server).get('/stream/breaks')).rejects.toThrow(/aborted|hang up|closed/i);
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
  ])('sends a list to who accepts "%s" with coding %s', async (accepted, coding) => {
    const answer = await request(server).get('/list/whole').set('Accept-Encoding', accepted).expect(200);
    expect(answer.body).toEqual([...Array.from({ length: 50_000 }, () => 1), 2]);
    expect(answer.headers['content-encoding']).toBe(coding);
    expect(answer.headers['vary']).toMatch(/Accept-Encoding/);
    const plain = await request(server).get('/list/whole/plain').set('Accept-Encoding', accepted).expect(200);
    expect(plain.headers['content-encoding']).toBeUndefined();
  });

  it('sends what has announced its length whole, packed as well', async () => {
    const answer = await request(server).get('/measured').set('Accept-Encoding', 'gzip').expect(200);
    expect(answer.body).toBe('x'.repeat(4998));
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(answer.headers['content-length']).toBeUndefined();
  });

  it('packs nothing of a list that fails before it begins, and breaks the connection when it fails later', async () => {
    const failed = await request(server).get('/list/fails').set('Accept-Encoding', 'gzip').expect(503);
    expect(failed.body).toMatchObject({ message: 'the database is away' });
    await expect(request(server).get('/list/breaks').set('Accept-Encoding', 'gzip')).rejects.toThrow(/aborted|hang up|closed/i);
    const head = await request(server).head('/list/whole').set('Accept-Encoding', 'gzip').expect(200);
    expect(head.headers['content-encoding']).toBeUndefined();
  });

  it('tells no more than twenty problems of a body of mistakes, soon', async () => {
    const { body } = (await request(server)
      .post('/dataServiceRest/things')
      .send(Array.from({ length: 4000 }, () => 1))
      .expect(400)) as { body: ErrorBody };
    expect(body.details).toHaveLength(20);
  });

  it('answers before the end of a body that is too large, and closes', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('POST /dataServiceRest/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20000\r\n\r\n[');
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toMatch(/^HTTP\/1\.1 413 [\s\S]*Connection: close/i);
    socket.destroy();
  });

  it.each([
    ['nonsense\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
  ])('answers what is not HTTP with an error body', async (text, status) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(text);
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*"ExceptionType"`));
    socket.destroy();
  });

  it('asks for the right that a route declares', async () => {
    const closed = createHttpApp({ routes, log, authenticate: () => Promise.resolve(nobody) });
    expect((await request(closed).get('/dataServiceRest/things').expect(403)).body).toMatchObject({ ExceptionType: 'Forbidden' });
    await request(closed).get(`/dataServiceRest/things/${uuid}`).expect(200);
  });

  it('keeps a caller’s request id and compresses for who asks', async () => {
    const answer = await request(server).get('/stream/whole').set('X-Request-Id', 'my-id.1').set('Accept-Encoding', 'gzip');
    expect(answer.headers['x-request-id']).toBe('my-id.1');
    expect(answer.headers['content-encoding']).toBe('gzip');
    const forged = await request(server).get('/stream/whole').set('X-Request-Id', 'a b').set('Accept-Encoding', 'identity');
    expect(forged.headers['x-request-id']).not.toBe('a b');
    expect(forged.headers['content-encoding']).toBeUndefined();
  });
});

describe('the trace of a request', () => {
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const traceparent = `00-${trace}-b7ad6b7169203331-01`;

  it.each([
    [traceparent, traceparent, trace],
    ['00-nonsense-01', null, undefined],
    [`00-${trace}-b7ad6b7169203331-01'*/;--`, null, undefined],
  ])('%s', async (sent, handed, traceId) => {
    const destination = new PassThrough();
    const app = createHttpApp({ routes, log: createLogger({ service: 'test', level: 'debug', destination }) });
    const answer = await request(app).get('/trace').set('traceparent', sent).set('X-Request-Id', 'mine').expect(200);
    expect(answer.body).toBe(handed);
    let text = '';
    for await (const chunk of destination) {
      text += String(chunk);
      if (text.includes('"msg":"request"')) break;
    }
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string; requestId: string; traceId?: string });
    expect(lines.map(({ msg, requestId, traceId: id }) => [msg, requestId, id])).toEqual([
      ['handled', 'mine', traceId],
      ['request', 'mine', traceId],
    ]);
  });
});
