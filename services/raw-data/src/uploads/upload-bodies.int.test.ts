import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { describeWith, RawConnection } from '@sinebar/testing';
import { somebody, startRawData, type RunningRawData } from '../running-raw-data.fixture.ts';

const BASE = '/rawDataServiceRest/rawData/part';
const NAMED = { 'Content-Disposition': '"a.txt"' };
const FILE = { ...NAMED, 'Content-Type': 'text/plain' };
const LENGTH = { 'Content-Length': '4' };
const CHUNKED = { 'Transfer-Encoding': 'chunked' };
const CHUNKS = '4\r\nbody\r\n0\r\n\r\n';
const ZIPPED = gzipSync('body');
const EXPECT = { Expect: '100-continue' };

type Headers = Record<string, string>;

describeWith(['postgres'], 'bodies of uploads', () => {
  let running: RunningRawData;
  let part: string;
  beforeAll(async () => {
    running = await startRawData({
      env: { SINEBAR_MAX_FILE_BYTES: '1000', SINEBAR_SPOOL_BYTES: '900', SINEBAR_ALLOWED_FILE_NAMES: '*.txt' },
    });
  });
  afterAll(() => running.stop());
  beforeEach(async () => {
    part = await running.inspection.create(`p${crypto.randomUUID()}/`);
    await send('POST', '/0', { ...FILE, 'Content-Type': 'text/csv', ...LENGTH }, 'kept');
  });

  /** Sends a request and returns its answer, read to the end of its JSON. */
  const send = async (method: string, key: string, headers: Headers, body: string | Buffer = '') => {
    const client = new RawConnection(running.port);
    client.request(`${method} ${BASE}/${part}${key}`, headers, body);
    const text = await client.until(/^HTTP[^]*\r\n\r\n[^]*\}/);
    await client.end();
    const [head = '', ...rest] = text.split('\r\n\r\n');
    const json = rest.join('\r\n\r\n');
    return {
      head,
      status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
      body: JSON.parse(json.slice(json.indexOf('{'), json.lastIndexOf('}') + 1)) as { message: string; mimeType: string; size: number },
    };
  };
  const stored = async () => {
    const answer = await fetch(`http://127.0.0.1:${running.port}${BASE}/${part}/0`);
    return { type: answer.headers.get('content-type'), text: await answer.text() };
  };
  const unchanged = { type: 'text/csv', text: 'kept' };

  describe.each([
    ['POST', ''],
    ['POST', '/0'],
    ['PUT', '/0'],
  ])('%s %s', (method, key) => {
    it.each(['multipart/form-data; boundary=x', 'Multipart/Form-Data', '"multipart/form-data; boundary=x"'])(
      'refuses the form %s [D6.10]',
      async (type) => {
        const form = '--x\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nbody\r\n--x--\r\n';
        for (const named of [NAMED, {}]) {
          const answer = await send(method, key, { ...named, 'Content-Type': type, 'Content-Length': String(form.length) }, form);
          expect(answer.status).toBe(415);
          expect(answer.body.message).toContain('Send the file itself as the body');
          expect(answer.body.message).toContain('Content-Disposition');
        }
        expect(await stored()).toEqual(unchanged);
      },
    );

    it.each(['application/x-www-form-urlencoded', 'Application/X-WWW-Form-Urlencoded; charset=utf-8'])(
      'refuses %s and names the headers to send [D6.10]',
      async (type) => {
        for (const named of [NAMED, {}]) {
          const answer = await send(method, key, { ...named, 'Content-Type': type, ...LENGTH }, 'body');
          expect(answer.status).toBe(415);
          expect(answer.body.message).toContain('Content-Type');
          expect(answer.body.message).toContain('Content-Disposition');
        }
        expect(await stored()).toEqual(unchanged);
      },
    );

    it.each(['multipart/mixed; boundary=x', 'message/rfc822', 'application/json'])('takes %s as a file [D6.10]', async (type) => {
      expect((await send(method, key, { ...NAMED, 'Content-Type': type, ...LENGTH }, 'body')).body.mimeType).toBe(type);
    });

    it.each([
      ['a length', LENGTH, 'body', 4],
      ['a length of 0', { 'Content-Length': '0' }, '', 0],
      ['chunks', CHUNKED, CHUNKS, 4],
      ['no chunks', CHUNKED, '0\r\n\r\n', 0],
    ])('takes %s [D6.10]', async (_, framing, body, size) => {
      expect((await send(method, key, { ...FILE, ...framing }, body)).body.size).toBe(size);
    });
  });

  it('have the type application/octet-stream with POST when none is sent [D6.10]', async () => {
    expect((await send('POST', '', { ...NAMED, ...LENGTH }, 'body')).body.mimeType).toBe('application/octet-stream');
    expect((await send('POST', '/0', { ...NAMED, ...LENGTH }, 'body')).body.mimeType).toBe('application/octet-stream');
  });

  it('keep the type with PUT when none is sent [D6.10]', async () => {
    expect((await send('PUT', '/0', { ...NAMED, ...LENGTH }, 'body')).body.mimeType).toBe('text/csv');
    expect(await stored()).toEqual({ type: 'text/csv', text: 'body' });
  });

  it('need a length where they replace a file [D6.10]', async () => {
    for (const method of ['POST', 'PUT']) {
      const answer = await send(method, '/0', FILE);
      expect(answer.status).toBe(411);
      expect(answer.body.message).toContain('Content-Length');
    }
    expect(await stored()).toEqual(unchanged);
  });

  it('need no length where they add a file [D6.10]', async () => {
    expect((await send('POST', '', FILE)).body.size).toBe(0);
    expect((await send('POST', '/-1', FILE)).body.size).toBe(0);
    expect((await send('POST', '/7', FILE)).body.size).toBe(0);
    expect((await send('PUT', '/8', FILE)).status).toBe(404);
  });

  describe('that wait for 100 (Continue)', () => {
    it.each([
      ['POST', '', LENGTH, 'body'],
      ['POST', '/0', CHUNKED, CHUNKS],
      ['PUT', '/0', LENGTH, 'body'],
      ['PUT', '/0', { 'Content-Length': String(ZIPPED.length), 'Content-Encoding': 'gzip' }, ZIPPED],
    ])('get it when nothing refuses them: %s %s with %j [D6.10]', async (method, key, framing, body) => {
      const client = new RawConnection(running.port);
      client.request(`${method} ${BASE}/${part}${key}`, { ...FILE, ...framing, ...EXPECT });
      expect(await client.until(/\r\n\r\n/)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
      client.send(body);
      expect(await client.until(/"size":4[^]*\}/)).toMatch(/HTTP\/1\.1 20[01] /);
      await client.end();
    });

    it.each<[why: string, status: number, method: string, key: string, headers: Headers]>([
      ['a bad key', 400, 'POST', '/x', FILE],
      ['a file that is not there', 404, 'PUT', '/9', FILE],
      ['no name', 400, 'POST', '', { 'Content-Type': 'text/plain' }],
      ['a name that is not taken', 400, 'POST', '', { ...FILE, 'Content-Disposition': '"a.exe"' }],
      ['another ETag', 412, 'PUT', '/0', { ...FILE, 'If-Match': '"x"' }],
      ['a taken key', 412, 'POST', '/0', { ...FILE, 'If-None-Match': '*' }],
      ['a form', 415, 'POST', '', { ...NAMED, 'Content-Type': 'multipart/form-data; boundary=x' }],
      ['another coding', 415, 'POST', '', { ...FILE, 'Content-Encoding': 'br' }],
      ['the largest file', 413, 'POST', '', { ...FILE, 'Content-Length': '1001' }],
      ['the room for uploads', 413, 'PUT', '/0', { ...FILE, 'Content-Length': '950' }],
      ['a bad MD5', 400, 'POST', '', { ...FILE, 'Content-MD5': 'x' }],
    ])('get their final status at once for %s [D6.10]', async (_, status, method, key, headers) => {
      const answer = await send(method, key, { ...LENGTH, ...headers, ...EXPECT });
      expect(answer.status).toBe(status);
      expect(answer.head).toMatch(/\r\nConnection: close(\r\n|$)/i);
      expect(await running.spooled()).toEqual([]);
    });

    it('get their final status at once for a part that is not there, or not theirs [D6.10]', async () => {
      const own = part;
      await running.as(somebody({ write: ['pother/'] }), async () => {
        expect((await send('POST', '', { ...FILE, ...LENGTH, ...EXPECT })).status).toBe(403);
      });
      part = '05040c4c-f0af-46b8-810e-30c0c00a379e';
      expect((await send('POST', '', { ...FILE, ...LENGTH, ...EXPECT })).status).toBe(404);
      part = own;
    });
  });
});
