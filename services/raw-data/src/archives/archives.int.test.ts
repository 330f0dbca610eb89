import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWith, eventually, contentOf, zip, type WrittenEntry } from '@sinebar/testing';
import request from 'supertest';
import type { RunningRawData } from '../running-raw-data.fixture.ts';
import { formatMd5 } from '../objects/md5.ts';
import { archiveCalls, BASE, FILES, NAMES, selector, startWithArchives } from './archive-calls.fixture.ts';
import type { WatchedBlobs } from './watched-blobs.fixture.ts';

const MIB = 2 ** 20;

describeWith(['postgres'], 'archives', () => {
  let running: RunningRawData;
  let watched: WatchedBlobs;
  let part: string;
  beforeAll(async () => {
    ({ running, watched, part } = await startWithArchives());
  });
  afterAll(() => running.stop());
  const { upload, get, query } = archiveCalls(() => running);
  const content = (name: string, headers: Record<string, string> = {}) => get(`/part/${part}/0/ArchiveContent/${name}`, headers);

  describe('list their entries', () => {
    it('with a slash after folders, and files with their folders [R9, R22, R23, R77, R100]', async () => {
      const answer = await request(running.server).get(`${BASE}/part/${part}/0/ArchiveEntries`);
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'private, no-cache' });
      const [information] = (await request(running.server).get(`/rawDataServiceRest/rawDataInformation/part/${part}`)).body as object[];
      expect(answer.body).toEqual([{ archiveInfo: information, entries: NAMES }]);
    });

    it.each(['/RawDataServiceRest/rawdata/Parts/{U}/0/archiveentries/', '/rawdataServiceRest/rawData/part/%7BU%7D/0/ARCHIVEENTRIES'])(
      'also at %s [R77]',
      async (path) => {
        const answer = await request(running.server).get(path.replace('U', part.toUpperCase()));
        expect((answer.body as { entries: string[] }[])[0]?.entries).toEqual(NAMES);
      },
    );

    it('also when there are many entries', async () => {
      const many = Array.from({ length: 20_000 }, (_, i) => ({ name: `folder ${i % 10}/ß ${i}.txt`, method: 0 }));
      await upload(`part/${part}`, 2, zip(many));
      const answer = await request(running.server).get(`${BASE}/part/${part}/2/ArchiveEntries`);
      expect((answer.body as { entries: string[] }[])[0]?.entries).toEqual(many.map(({ name }) => name));
    });
  });

  describe('send a file', () => {
    it.each([
      ['readme.txt', 'readme.txt'],
      ['README.txt', 'readme.txt'],
      ['Sub/Gr%C3%B6%C3%9Fe%20100%25.csv', 'Sub/Größe 100%.csv'],
      ['sub%2FGR%C3%96%C3%9Fe%20100%25.CSV', 'Sub/Größe 100%.csv'],
      ['Sub/deeper%2fb.bin', 'Sub/deeper/b.bin'],
      ['..%2F..%2Fetc%2Fpasswd', '../../etc/passwd'],
    ])('as %s [R9, R78, R81, R82, D1.4]', async (sent, name) => {
      const answer = await content(sent);
      expect(answer.status).toBe(200);
      const expected = contentOf(FILES.find((file) => file.name === name) as WrittenEntry);
      expect((answer.body as Buffer).equals(expected)).toBe(true);
      expect(answer.headers['content-length']).toBe(String(expected.length));
    });

    it('as an unchanged attachment', async () => {
      const answer = await content('Sub/Gr%C3%B6%C3%9Fe%20100%25.csv', { 'Accept-Encoding': 'gzip', Range: 'bytes=0-9' });
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': expect.stringContaining(`filename*=UTF-8''Gr%C3%B6%C3%9Fe%20100%25.csv`),
        'accept-ranges': 'none',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'private, no-cache, max-age=0, no-transform',
        etag: expect.stringMatching(/^"[0-9a-f]{32}-[0-9a-f]+-[0-9a-f]+"$/),
      });
      expect(Date.parse(answer.headers['last-modified'] as string)).toBeGreaterThan(Date.now() - 600_000);
    });

    it.each(['Sub/', 'Sub%2F', 'sub/'])('as an empty body for the folder %s [R83, D1.4]', async (folder) => {
      const answer = await content(folder);
      expect(answer.status).toBe(200);
      expect(answer.headers['content-length']).toBe('0');
      expect((answer.body as Buffer).length).toBe(0);
    });

    it.each(['Sub', 'deeper/b.bin', 'Sub/deeper/', 'nothing', '%00', 'Sub//deeper/b.bin'])(
      'or 404 for missing entries: %s [R83]',
      async (name) => {
        const answer = await request(running.server).get(`${BASE}/part/${part}/0/ArchiveContent/${name}`);
        expect(answer.status).toBe(name === '%00' ? 400 : 404);
        if (name !== '%00') expect((answer.body as { message: string }).message).toContain(JSON.stringify(name));
      },
    );

    it('or 304 to a client that has it, until the archive changes [R78]', async () => {
      const uuid = await running.inspection.create('pcached/');
      await upload(`part/${uuid}`, 0, zip(FILES));
      const address = `/part/${uuid}/0/ArchiveContent`;
      const { etag, 'last-modified': modified } = (await get(`${address}/readme.txt`)).headers as Record<string, string>;
      const unchanged = await get(`${address}/README.txt`, { 'If-None-Match': `"x", W/${etag}` });
      expect(unchanged).toMatchObject({ status: 304, headers: { etag } });
      expect(unchanged.body).toHaveLength(0);
      expect((await get(`${address}/readme.txt`, { 'If-Modified-Since': modified as string })).status).toBe(304);
      expect((await get(`${address}/Sub/deeper/b.bin`, { 'If-None-Match': etag as string })).status).toBe(200);
      expect((await get(`${address}/nothing`, { 'If-None-Match': '*' })).status).toBe(404);
      await upload(`part/${uuid}`, 0, zip([{ name: 'readme.txt', content: 'another' }]));
      const changed = await get(`${address}/readme.txt`, { 'If-None-Match': etag as string });
      expect(changed.status).toBe(200);
      expect(String(changed.body)).toBe('another');
      expect(changed.headers['etag']).not.toBe(etag);
    });

    it('with an unlimited cache lifetime when the address has the checksum of the archive [D6.4]', async () => {
      const digest = createHash('md5').update(zip(FILES)).digest('hex');
      const cached = async (md5: string) => (await content(`readme.txt?ExpectedArchiveMD5=${md5}`)).headers['cache-control'];
      expect(await cached(digest)).toContain('immutable');
      expect(await cached(formatMd5(digest, 'guid'))).toContain('immutable');
      expect(await cached(createHash('md5').digest('hex'))).toContain('no-cache');
      expect((await content('readme.txt?expectedArchiveMd5=x')).status).toBe(400);
      expect((await content('readme.txt')).headers['vary']).toBe('Authorization');
    });

    it('but open nothing for HEAD', async () => {
      await content('readme.txt');
      watched.forget();
      const answer = await request(running.server).head(`${BASE}/part/${part}/0/ArchiveContent/Sub/deeper/b.bin`);
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({ 'content-length': '400000', etag: expect.any(String) });
      expect(watched.ranges).toEqual([]);
    });

    it('and stop reading from the store when the client disconnects', async () => {
      await upload(`part/${part}`, 3, zip([{ name: 'large', content: randomBytes(30 * MIB), method: 0 }]));
      watched.forget();
      const leaving = new AbortController();
      const url = `http://127.0.0.1:${running.port}${BASE}/part/${part}/3/ArchiveContent/large`;
      const answer = await fetch(url, { signal: leaving.signal });
      await (answer.body as ReadableStream<Uint8Array>).getReader().read();
      expect(watched.streams.at(-1)?.destroyed).toBe(false);
      leaving.abort();
      await eventually(() => watched.streams.every(({ destroyed }) => destroyed));
    });

    it('and break the connection when damage appears only at the end', async () => {
      await upload(`part/${part}`, 4, zip([{ name: 'wrong', content: randomBytes(2 * MIB), crc: 1 }]));
      const url = `http://127.0.0.1:${running.port}${BASE}/part/${part}/4/ArchiveContent/wrong`;
      await expect(fetch(url).then((answer) => answer.arrayBuffer())).rejects.toThrow();
    });
  });

  it('are looked up again when they are replaced during a request', async () => {
    const uuid = await running.inspection.create('preplaced/');
    const [before, after] = ['before', 'after'].map((name) => zip([{ name, content: randomBytes(100) }])) as [Buffer, Buffer];
    await upload(`part/${uuid}`, 0, before);
    const [{ object_name }] = (await running.query<{ object_name: string }>(
      'SELECT object_name FROM raw_data_object WHERE target_uuid = $1::uuid',
      [uuid],
    )) as [{ object_name: string }];
    const listed = async () => {
      const answer = await query('Entry', { selectors: [selector(uuid, 0)] });
      return [answer.status, (answer.body as { entries: string[] }[])[0]?.entries];
    };
    watched.onGet = async (name) => {
      if (name !== object_name) return;
      watched.onGet = undefined;
      await upload(`part/${uuid}`, 0, after);
      await eventually(async () => expect(await running.storedNames()).not.toContain(object_name));
    };
    expect(await listed()).toEqual([200, ['after']]);
    const [{ object_name: deleted }] = (await running.query<{ object_name: string }>(
      'SELECT object_name FROM raw_data_object WHERE target_uuid = $1::uuid',
      [uuid],
    )) as [{ object_name: string }];
    await running.blobs.remove([deleted]);
    const answer = await get(`/part/${uuid}/0/ArchiveContent/after`);
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBeDefined();
  });
});
