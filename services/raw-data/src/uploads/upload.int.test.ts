import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ROOT_PART_UUID, ServiceError, type ErrorBody, type RawDataInformation } from '@sinebar/contracts';
import { describeWith, eventually } from '@sinebar/testing';
import request from 'supertest';
import { somebody, startRawData, type RunningRawData } from '../running-raw-data.fixture.ts';

const BASE = '/rawDataServiceRest/rawData';
/** Concurrent uploads, more than the service has connections to its database. */
const UPLOADS = 40;
const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest();

describeWith(['postgres'], 'uploads', () => {
  let running: RunningRawData;
  let part: string;

  beforeAll(async () => {
    running = await startRawData({ env: { SINEBAR_MAX_FILE_BYTES: String(20 * 2 ** 20) } });
    part = await running.inspection.create('pbox/');
  });
  afterAll(() => running.stop());

  const post = (path: string, body: Buffer | string = 'content', headers: Record<string, string> = {}) =>
    request(running.server)
      .post(`${BASE}${path}`)
      .set({ 'Content-Disposition': '"a.txt"', 'Content-Type': 'text/plain', ...headers })
      .send(body);
  const info = ({ body }: { body: unknown }) => body as RawDataInformation;
  const failure = ({ body }: { body: unknown }) => body as ErrorBody;
  const newPart = () => running.inspection.create(`p${randomUUID()}/`);

  it('describes the files and assigns keys [R4, R6-R8, R11-R20, R33, R61, R67, R68, R71, R89, R99, R100, D1.8, D6.3, D6.9]', async () => {
    const uuid = await newPart();
    const first = await post(`/part/${uuid}`, 'hello', { 'Content-MD5': md5(Buffer.from('hello')).toString('base64') });
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      target: { entity: 'Part', uuid },
      key: 0,
      fileName: 'a.txt',
      mimeType: 'text/plain',
      lastModified: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      created: info(first).lastModified,
      size: 5,
      md5: '2a40415d-4bbc-762a-b971-9d911017c592',
    });
    expect(info(await post(`/Part/{${uuid.toUpperCase()}}/-1`)).key).toBe(1);
    expect(info(await post(`/parts/${uuid}/7`)).key).toBe(7);
    expect(info(await post(`/part/${uuid}/-1`)).key).toBe(8);
    expect(await running.announced()).toContainEqual({
      type: 'RawDataCreated',
      RawDataEntity: 'Part',
      TargetUuid: uuid,
      Key: 7,
      Filename: 'a.txt',
    });
    expect((await running.envelopes()).find(({ subject }) => subject === uuid)).toMatchObject({
      sinebarpart: uuid,
      sinebarpath: running.inspection.parts.get(uuid),
    });
  });

  it('attaches files to the root part', async () => {
    running.inspection.parts.set(ROOT_PART_UUID, '');
    expect((await post(`/part/${ROOT_PART_UUID}`)).body).toMatchObject({ target: { uuid: ROOT_PART_UUID }, key: 0 });
  });

  it('assigns a different key to each of many concurrent uploads [R7, R71]', async () => {
    const uuid = await newPart();
    const answers = await Promise.all(Array.from({ length: UPLOADS }, (_, i) => post(`/part/${uuid}`, `file ${i}`)));
    expect(answers.map(({ status, text }) => (status === 201 ? '' : `${status} ${text}`)).filter(Boolean)).toEqual([]);
    expect(answers.map((answer) => info(answer).key).sort((a, b) => a - b)).toEqual([...Array(UPLOADS).keys()]);
    for (const [i, answer] of answers.entries())
      expect((await request(running.server).get(`${BASE}/part/${uuid}/${info(answer).key}`)).text).toBe(`file ${i}`);
  });

  it('replaces a file with the same key, and removes its old bytes [R8, R17, R18, R61, R72, D7.1]', async () => {
    const uuid = await newPart();
    const before = await post(`/part/${uuid}/3`, 'old');
    const stored = await running.storedNames();
    const after = await post(`/part/${uuid}/3`, 'new!', { 'Content-Disposition': 'attachment; filename="b.txt"' });
    expect(after.status).toBe(201);
    expect(after.body).toMatchObject({ key: 3, fileName: 'b.txt', size: 4, created: info(before).created });
    expect(info(after).lastModified > info(before).lastModified).toBe(true);
    expect(await running.announced()).toContainEqual(
      expect.objectContaining({ type: 'RawDataModified', TargetUuid: uuid, OldFilename: 'a.txt', NewFilename: 'b.txt' }),
    );
    await eventually(async () => expect((await running.storedNames()).length).toBe(stored.length));
    expect((await request(running.server).get(`${BASE}/part/${uuid}/3`)).text).toBe('new!');
  });

  it('replaces only existing files with PUT [R62, D6.4]', async () => {
    const uuid = await newPart();
    const put = (key: string, headers: Record<string, string> = {}) =>
      request(running.server)
        .put(`${BASE}/part/${uuid}/${key}`)
        .set({ 'Content-Disposition': '"c.txt"', 'Content-Type': 'text/plain', ...headers })
        .send('put');
    expect((await put('0')).status).toBe(404);
    expect((await put('-1')).status).toBe(400);
    const { etag } = (await post(`/part/${uuid}`)).headers as { etag: string };
    expect((await put('0', { 'If-Match': '"other"' })).status).toBe(412);
    const done = await put('0', { 'If-Match': etag });
    expect(done.status).toBe(200);
    expect((await put('0', { 'If-Match': etag })).status).toBe(412);
    expect((await request(running.server).get(`${BASE}/part/${uuid}/0`)).text).toBe('put');
  });

  it.each([
    ['no Content-Disposition', { 'Content-Disposition': '' }, 'Content-Disposition'],
    ['a type without a name', { 'Content-Disposition': 'attachment' }, 'Content-Disposition'],
    ['an empty name', { 'Content-Disposition': '""' }, 'empty'],
    ['a control character', { 'Content-Disposition': `attachment; filename*=UTF-8''a%0Ab` }, 'control'],
    ['a bad Content-Type', { 'Content-Type': 'text' }, 'Content-Type'],
    ['a bad Content-MD5', { 'Content-MD5': 'abc' }, 'Content-MD5'],
  ])('refuses %s [R65, R67, R68, D6.2]', async (_, headers, named) => {
    const answer = await post(`/part/${part}/5`, 'x', headers);
    expect(answer.status).toBe(400);
    expect(failure(answer).message).toContain(named);
  });

  it.each([
    ['"text/plain"', 'text/plain'],
    [' "text/plain; charset=utf-8" ', 'text/plain; charset=utf-8'],
    ['"text/plain; charset=\\"utf-8\\""', 'text/plain; charset="utf-8"'],
    ['text/plain; charset="utf-8"', 'text/plain; charset="utf-8"'],
  ])('accepts the type %s as %s [D6.2]', async (sent, stored) => {
    const answer = await post(`/part/${part}`, 'x', { 'Content-Type': sent });
    expect(answer.body).toMatchObject({ mimeType: stored });
  });

  it.each(['"text"', '""', '"text/plain', 'text/plain"'])('refuses the type %s [D6.2]', async (sent) => {
    expect((await post(`/part/${part}`, 'x', { 'Content-Type': sent })).status).toBe(400);
  });

  it.each([
    ['/part/not-a-uuid', 400],
    [`/thing/${randomUUID()}`, 404],
    [`/part/${randomUUID()}`, 404],
    [`/characteristic/${randomUUID()}`, 404],
    [`/value/${randomUUID()}|${randomUUID()}`, 404],
    [`/value/${randomUUID()}`, 400],
    [`/part/${randomUUID()}/x`, 400],
    [`/part/${randomUUID()}/-2`, 400],
    [`/part/${randomUUID()}/2147483648`, 400],
    [`/part/${randomUUID()}/1.5`, 400],
  ])('answers POST %s with %i [R12, D1.6, D6.9]', async (path, status) => {
    expect((await post(path)).status).toBe(status);
  });

  it('keeps the name as sent, and reads a checksum of zeros as none [R15, D6.2]', async () => {
    const header = Buffer.from('attachment; filename="Größe \\ 测量?*.txt"', 'utf8').toString('latin1');
    const answer = await post(`/part/${part}`, 'x', {
      'Content-Disposition': header,
      'Content-MD5': '00000000-0000-0000-0000-000000000000',
    });
    expect(answer.body).toMatchObject({ fileName: 'Größe \\ 测量?*.txt' });
  });

  it('accepts empty files, chunked bodies and encoded bodies [R19, R66, D2.4, D6.2]', async () => {
    const uuid = await newPart();
    expect((await post(`/part/${uuid}`, '')).body).toMatchObject({ size: 0, md5: 'd98c1dd4-008f-04b2-e980-0998ecf8427e' });
    const chunked = await fetch(`http://127.0.0.1:${running.port}${BASE}/part/${uuid}`, {
      method: 'POST',
      headers: { 'Content-Disposition': '"c"', 'Content-Type': 'text/plain' },
      body: new Blob(['abc']).stream(),
      duplex: 'half',
    });
    expect(await chunked.json()).toMatchObject({ size: 3 });
    const zipped = await post(`/part/${uuid}`, gzipSync('abcdef'), {
      'Content-Encoding': 'gzip',
      'Content-MD5': md5(Buffer.from('abcdef')).toString('hex'),
    });
    expect(zipped.body).toMatchObject({ size: 6 });
    expect((await post(`/part/${uuid}`, 'no gzip', { 'Content-Encoding': 'gzip' })).status).toBe(400);
    expect((await post(`/part/${uuid}`, 'x', { 'Content-Encoding': 'br' })).status).toBe(415);
  });

  it('stores 20 MiB and refuses more, with and without a length [D10.2]', async () => {
    const bytes = randomBytes(20 * 2 ** 20);
    const answer = await post(`/part/${part}/50`, bytes, { 'Content-MD5': md5(bytes).toString('base64') });
    expect(answer.body).toMatchObject({ size: bytes.length });
    expect(await running.query('SELECT FROM blob_removal')).toEqual([]);
    expect((await post(`/part/${part}/51`, Buffer.concat([bytes, Buffer.from('x')]))).status).toBe(413);
    const chunked = await fetch(`http://127.0.0.1:${running.port}${BASE}/part/${part}/51`, {
      method: 'POST',
      headers: { 'Content-Disposition': '"c"', 'Content-Type': 'text/plain' },
      body: new Blob([bytes, 'x']).stream(),
      duplex: 'half',
    });
    expect(chunked.status).toBe(413);
  });

  it.each(['gzip', 'deflate'])('refuses a small body that decompresses to a huge file, and keeps nothing of it (%s)', async (encoding) => {
    const open = await startRawData();
    try {
      const uuid = await open.inspection.create('pbomb/');
      const bytes = Buffer.alloc(200 * 2 ** 20);
      const answer = await request(open.server)
        .post(`${BASE}/part/${uuid}`)
        .set({ 'Content-Disposition': '"a"', 'Content-Type': 'text/plain', 'Content-Encoding': encoding })
        .send(encoding === 'gzip' ? gzipSync(bytes) : deflateSync(bytes));
      expect(answer.status).toBe(413);
      expect(failure(answer).message).toContain('more than 200 times its size, the limit of this server (SINEBAR_MAX_DECOMPRESSION_RATIO)');
      expect(await open.spooled()).toEqual([]);
      expect(await open.storedNames()).toEqual([]);
    } finally {
      await open.stop();
    }
  });

  it.each([
    ['the largest file', {}, 'SINEBAR_MAX_FILE_BYTES', 2 * 2 ** 30 + 1],
    ['the spool', { SINEBAR_MAX_FILE_BYTES: '0' }, 'SINEBAR_SPOOL_BYTES', 16 * 2 ** 30 + 1],
  ])('refuses a file above the default limit of %s before it is sent [D10.2]', async (_, env, setting, sizeBytes) => {
    const open = await startRawData({ env });
    const uuid = await open.inspection.create('plarge/');
    const socket = connect(open.port, '127.0.0.1');
    try {
      socket.write(
        `POST ${BASE}/part/${uuid} HTTP/1.1\r\nHost: x\r\nContent-Disposition: "a"\r\nContent-Type: text/plain\r\nContent-Length: ${sizeBytes}\r\n\r\n`,
      );
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /);
      expect(answer.toString()).toContain(setting);
    } finally {
      socket.destroy();
      await open.stop();
    }
  });

  it('stores nothing when the checksum differs [R68, D6.2]', async () => {
    const stored = await running.storedNames();
    const answer = await post(`/part/${part}/60`, 'content', { 'Content-MD5': md5(Buffer.from('other')).toString('base64') });
    expect(answer.status).toBe(400);
    expect(failure(answer).ExceptionType).toBe('ChecksumMismatch');
    expect(await running.storedNames()).toEqual(stored);
    expect(await running.spooled()).toEqual([]);
    expect((await request(running.server).get(`${BASE}/part/${part}/60`)).status).toBe(404);
  });

  it.each([0.01, 0.5, 0.99])('stores nothing when the upload breaks off after %d of its bytes [R66, D6.2]', async (share) => {
    const stored = await running.storedNames();
    const size = 4 * 2 ** 20;
    const socket = connect(running.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `POST ${BASE}/part/${part}/61 HTTP/1.1\r\nHost: x\r\nContent-Disposition: "a"\r\nContent-Type: text/plain\r\nContent-Length: ${size}\r\n\r\n`,
    );
    socket.write(randomBytes(Math.floor(size * share)));
    await eventually(async () => expect((await running.spooled()).length).toBe(1));
    socket.destroy();
    await eventually(async () => expect(await running.spooled()).toEqual([]));
    expect(await running.storedNames()).toEqual(stored);
    expect((await request(running.server).get(`${BASE}/part/${part}/61`)).status).toBe(404);
  });

  it('needs the right to write at the part', async () => {
    await running.as(somebody({ write: ['pother/'] }), async () => {
      expect((await post(`/part/${part}`)).status).toBe(403);
    });
    await running.as(somebody({ write: ['pbox/'] }), async () => {
      expect((await post(`/part/${part}`)).status).toBe(201);
    });
    await running.as(somebody({ read: ['pbox/'] }), async () => {
      expect((await post(`/part/${part}`)).status).toBe(403);
    });
  });

  it('needs the right at the path of the target when the file is written', async () => {
    const [uuid, characteristic] = [await newPart(), randomUUID()];
    running.inspection.targets.set(`Characteristic|${characteristic}`, uuid);
    let questions = 0;
    running.inspection.onResolve = () => {
      questions += 1;
      if (questions === 2) running.inspection.rename(uuid, `pmoved${uuid}/`);
      return Promise.resolve();
    };
    try {
      await running.as(somebody({ write: [running.inspection.parts.get(uuid) as string] }), async () => {
        expect((await post(`/characteristic/${characteristic}`)).status).toBe(403);
      });
    } finally {
      running.inspection.onResolve = () => Promise.resolve();
    }
    expect(questions).toBe(2);
    expect((await request(running.server).get(`${BASE}/characteristic/${characteristic}`)).body).toEqual([]);
  });

  it('accepts an upload to a part that the mirror does not have yet', async () => {
    const uuid = randomUUID();
    running.inspection.parts.set(uuid, 'pyoung/');
    expect((await post(`/part/${uuid}`)).status).toBe(201);
    await running.as(somebody({ read: ['pyoung/'] }), async () => {
      expect((await request(running.server).get(`${BASE}/part/${uuid}`)).body).toHaveLength(1);
    });
  });

  it('refuses the file when its part is deleted during the upload', async () => {
    const uuid = await newPart();
    await running.followed();
    const stored = await running.storedNames();
    let questions = 0;
    running.inspection.onResolve = async ([asked]) => {
      if (asked !== uuid) return;
      questions += 1;
      if (questions === 2) await running.inspection.delete(uuid);
    };
    expect((await post(`/part/${uuid}`)).status).toBe(404);
    running.inspection.onResolve = () => Promise.resolve();
    expect(await running.storedNames()).toEqual(stored);
  });

  it('refuses the file when the deletion was followed before its row is written', async () => {
    const uuid = await newPart();
    await running.followed();
    const stored = await running.storedNames();
    const path = running.inspection.parts.get(uuid) as string;
    await running.inspection.delete(uuid);
    await running.followed();
    // Continues with the answers of before.
    running.inspection.parts.set(uuid, path);
    let questions = 0;
    running.inspection.onResolve = ([asked]) => {
      if (asked === uuid && (questions += 1) === 4) running.inspection.parts.delete(uuid);
      return Promise.resolve();
    };
    expect((await post(`/part/${uuid}`)).status).toBe(404);
    running.inspection.onResolve = () => Promise.resolve();
    expect(questions).toBe(4);
    expect(await running.storedNames()).toEqual(stored);
    expect(await running.query('SELECT FROM part WHERE uuid = $1', [uuid])).toEqual([]);
  });

  it('waits for the follower when a part is created again under its old uuid', async () => {
    const uuid = await newPart();
    await running.inspection.delete(uuid);
    await running.followed();
    running.inspection.parts.set(uuid, 'pagain/');
    let questions = 0;
    running.inspection.onResolve = async ([asked]) => {
      if (asked === uuid && (questions += 1) === 4) await running.inspection.publishPartChange('PartCreated', uuid, 'pagain/');
    };
    expect((await post(`/part/${uuid}`)).status).toBe(201);
    running.inspection.onResolve = () => Promise.resolve();
    expect(questions).toBeGreaterThanOrEqual(4);
  });

  it('answers 503 while the inspection service fails, and stores nothing', async () => {
    const uuid = await newPart();
    const stored = await running.storedNames();
    running.inspection.onResolve = () => Promise.reject(new Error('its database is away'));
    const answer = await post(`/part/${uuid}`);
    running.inspection.onResolve = () => Promise.resolve();
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('5');
    expect(failure(answer).message).toBe('The inspection service could not say what exists. Try again in a few seconds.');
    expect(await running.storedNames()).toEqual(stored);
  });

  it('orders the removal of bytes that a failing store may have kept', async () => {
    const stores = await startRawData({
      blobs: (store) => Object.assign(store, { put: () => Promise.reject(new ServiceError('Unavailable', 'not now')) }),
    });
    const uuid = await stores.inspection.create('pa/');
    const headers = { 'Content-Disposition': '"a"', 'Content-Type': 'text/plain' };
    await request(stores.server).post(`${BASE}/part/${uuid}`).set(headers).send('x').expect(503);
    const wait = `SELECT extract(epoch FROM due - clock_timestamp())::float8 AS seconds FROM blob_removal`;
    expect(await stores.query<{ seconds: number }>(wait)).toEqual([{ seconds: expect.any(Number) }]);
    const [{ seconds } = { seconds: 0 }] = await stores.query<{ seconds: number }>(wait);
    expect(seconds).toBeLessThanOrEqual(120);
    await stores.stop();
  });

  it('leaves nothing when the store or the client fails between bytes and row', async () => {
    let atPut: () => Promise<void> = () => Promise.resolve();
    const other = await startRawData({
      blobs: (store) => {
        const put = store.put.bind(store);
        return Object.assign(store, {
          put: async (...file: Parameters<typeof put>) => {
            await put(...file);
            await atPut();
          },
        });
      },
    });
    try {
      const uuid = await other.inspection.create('pa/');
      const url = `http://127.0.0.1:${other.port}${BASE}/part/${uuid}`;
      const headers = { 'Content-Disposition': '"a"', 'Content-Type': 'text/plain' };
      const disconnect = new AbortController();
      const connections = () => promisify(other.server.getConnections.bind(other.server))();
      atPut = async () => {
        disconnect.abort();
        await eventually(async () => (await connections()) === 0, 'the server has seen the end of the connection');
      };
      await expect(fetch(url, { method: 'POST', headers, body: 'x', signal: disconnect.signal })).rejects.toThrow('aborted');
      await eventually(async () => expect(await other.storedNames()).toEqual([]));
      await eventually(async () => expect(await other.spooled()).toEqual([]));
      atPut = () => Promise.reject(new ServiceError('Unavailable', 'not now'));
      expect((await fetch(url, { method: 'POST', headers, body: 'x' })).status).toBe(503);
      expect(await other.spooled()).toEqual([]);
      expect(await other.query('SELECT FROM raw_data_object')).toEqual([]);
      expect(await other.announced()).toEqual([]);
    } finally {
      await other.stop();
    }
  });
});
