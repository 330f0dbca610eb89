import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWith, eventually } from '@sinebar/testing';
import request from 'supertest';
import { somebody, startRawData, type RunningRawData } from '../running-raw-data.fixture.ts';

const BASE = '/rawDataServiceRest/rawData';

describeWith(['postgres'], 'stored files', () => {
  let running: RunningRawData;
  let part: string;

  beforeAll(async () => {
    running = await startRawData();
    part = await running.inspection.create('pbox/');
  });
  afterAll(() => running.stop());

  const upload = async (uuid: string, key: number, body: string | Buffer, fileName = 'a.txt', type = 'text/plain') => {
    const answer = await request(running.server)
      .post(`${BASE}/part/${uuid}/${key}`)
      .set({ 'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`, 'Content-Type': type })
      .send(body);
    expect(answer.status).toBe(201);
    return answer;
  };
  const get = (path: string, headers: Record<string, string> = {}) => request(running.server).get(`${BASE}${path}`).set(headers);

  it('are downloaded unchanged, as attachments [R59, D6.5]', async () => {
    await upload(part, 0, '<script>alert(1)</script>'.repeat(200), 'Größe "1".html', 'text/html');
    const answer = await get(`/Part/{${part.toUpperCase()}}/0/`).set('Accept-Encoding', 'gzip');
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('<script>alert(1)</script>'.repeat(200));
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html',
      'content-length': '5000',
      'content-disposition': `attachment; filename="Gr??e \\"1\\".html"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.html`,
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-cache, max-age=0, no-transform',
      etag: expect.stringMatching(/^"[0-9a-f]{32}-[0-9a-f]+"$/),
    });
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect(Date.parse(answer.headers['last-modified'] as string)).toBeGreaterThan(Date.now() - 60_000);
  });

  it('have file names in every script in their header', async () => {
    await upload(part, 1, 'x', '测量.txt');
    const { headers } = await get(`/part/${part}/1`);
    expect(headers['content-disposition']).toBe(`attachment; filename="??.txt"; filename*=UTF-8''%E6%B5%8B%E9%87%8F.txt`);
  });

  it('are answered with 304 when the client has them [R8, R59, R75, R91]', async () => {
    const { etag } = (await upload(part, 2, 'first')).headers as { etag: string };
    const same = await get(`/part/${part}/2`, { 'If-None-Match': `"x", W/${etag}` });
    expect(same.status).toBe(304);
    expect(same.text).toBe('');
    expect(same.headers).toMatchObject({ etag });
    const changed = (await upload(part, 2, 'first')).headers as { etag: string };
    expect(changed.etag).not.toBe(etag);
    expect((await get(`/part/${part}/2`, { 'If-None-Match': etag })).status).toBe(200);
  });

  it('have an unlimited cache lifetime when the address has the checksum [D6.4]', async () => {
    await upload(part, 3, 'kept');
    const digest = createHash('md5').update('kept').digest('hex');
    const cached = async (md5: string) => (await get(`/part/${part}/3?ExpectedMD5=${md5}`)).headers['cache-control'];
    expect(await cached(digest)).toContain('immutable');
    expect(await cached(digest.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).toContain('no-cache');
    expect((await get(`/part/${part}/3?expectedMd5=xyz`)).status).toBe(400);
    // Another user of the same browser gets no cached file.
    for (const query of ['', `?expectedMd5=${digest}`])
      expect((await get(`/part/${part}/3${query}`)).headers['vary']).toBe('Authorization');
  });

  it('are sent in ranges [D6.4]', async () => {
    const bytes = randomBytes(300_000);
    const { etag } = (await upload(part, 4, bytes)).headers as { etag: string };
    const range = (value: string, more: Record<string, string> = {}) =>
      get(`/part/${part}/4`, { Range: value, ...more }).responseType('blob');
    const middle = await range('bytes=1000-200999');
    expect(middle.status).toBe(206);
    expect(middle.headers).toMatchObject({ 'content-range': 'bytes 1000-200999/300000', 'content-length': '200000' });
    expect(bytes.subarray(1000, 201_000).equals(middle.body as Buffer)).toBe(true);
    expect(bytes.subarray(-5).equals((await range('bytes=-5')).body as Buffer)).toBe(true);
    const behind = await get(`/part/${part}/4`, { Range: 'bytes=300000-' });
    expect(behind.status).toBe(416);
    expect(behind.headers['content-range']).toBe('bytes */300000');
    expect((await range('bytes=0-1', { 'If-Range': etag })).status).toBe(206);
    expect((await range('bytes=0-1', { 'If-Range': '"old"' })).status).toBe(200);
  });

  it('answer HEAD for the whole file without reading the bytes [D6.4]', async () => {
    await upload(part, 5, 'abc');
    const answer = await request(running.server).head(`${BASE}/part/${part}/5`);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ 'content-length': '3', etag: expect.any(String) });
    for (const range of ['bytes=0-0', 'bytes=7-', 'bytes=-0']) {
      const whole = await request(running.server).head(`${BASE}/part/${part}/5`).set({ Range: range });
      expect(whole.status).toBe(200);
      expect(whole.headers).toMatchObject({ 'content-length': '3', 'accept-ranges': 'bytes' });
      expect(whole.headers).not.toHaveProperty('content-range');
    }
    const [{ object_name }] = (await running.query<{ object_name: string }>('SELECT object_name FROM raw_data_object WHERE key = 5')) as [
      { object_name: string },
    ];
    await running.blobs.remove([object_name]);
    expect((await request(running.server).head(`${BASE}/part/${part}/5`)).status).toBe(200);
    expect((await get(`/part/${part}/5`)).status).toBe(503);
  });

  it('are 404 when they do not exist', async () => {
    expect((await get(`/part/${part}/99`)).status).toBe(404);
    expect((await get(`/part/${randomUUID()}/0`)).status).toBe(404);
    expect((await get(`/part/${part}/x`)).status).toBe(400);
    expect((await get(`/thing/${part}/0`)).status).toBe(404);
  });

  it('are deleted one by one [R8, R64, D6.4]', async () => {
    const uuid = await running.inspection.create('pone/');
    const stored = await running.storedNames();
    const { etag } = (await upload(uuid, 0, 'x')).headers as { etag: string };
    await upload(uuid, 1, 'y', 'y.txt');
    const remove = (key: string, headers: Record<string, string> = {}) =>
      request(running.server).delete(`${BASE}/part/{${uuid}}/${key}`).set(headers);
    expect((await remove('0', { 'If-Match': '"other"' })).status).toBe(412);
    expect((await remove('0', { 'If-Match': etag })).status).toBe(200);
    expect((await remove('0')).status).toBe(404);
    expect((await remove('1?really=yes')).status).toBe(400);
    expect((await remove('1')).status).toBe(200);
    await eventually(async () => expect(await running.storedNames()).toEqual(stored));
    expect(await running.announced()).toContainEqual({
      type: 'RawDataDeleted',
      RawDataEntity: 'Part',
      TargetUuid: uuid,
      Key: 1,
      Filename: 'y.txt',
    });
  });

  it('are deleted all at once [R63, D1.4, D1.7, D6.1]', async () => {
    const uuid = await running.inspection.create('pall/');
    for (let key = 0; key < 3; key += 1) await upload(uuid, key, `${key}`);
    const removeAll = (target: string) => request(running.server).delete(`${BASE}/Part/${target}`);
    for (const end of ['/', '/?', '/%20', '/%7B%7D', '//']) expect((await removeAll(`${uuid}${end}`)).status).toBeGreaterThan(399);
    expect((await removeAll(`${uuid}/`)).body).toMatchObject({ message: expect.stringContaining('nothing was deleted') });
    expect((await removeAll(uuid).send([0])).body).toMatchObject({ message: expect.stringContaining('Say the selection in the address') });
    expect((await request(running.server).get(`${BASE}/part/${uuid}`)).body).toHaveLength(3);
    expect((await removeAll(uuid)).status).toBe(200);
    expect((await removeAll(uuid).set('Content-Type', 'application/json')).status).toBe(200);
    expect((await removeAll(randomUUID())).status).toBe(404);
    const deleted = (await running.announced()).filter(({ type, TargetUuid }) => type === 'RawDataDeleted' && TargetUuid === uuid);
    expect(deleted.map(({ Key }) => Key)).toEqual([0, 1, 2]);
    expect((await request(running.server).get(`${BASE}/part/${uuid}`)).body).toEqual([]);
  });

  it('need rights on the part', async () => {
    await upload(part, 6, 'secret');
    await running.as(somebody({ read: ['pother/'], write: ['pother/'] }), async () => {
      expect((await get(`/part/${part}/6`)).status).toBe(403);
      expect((await get(`/part/${part}`)).body).toMatchObject({ ExceptionType: 'Forbidden' });
      expect((await request(running.server).delete(`${BASE}/part/${part}/6`)).status).toBe(403);
      expect((await request(running.server).delete(`${BASE}/part/${part}`)).status).toBe(403);
    });
    await running.as(somebody({ read: ['pbox/'] }), async () => {
      expect((await get(`/part/${part}/6`)).text).toBe('secret');
      expect((await request(running.server).delete(`${BASE}/part/${part}/6`)).status).toBe(403);
    });
    await running.as(somebody({ write: ['pbox/'] }), async () => {
      expect((await request(running.server).delete(`${BASE}/part/${part}/6`)).status).toBe(200);
    });
  });

  it('are no longer read when the client disconnects during a download', async () => {
    await upload(part, 7, randomBytes(30 * 2 ** 20), 'big.bin', 'application/octet-stream');
    const controller = new AbortController();
    const answer = await fetch(`http://127.0.0.1:${running.port}${BASE}/part/${part}/7`, { signal: controller.signal });
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    const open = async () => (await import('node:fs/promises')).readdir('/proc/self/fd').then((fds) => fds.length);
    const during = await open();
    controller.abort();
    await eventually(async () => expect(await open()).toBeLessThan(during));
  });
});
