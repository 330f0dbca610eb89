import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ErrorBody } from '@sinebar/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { z } from 'zod';
import { uuidListParameter, uuidParameter } from '../parameters.ts';
import { reply } from '../route.ts';
import { testRoute } from '../undocumented-route.fixture.ts';
import { runningServer } from './running-server.fixture.ts';

const uuid = '05040c4c-f0af-46b8-810e-30c0c00a379e';
const THINGS = '/dataServiceRest/things';
let deleted: string[] = [];
const deletes = (what: string) => () => {
  deleted.push(what);
  return Promise.resolve(reply.empty());
};

const routes = [
  testRoute({
    method: 'DELETE',
    path: THINGS,
    deletes: { selectedBy: ['thingUuids'] },
    permission: 'open',
    deadline: 'long',
    query: z.object({ thingUuids: uuidListParameter.optional(), deep: z.string().default('false') }),
    handle: deletes('many'),
  }),
  testRoute({
    method: 'DELETE',
    path: `${THINGS}/:uuid`,
    deletes: 'item',
    permission: 'open',
    deadline: 'long',
    params: z.object({ uuid: uuidParameter }),
    handle: deletes('one'),
  }),
  testRoute({
    method: 'POST',
    path: `${THINGS}/:uuid/clear`,
    deletes: { selectedBy: ['keep'] },
    permission: 'open',
    deadline: 'long',
    query: z.object({ keep: z.string().optional() }),
    keepEmpty: ['keep'],
    handle: deletes('content'),
  }),
];

