import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWith, eventually } from '@sinebar/testing';
import { deserialize, type Binary } from 'bson';
import request from 'supertest';
import { somebody, startRawData, type RunningRawData } from '../../running-raw-data.test-case.js';
import { formatMd5 } from '../objects/md5.js';
import { WatchedBlobs } from './watched-blobs.test-case.js';
import { contentOf, zip, type WrittenEntry } from './zip-writer.test-case.js';

const BASE = '/rawDataServiceRest/rawData';
const MIB = 2 ** 20;
const MESSAGE = 'Specified RawData is no archive of supported format!';

const FILES: WrittenEntry[] = [
  { name: 'readme.txt', content: 'read me first' },
  { name: 'Sub/' },
  { name: 'Sub/Größe 100%.csv', content: '1;2;3\n'.repeat(5000) },
  { name: 'Sub/deeper/b.bin', content: randomBytes(400_000) },
  { name: 'README.TXT', content: 'of the same name' },
  { name: '../../etc/passwd', content: 'harmless' },
];
const NAMES = FILES.map(({ name }) => name);

interface BsonFile {
  fileName: string;
  size: number;
  data: Binary;
  md5: string;
  archiveInfo: object;
}

describeWith(['postgres'], 'archives', () => {
  let running: RunningRawData;
  let watched: WatchedBlobs;
  let part: string;

  beforeAll(async () => {
    running = await startRawData({
      blobs: (store) => {
        watched = new WatchedBlobs(store);
        return Object.assign(Object.create(store) as typeof store, { get: watched.get.bind(watched) });
      },
    });
    part = await running.inspection.create('pbox/');
    await upload(`part/${part}`, 0, zip(FILES));
    await upload(`part/${part}`, 1, Buffer.from('no archive'), 'text.zip');
  });
  afterAll(() => running.stop());

  const upload = async (target: string, key: number, bytes: Buffer, fileName = 'a.zip') => {
    const answer = await request(running.server)
      .post(`${BASE}/${target}/${key}`)
      .set({ 'Content-Disposition': `"${fileName}"`, 'Content-Type': 'application/zip' })
      .send(bytes);
    expect(answer.status).toBe(201);
    return answer.body as object;
  };
  const get = (path: string, headers: Record<string, string> = {}) =>
    request(running.server)
      .get(`${BASE}${path}`)
      .set(headers)
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(Buffer.from(chunk)));
        response.on('end', () => done(null, Buffer.concat(chunks)));
      });
  const content = (name: string, headers: Record<string, string> = {}) => get(`/part/${part}/0/ArchiveContent/${name}`, headers);
  const query = (kind: 'Entry' | 'Content', body: unknown) =>
    request(running.server)
      .post(`${BASE}/Archive${kind}Query`)
      .send(body as object);
  const bson = async (body: unknown) => {
    const answer = await query('Content', body).responseType('blob');
    if (answer.status !== 200) return { answer, files: [] };
    return { answer, files: Object.values(deserialize(answer.body as Buffer)) as BsonFile[] };
  };
  const selector = (uuid: string, key: number, entries?: string[]) => ({
    target: { entity: 'Part', uuid },
    key,
    ...(entries && { entries }),
  });

  describe('list their entries', () => {
    it('folders with a slash at the end, files with their folders', async () => {
      const answer = await request(running.server).get(`${BASE}/part/${part}/0/ArchiveEntries`);
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'private, no-cache' });
      const [information] = (await request(running.server).get(`/rawDataServiceRest/rawDataInformation/part/${part}`)).body as object[];
      expect(answer.body).toEqual([{ archiveInfo: information, entries: NAMES }]);
    });

    it.each(['/RawDataServiceRest/rawdata/Parts/{U}/0/archiveentries/', '/rawdataServiceRest/rawData/part/%7BU%7D/0/ARCHIVEENTRIES'])(
      'at %s too',
      async (path) => {
        const answer = await request(running.server).get(path.replace('U', part.toUpperCase()));
        expect((answer.body as { entries: string[] }[])[0]?.entries).toEqual(NAMES);
      },
    );

    it('also when there are many of them', async () => {
      const many = Array.from({ length: 20_000 }, (_, i) => ({ name: `folder ${i % 10}/ß ${i}.txt`, method: 0 }));
      await upload(`part/${part}`, 2, zip(many));
      const answer = await request(running.server).get(`${BASE}/part/${part}/2/ArchiveEntries`);
      expect((answer.body as { entries: string[] }[])[0]?.entries).toEqual(many.map(({ name }) => name));
    });
  });

  describe('give out a file', () => {
    it.each([
      ['readme.txt', 'readme.txt'],
      ['README.txt', 'readme.txt'],
      ['Sub/Gr%C3%B6%C3%9Fe%20100%25.csv', 'Sub/Größe 100%.csv'],
      ['sub%2FGR%C3%96%C3%9Fe%20100%25.CSV', 'Sub/Größe 100%.csv'],
      ['Sub/deeper%2fb.bin', 'Sub/deeper/b.bin'],
      ['..%2F..%2Fetc%2Fpasswd', '../../etc/passwd'],
    ])('as %s', async (sent, name) => {
      const answer = await content(sent);
      expect(answer.status).toBe(200);
      const expected = contentOf(FILES.find((file) => file.name === name) as WrittenEntry);
      expect((answer.body as Buffer).equals(expected)).toBe(true);
      expect(answer.headers['content-length']).toBe(String(expected.length));
    });

    it('to be saved and not shown, and as it is', async () => {
      const answer = await content('Sub/Gr%C3%B6%C3%9Fe%20100%25.csv', { 'Accept-Encoding': 'gzip', Range: 'bytes=0-9' });
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': expect.stringContaining(`filename*=UTF-8''Gr%C3%B6%C3%9Fe%20100%25.csv`),
        'accept-ranges': 'none',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'private, no-cache, no-transform',
        etag: expect.stringMatching(/^"[0-9a-f]{32}-[0-9a-f]+-[0-9a-f]+"$/),
      });
      expect(Date.parse(answer.headers['last-modified'] as string)).toBeGreaterThan(Date.now() - 600_000);
    });

    it.each(['Sub/', 'Sub%2F', 'sub/'])('empty for the folder %s', async (folder) => {
      const answer = await content(folder);
      expect(answer.status).toBe(200);
      expect(answer.headers['content-length']).toBe('0');
      expect((answer.body as Buffer).length).toBe(0);
    });

    it.each(['Sub', 'deeper/b.bin', 'Sub/deeper/', 'nothing', '%00', 'Sub//deeper/b.bin'])(
      'but not what is not there: %s',
      async (name) => {
        const answer = await request(running.server).get(`${BASE}/part/${part}/0/ArchiveContent/${name}`);
        expect(answer.status).toBe(name === '%00' ? 400 : 404);
        if (name !== '%00') expect((answer.body as { message: string }).message).toContain(JSON.stringify(name));
      },
    );

    it('not again to whoever has it, until the archive changes', async () => {
      const uuid = await running.inspection.create('pcached/');
      await upload(`part/${uuid}`, 0, zip(FILES));
      const address = `/part/${uuid}/0/ArchiveContent`;
      const { etag, 'last-modified': modified } = (await get(`${address}/readme.txt`)).headers as Record<string, string>;
      const unchanged = await get(`${address}/README.txt`, { 'If-None-Match': `"x", W/${etag}` });
      expect([unchanged.status, (unchanged.body as Buffer).length, unchanged.headers['etag']]).toEqual([304, 0, etag]);
      expect((await get(`${address}/readme.txt`, { 'If-Modified-Since': modified as string })).status).toBe(304);
      expect((await get(`${address}/Sub/deeper/b.bin`, { 'If-None-Match': etag as string })).status).toBe(200);
      expect((await get(`${address}/nothing`, { 'If-None-Match': '*' })).status).toBe(404);
      await upload(`part/${uuid}`, 0, zip([{ name: 'readme.txt', content: 'another' }]));
      const changed = await get(`${address}/readme.txt`, { 'If-None-Match': etag as string });
      expect([changed.status, String(changed.body)]).toEqual([200, 'another']);
      expect(changed.headers['etag']).not.toBe(etag);
    });

    it('for ever when the checksum of the archive was asked for', async () => {
      const digest = createHash('md5').update(zip(FILES)).digest('hex');
      const cached = async (md5: string) => (await content(`readme.txt?ExpectedArchiveMD5=${md5}`)).headers['cache-control'];
      expect(await cached(digest)).toContain('immutable');
      expect(await cached(formatMd5(digest, 'guid'))).toContain('immutable');
      expect(await cached(createHash('md5').digest('hex'))).toContain('no-cache');
      expect((await content('readme.txt?expectedArchiveMd5=x')).status).toBe(400);
    });

    it('not for HEAD, which opens nothing', async () => {
      await content('readme.txt');
      watched.forget();
      const answer = await request(running.server).head(`${BASE}/part/${part}/0/ArchiveContent/Sub/deeper/b.bin`);
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({ 'content-length': '400000', etag: expect.any(String) });
      expect(watched.ranges).toEqual([]);
    });

    it('and let the store go when the client goes', async () => {
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

    it('broken off, when only its end shows that it is damaged', async () => {
      await upload(`part/${part}`, 4, zip([{ name: 'wrong', content: randomBytes(2 * MIB), crc: 1 }]));
      const url = `http://127.0.0.1:${running.port}${BASE}/part/${part}/4/ArchiveContent/wrong`;
      await expect(fetch(url).then((answer) => answer.arrayBuffer())).rejects.toThrow();
    });
  });

  describe('are asked for many at once', () => {
    it('entries: one result per selector, in their order', async () => {
      const value = `${randomUUID()}|${randomUUID()}`;
      running.inspection.targets.set(`Value|${value}`, part);
      const information = await upload(`value/${encodeURIComponent(value)}`, 5, zip([{ name: 'v' }]));
      const selectors = [
        { Target: { ENTITY: 'values', Uuid: `{${value.toUpperCase()}}` }, Key: 5, entries: 'ignored', more: 1 },
        selector(part, 0),
        selector(part, 0),
      ];
      const answer = await query('Entry', { Selectors: selectors, other: true });
      expect(answer.status).toBe(200);
      const results = answer.body as { archiveInfo: { key: number }; entries: string[] }[];
      expect(results.map(({ entries }) => entries)).toEqual([['v'], NAMES, NAMES]);
      expect(results[0]?.archiveInfo).toEqual(information);
      expect((await query('Entry', { selectors: [] })).body).toEqual([]);
    });

    it('files: a BSON array of files with their data, in their order', async () => {
      const other = zip([{ name: 'x/y.z', content: 'other archive' }]);
      const information = await upload(`part/${part}`, 6, other);
      const wanted = ['README.txt', 'Sub/deeper/b.bin', 'Sub/', 'Sub/Größe 100%.csv', 'readme.txt'];
      const { answer, files } = await bson({ selectors: [selector(part, 0, wanted), selector(part, 6, ['X/y.Z']), selector(part, 0, [])] });
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/bson',
        'content-length': String((answer.body as Buffer).length),
      });
      expect(files.map(({ fileName }) => fileName)).toEqual([
        'readme.txt',
        'Sub/deeper/b.bin',
        'Sub/',
        'Sub/Größe 100%.csv',
        'readme.txt',
        'x/y.z',
      ]);
      for (const file of files) {
        const expected = contentOf(FILES.find(({ name }) => name === file.fileName) ?? { name: '', content: 'other archive' });
        expect(Buffer.from(file.data.buffer).equals(expected)).toBe(true);
        expect(file.size).toBe(expected.length);
        expect(file.md5).toBe(formatMd5(createHash('md5').update(expected).digest('hex'), 'guid'));
      }
      expect(files[5]?.archiveInfo).toEqual(information);
      const [first] = (await request(running.server).get(`/rawDataServiceRest/rawDataInformation/part/${part}`)).body as object[];
      expect(files[0]?.archiveInfo).toEqual(first);
    });

    it('files: nothing is sent when one is not there', async () => {
      const answer = await query('Content', { selectors: [selector(part, 0, ['readme.txt']), selector(part, 0, ['Sub/', 'gone.txt'])] });
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({
        message: expect.stringContaining('"gone.txt"'),
        details: [{ field: 'selectors[1].entries[1]' }],
      });
    });

    it('files: refused when the answer would be larger than BSON can be', async () => {
      watched.forget();
      const answer = await query('Content', { selectors: [selector(part, 0, Array<string>(6000).fill('Sub/deeper/b.bin'))] });
      expect(answer.status).toBe(400);
      expect((answer.body as { message: string }).message).toContain('ask for fewer files at once');
      expect(watched.ranges).toEqual([]);
    });

    it('files: md5 as the setting says', async () => {
      const hex = await startRawData({ env: { SINEBAR_MD5_FORMAT: 'hex' } });
      const uuid = await hex.inspection.create('phex/');
      const bytes = zip([{ name: 'a', content: 'abc' }]);
      await request(hex.server)
        .post(`${BASE}/part/${uuid}/0`)
        .set({ 'Content-Disposition': '"a.zip"', 'Content-Type': 'application/zip' })
        .send(bytes);
      const answer = await request(hex.server)
        .post(`${BASE}/ArchiveContentQuery`)
        .send({ selectors: [selector(uuid, 0, ['a'])] })
        .responseType('blob');
      const [file] = Object.values(deserialize(answer.body as Buffer)) as { md5: string; archiveInfo: { md5: string } }[];
      expect(file?.md5).toBe('900150983cd24fb0d6963f7d28e17f72');
      expect(file?.archiveInfo.md5).toBe(createHash('md5').update(bytes).digest('hex'));
      await hex.stop();
    });

    it.each([
      ['no selectors', {}],
      ['no list', { selectors: 'x' }],
      ['no target', { selectors: [{ key: 0, entries: [] }] }],
      ['another entity', { selectors: [{ target: { entity: 'Catalog', uuid: randomUUID() }, key: 0, entries: [] }] }],
      ['no uuid', { selectors: [{ target: { entity: 'Part', uuid: 'x' }, key: 0, entries: [] }] }],
      ['half of a value', { selectors: [{ target: { entity: 'Value', uuid: randomUUID() }, key: 0, entries: [] }] }],
      ['a key that is a text', { selectors: [{ ...selector(randomUUID(), 0, []), key: '0' }] }],
      ['a key below 0', { selectors: [selector(randomUUID(), -1, [])] }],
      ['a key beyond its range', { selectors: [selector(randomUUID(), 2 ** 31, [])] }],
      ['half a key', { selectors: [selector(randomUUID(), 0.5, [])] }],
      ['no entries', { selectors: [selector(randomUUID(), 0)] }],
      ['entries that are no texts', { selectors: [{ ...selector(randomUUID(), 0), entries: [1] }] }],
      ['a list', []],
    ])('not with %s', async (_name, body) => {
      const answer = await query('Content', body);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ ExceptionType: 'InvalidRequest', details: [{ field: expect.any(String) }] });
    });
  });

  describe('that are none', () => {
    const addresses: [string, () => request.Test][] = [
      ['ArchiveEntries', () => request(running.server).get(`${BASE}/part/${part}/1/ArchiveEntries`)],
      ['ArchiveContent', () => request(running.server).get(`${BASE}/part/${part}/1/ArchiveContent/x`)],
      ['ArchiveEntryQuery', () => query('Entry', { selectors: [selector(part, 0), selector(part, 1)] })],
      ['ArchiveContentQuery', () => query('Content', { selectors: [selector(part, 0, ['readme.txt']), selector(part, 1, ['x'])] })],
    ];
    it.each(addresses)('are told with the documented text by %s', async (_name, send) => {
      const answer = await send();
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ Message: MESSAGE, message: MESSAGE, ExceptionType: 'UnsupportedArchive', StackTrace: '' });
      expect(answer.body).toMatchObject({
        details: [{ field: 'archive', message: expect.stringContaining(`raw data 1 of part ${part}: it`) }],
      });
    });

    it('because one file cannot be read, are told before anything is sent', async () => {
      await upload(
        `part/${part}`,
        8,
        zip([
          { name: 'secret', flags: 0x801, content: 'x' },
          { name: 'wrong', content: 'x', crc: 1 },
        ]),
      );
      for (const name of ['secret', 'wrong']) {
        expect((await get(`/part/${part}/8/ArchiveContent/${name}`)).status).toBe(400);
        const answer = await query('Content', { selectors: [selector(part, 0, ['readme.txt']), selector(part, 8, [name])] });
        expect([answer.status, (answer.body as { Message: string }).Message]).toEqual([400, MESSAGE]);
      }
    });

    it.each([
      '/part/U/99/ArchiveEntries',
      '/part/V/0/ArchiveEntries',
      '/part/U/99/ArchiveContent/x',
      '/thing/U/0/ArchiveEntries',
      '/part/U/0/ArchiveContent/',
    ])('because there is nothing, are 404: %s', async (path) => {
      expect((await get(path.replace('U', part).replace('V', randomUUID()))).status).toBe(404);
    });

    it('because there is nothing, are 404 in a query', async () => {
      for (const kind of ['Entry', 'Content'] as const) {
        const answer = await query(kind, { selectors: [selector(part, 0, []), selector(part, 99, [])] });
        expect([answer.status, (answer.body as { message: string }).message]).toEqual([
          404,
          `part ${part} has no raw data with the key 99`,
        ]);
      }
    });

    it('because the address is malformed, are 400', async () => {
      expect((await get(`/part/${part}/x/ArchiveEntries`)).status).toBe(400);
      expect((await get(`/part/x/0/ArchiveEntries`)).status).toBe(400);
      expect((await get(`/part/${part}/0/ArchiveContent/%E0%A4`)).status).toBe(400);
      expect((await request(running.server).put(`${BASE}/part/${part}/0/ArchiveEntries`)).status).toBe(405);
    });
  });

  describe('are open to those with the rights only', () => {
    let uuids: string[];
    beforeAll(async () => {
      uuids = await Promise.all(Array.from({ length: 20 }, (_, i) => running.inspection.create(`pline${i}/`)));
      for (const [i, uuid] of uuids.entries()) await upload(`part/${uuid}`, 0, zip([{ name: `of ${i}`, content: `${i}` }]));
      await running.followed();
    });
    const asks = (uuid: string): [string, request.Test][] => [
      ['ArchiveEntries', get(`/part/${uuid}/0/ArchiveEntries`)],
      ['ArchiveContent', get(`/part/${uuid}/0/ArchiveContent/of%207`)],
      ['ArchiveEntryQuery', query('Entry', { selectors: [selector(uuids[7] as string, 0), selector(uuid, 0)] })],
      ['ArchiveContentQuery', query('Content', { selectors: [selector(uuids[7] as string, 0, ['of 7']), selector(uuid, 0, [])] })],
    ];

    it('of one subtree of twenty', async () => {
      await running.as(somebody({ read: ['pline7/'] }), async () => {
        for (const [kind, send] of asks(uuids[7] as string)) expect([kind, (await send).status]).toEqual([kind, 200]);
        for (const other of [uuids[0], uuids[19], part] as string[]) {
          for (const [kind, send] of asks(other)) expect([kind, (await send).status]).toEqual([kind, 403]);
        }
      });
    });

    it('also while the mirror does not know the part', async () => {
      await running.query('DELETE FROM part WHERE uuid = $1::uuid', [uuids[7]]);
      await running.as(somebody({ read: ['pline7/'] }), async () => {
        for (const [kind, send] of asks(uuids[7] as string)) expect([kind, (await send).status]).toEqual([kind, 200]);
      });
      await running.as(somebody({ read: ['pline8/'] }), async () => {
        for (const [kind, send] of asks(uuids[7] as string)) expect([kind, (await send).status]).toEqual([kind, 403]);
      });
      await running.query(`INSERT INTO part (uuid, path) VALUES ($1::uuid, 'pline7/')`, [uuids[7]]);
    });
  });

  it('are looked up again when they are replaced in the middle of a request', async () => {
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
    const [{ object_name: gone }] = (await running.query<{ object_name: string }>(
      'SELECT object_name FROM raw_data_object WHERE target_uuid = $1::uuid',
      [uuid],
    )) as [{ object_name: string }];
    await running.blobs.remove([gone]);
    const answer = await get(`/part/${uuid}/0/ArchiveContent/after`);
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBeDefined();
  });
});
