import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { PathScope, type Principal } from '@sinebar/access-control';
import type { ErrorBody } from '@sinebar/contracts';
import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { z } from 'zod';
import { createHttpApp } from './http-app.ts';
import { closeHttpServer, createHttpServer, listen } from '../http-server.ts';
import { createLogger } from '@sinebar/runtime';
import { booleanParameter, uuidListParameter, uuidParameter } from '../parameters.ts';
import { reply } from '../route.ts';
import { runningServer } from './running-server.fixture.ts';
import { testRoute } from '../undocumented-route.fixture.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const uuid = '05040c4c-f0af-46b8-810e-30c0c00a379e';
const nobody: Principal = { name: 'nobody', rightsKey: 'none', scopeOf: () => PathScope.NOTHING, holds: () => false };

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
    method: 'GET',
    path: '/dataServiceRest/figures',
    permission: 'plan:read',
    deadline: 'read',
    query: z.object({ subgroup: z.string().optional(), convention: z.string().optional() }),
    knowsAllParameters: true,
    handle: ({ query }) => Promise.resolve(reply.json(query)),
  }),
  testRoute({
    method: 'POST',
    path: '/dataServiceRest/things',
    permission: 'plan:write',
    deadline: 'write',
    handle: () => Promise.resolve(reply.empty(201)),
  }),
  testRoute({
    method: 'DELETE',
    path: '/dataServiceRest/things',
    deletes: { selectedBy: ['thingUuids'] },
    permission: 'plan:write',
    deadline: 'long',
    query: z.object({ thingUuids: uuidListParameter.optional() }),
    handle: ({ query }) => Promise.resolve(reply.json(query)),
  }),
  testRoute({
    method: 'DELETE',
    path: '/dataServiceRest/things/:uuid',
    deletes: 'item',
    permission: 'open',
    deadline: 'long',
    handle: () => Promise.resolve(reply.empty(200)),
  }),
  testRoute({
    method: 'POST',
    path: '/dataServiceRest/things/:uuid/clear',
    deletes: { selectedBy: [] },
    permission: 'open',
    deadline: 'long',
    handle: () => Promise.resolve(reply.empty(200)),
  }),
  testRoute({
    method: 'GET',
    path: '/dataServiceRest/names/*name',
    permission: 'open',
    deadline: 'read',
    handle: ({ path }) => Promise.resolve(reply.json(path)),
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
];

describe('the address of a request', () => {
  const running = runningServer({ routes });

  it('matches paths, parameter names, uuids and booleans in any case [I4, D1.2, D1.7]', async () => {
    const answer = await request(running.server)
      .get(`/DATASERVICEREST/Things/?THINGUUIDS={{${uuid.toUpperCase()}},${uuid}}&deep=True&other=1`)
      .expect(200);
    expect(answer.body).toEqual({ thingUuids: [uuid], deep: true });
    expect((await request(running.server).get(`/dataservicerest/things/{${uuid.toUpperCase()}}`).expect(200)).body).toEqual({ uuid });
  });

  it('builds its address from the configured public one, else from the host of the request [D5.7]', async () => {
    expect((await request(running.server).get('/origin').set('Host', 'plant.example:8080')).body).toBe('http://plant.example:8080');
    const behindProxy = createHttpServer(createHttpApp({ routes, log, publicUrl: 'https://plant.example/quality/' }));
    await listen(behindProxy, 0, '127.0.0.1');
    try {
      expect((await request(behindProxy).get('/origin').set('Host', 'inside:1234')).body).toBe('https://plant.example/quality');
      const wrong = await request(behindProxy).get('/Quality/origin');
      expect(wrong.status).toBe(404);
      expect((wrong.body as { message: string }).message).toMatch(
        /the proxy in front of the server must take away \/quality, the path of SINEBAR_PUBLIC_URL/,
      );
    } finally {
      await closeHttpServer(behindProxy, 100);
    }
  });

  it('ignores unknown expectations of a request', async () => {
    const socket = connect(running.port, '127.0.0.1');
    socket.write('GET /dataServiceRest/things HTTP/1.1\r\nHost: localhost\r\nExpect: miracle\r\n\r\n');
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  it('treats an empty parameter as not sent, except where empty has a meaning [D1.7]', async () => {
    expect((await request(running.server).get('/dataServiceRest/things?thingUuids=&deep=&wanted=').expect(200)).body).toEqual({
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
  ])('refuses ?%s with 400 that names %s [I9, I190, D1.7]', async (query, name) => {
    const body = (await request(running.server).get(`/dataServiceRest/things?${query}`).expect(400)).body as ErrorBody;
    expect(body).toMatchObject({ ExceptionType: 'InvalidRequest', StackTrace: '' });
    expect(body.message).toContain(name);
    expect(body.Message).toBe(body.message);
  });

  it.each([
    ['things?offset=10', 'offset'],
    ['things?Skip=1', 'Skip'],
    ['things?deep=true&PAGE=', 'PAGE'],
    ['things?thingUuids[]=x', 'thingUuids'],
    ['things?thinguuids%5B0%5D=x', 'thingUuids'],
    ['things?thingUuids[0][a]', 'thingUuids'],
    ['things?deep=true&amp;thingUuids={}', '&amp;'],
    ['things?amp%3Bamp%3Bwanted=x', 'wanted'],
    [`things/${uuid}?offset=10`, 'offset'],
  ])('refuses %s, which would be answered with something else than was asked for, naming %s [D1.7]', async (address, name) => {
    for (const method of ['get', 'head'] as const) {
      const answer = await request(running.server)[method](`/dataServiceRest/${address}`).expect(400);
      if (method === 'get') expect((answer.body as ErrorBody).message).toContain(name);
    }
  });

  it.each(['limit=1', 'offsets=1', 'page[]=1', 'other[]=1', 'thingUuids[=1', '[]=1', 'amp;other=1', 'amp;=1', '=1', 'xamp;deep=1'])(
    'ignores the unknown parameter %s on GET [D1.7]',
    async (query) => {
      await request(running.server).get(`/dataServiceRest/things?${query}`).expect(200);
    },
  );

  it.each([
    ['subgroups=5', 'Parameter "subgroups" is not known. Did you mean subgroup?'],
    ['colour', 'Parameter "colour" is not known. This address knows subgroup, convention.'],
  ])('refuses the unknown parameter %s where a route knows all of its own [D1.7]', async (query, message) => {
    const answer = await request(running.server).get(`/dataServiceRest/figures?${query}`).expect(400);
    expect((answer.body as ErrorBody).message).toBe(message);
    await request(running.server).get('/dataServiceRest/figures?Subgroup=5').expect(200, { subgroup: '5' });
  });
  it('ignores unknown parameters of changes that delete nothing [D1.7]', async () => {
    await request(running.server).post('/dataServiceRest/things?offset=1&amp;deep=x&x[]=').expect(201);
  });

  it.each(['thingUuid={}', 'thingUuids=', 'thingUuids', 'x'])('deletes nothing for ?%s [D1.7]', async (query) => {
    await request(running.server).delete(`/dataServiceRest/things?${query}`).expect(400);
  });

  it('answers 404 for no route, 405 with Allow for no method [D2.6]', async () => {
    expect((await request(running.server).get('/dataServiceRest/nothing').expect(404)).body).toMatchObject({ ExceptionType: 'NotFound' });
    const answer = await request(running.server).put('/dataservicerest/THINGS/').expect(405);
    expect(answer.headers['allow']).toBe('DELETE, GET, HEAD, POST');
    await request(running.server).get('/dataServiceRest/things/%E0%A4%A').expect(400);
  });

  it.each([`//dataServiceRest/things/${uuid}`, `/dataServiceRest//things/${uuid}`, `////DataServiceRest///things/${uuid}/`])(
    'makes one slash of several at the prefix of a service: %s [D1.4]',
    async (address) => {
      expect((await request(running.server).get(address).expect(200)).body).toEqual({ uuid });
      await request(running.server).delete(address).expect(200);
    },
  );

  it('merges the slashes of an absolute address [D1.4]', async () => {
    const socket = connect(running.port, '127.0.0.1');
    socket.write(`GET http://localhost//dataServiceRest//things/${uuid} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  it.each([
    `/dataServiceRest/things//${uuid}`,
    `/%2FdataServiceRest/things/${uuid}`,
    `/dataServiceRest%2F/things/${uuid}`,
    `/dataServiceRest/%2Fthings/${uuid}`,
    `/dataServiceRest/things%2F${uuid}`,
    `//x/dataServiceRest/things/${uuid}`,
  ])('leaves other slashes and encoded ones alone: %s [D1.4]', async (address) => {
    await request(running.server).get(address).expect(404);
  });

  it('keeps the slashes of a name [D1.4]', async () => {
    expect((await request(running.server).get('//dataServiceRest//names//a//b%2F?x=//').expect(200)).body).toBe(
      '/dataServiceRest/names//a//b%2F',
    );
  });

  it.each([
    ['delete', '/dataServiceRest/things//x'],
    ['delete', `/dataServiceRest/things/${uuid}//`],
    ['delete', `/dataServiceRest/things//${uuid}?thingUuids={${uuid}}`],
    ['delete', `//dataServiceRest//things//${uuid}`],
    ['delete', '/dataServiceRest/things//'],
    ['post', '/dataServiceRest/things//clear'],
    ['post', `/dataServiceRest/things/${uuid}//clear`],
    ['post', `/dataServiceRest//things//${uuid}/CLEAR/`],
  ] as const)('refuses to %s at an address with an empty segment: %s [D1.4]', async (method, address) => {
    const { message } = (await request(running.server)[method](address).expect(400)).body as ErrorBody;
    expect(message).toContain('has an empty segment (//), so nothing was deleted.');
  });

  it('checks the right that a route declares [D8.1]', async () => {
    const closed = createHttpApp({ routes, log, authenticate: () => Promise.resolve(nobody) });
    expect((await request(closed).get('/dataServiceRest/things').expect(403)).body).toMatchObject({ ExceptionType: 'Forbidden' });
    await request(closed).get(`/dataServiceRest/things/${uuid}`).expect(200);
  });
});

describe('trace of a request', () => {
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