describe('a deletion', () => {
  const running = runningServer({ routes });
  beforeEach(() => {
    deleted = [];
  });

  /** Sends bytes as they are and reads the answer up to the end of its head. */
  async function sendRaw(head: string, body = ''): Promise<string> {
    const socket = connect(running.port, '127.0.0.1');
    socket.write(`${head}\r\nHost: localhost\r\n\r\n${body}`);
    const [data] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return data.toString();
  }

  it.each([
    ['a length', 'Content-Length: 3', '{}\n'],
    ['a length whose bytes never come', 'Content-Length: 1', ''],
    ['chunks', 'Transfer-Encoding: chunked', '1\r\n \r\n0\r\n\r\n'],
    ['a chunk without an end', 'Transfer-Encoding: chunked', '2\r\n[]\r\n'],
    ['compressed chunks', 'Content-Encoding: gzip\r\nTransfer-Encoding: chunked', '2\r\n[]\r\n0\r\n\r\n'],
  ])('with a body of %s is refused where the address names no item [D1.7]', async (_name, headers, body) => {
    for (const line of [`DELETE ${THINGS}`, `DELETE ${THINGS}?thingUuids=${uuid}`, `POST ${THINGS}/${uuid}/clear`]) {
      const answer = await sendRaw(`${line} HTTP/1.1\r\n${headers}`, body);
      expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*nothing was deleted\. Say the selection in the address\./);
    }
    expect(deleted).toEqual([]);
  });

  it.each([
    ['Content-Length: 0', ''],
    ['Content-Type: application/json', ''],
    ['Content-Type: application/json\r\nTransfer-Encoding: chunked', '0\r\n\r\n'],
    ['Transfer-Encoding: chunked', '0\r\nTrailer: x\r\n\r\n'],
  ])('with %s has no body [D1.7]', async (headers, body) => {
    expect(await sendRaw(`DELETE ${THINGS} HTTP/1.1\r\n${headers}`, body)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await sendRaw(`POST ${THINGS}/${uuid}/clear HTTP/1.1\r\n${headers}`, body)).toMatch(/^HTTP\/1\.1 200 /);
    expect(deleted).toEqual(['many', 'content']);
  });

  it('waits for the first byte of a chunked body or for its end, and keeps the connection', async () => {
    const socket = connect(running.port, '127.0.0.1');
    const first = once(socket, 'data');
    socket.write(`DELETE ${THINGS} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`);
    await request(running.server).delete(`${THINGS}/${uuid}`).expect(200);
    expect(deleted).toEqual(['one']);
    socket.write('0\r\n\r\n');
    await first;
    expect(deleted).toEqual(['one', 'many']);
    const second = once(socket, 'data');
    socket.write(`DELETE ${THINGS}/${uuid} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await second;
    expect(deleted).toEqual(['one', 'many', 'one']);
    socket.destroy();
  });

  it.each(['', '2\r\n', 'x\r\n'])('deletes nothing when the client leaves inside a chunked body (%j)', async (beginning) => {
    const left = once(running.server, 'connection').then(([socket]) => once(socket as Socket, 'close'));
    const socket = connect(running.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`DELETE ${THINGS} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${beginning}`, () => socket.end());
    await left;
    await request(running.server).delete(`${THINGS}/${uuid}`).expect(200);
    expect(deleted).toEqual(['one']);
  });

  it('skips a body where the address names one item [D1.7]', async () => {
    await request(running.server).delete(`${THINGS}/${uuid}`).send(['x']).expect(200);
    await request(running.server).delete(`${THINGS}/${uuid}/`).set('Content-Type', 'text/plain').send('x').expect(200);
    expect(deleted).toEqual(['one', 'one']);
  });

  it.each(['/', '/?', '/?&', '/?deep=true', '/#', '/%20', '/%20%09', '/%C2%A0', '/%7B%7D', '/%22%22', '/{}', '/%00', '/%E2%80%8B', '/%2F'])(
    'of everything is refused at an address that ends with %s [D1.4]',
    async (end) => {
      expect(await sendRaw(`DELETE ${THINGS}${end} HTTP/1.1`)).toMatch(/^HTTP\/1\.1 400 /);
      expect(deleted).toEqual([]);
    },
  );

  it.each([
    [`DELETE ${THINGS}#`, '#', '%23'],
    [`DELETE ${THINGS}#/${uuid}`, '#', '%23'],
    [`DELETE ${THINGS}/${uuid}#/`, '#', '%23'],
    [`DELETE ${THINGS}#?thingUuids=${uuid}`, '#', '%23'],
    [`DELETE http://localhost${THINGS.replace('/things', '\\things')}`, '\\', '%5C'],
    [`POST ${THINGS}/${uuid}/clear#?keep=x`, '#', '%23'],
  ])('is refused where readers disagree about the end of the address: %s [D1.4]', async (line, sign, code) => {
    const answer = await sendRaw(`${line} HTTP/1.1`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain(
      `contains a ${sign}, so nothing was deleted. Write it as ${code} where it belongs to a name.`.replace('\\', '\\\\'),
    );
    expect(deleted).toEqual([]);
  });

  it('says what to do about an empty name [D1.4]', async () => {
    const { body } = (await request(running.server).delete(`${THINGS}/`).expect(400)) as { body: ErrorBody };
    expect(body.message).toBe(
      'The name at the end of the address is empty, so nothing was deleted. Name what is to be deleted, or leave out the slash to delete all.',
    );
  });

  it('may have a slash at the end where the query selects, or an item is named [D1.4]', async () => {
    await request(running.server).delete(`${THINGS}/?thingUuids={${uuid}}`).expect(200);
    await request(running.server).delete(`${THINGS}/${uuid}/`).expect(200);
    await request(running.server).post(`${THINGS}/${uuid}/clear/`).expect(200);
    expect(deleted).toEqual(['many', 'one', 'content']);
  });

  it.each(['keep[]=', 'keep[0]=x', 'keeps=x', 'keepSubParts=', 'keep=x&keep=x', 'keep=x&KEEP=', 'amp;keep=x', 'x'])(
    'by POST is refused for ?%s [D1.7]',
    async (query) => {
      const { body } = (await request(running.server).post(`${THINGS}/${uuid}/clear?${query}`).expect(400)) as { body: ErrorBody };
      expect(body.message).toContain('keep');
      expect(deleted).toEqual([]);
    },
  );

  it.each(['', '?keep=', '?keep', '?keep={}', '?keep=x'])('by POST knows %j [D4.8]', async (query) => {
    await request(running.server).post(`${THINGS}/${uuid}/clear${query}`).expect(200);
    expect(deleted).toEqual(['content']);
  });
});
