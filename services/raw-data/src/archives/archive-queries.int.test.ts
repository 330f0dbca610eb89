import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWith, contentOf, zip } from '@sinebar/testing';
import { deserialize } from 'bson';
import request from 'supertest';
import { somebody, startRawData, type RunningRawData } from '../running-raw-data.fixture.ts';
import { formatMd5 } from '../objects/md5.ts';
import { archiveCalls, BASE, FILES, MESSAGE, NAMES, selector, startWithArchives } from './archive-calls.fixture.ts';
import type { WatchedBlobs } from './watched-blobs.fixture.ts';

describeWith(['postgres'], 'archive queries', () => {
  let running: RunningRawData;
  let watched: WatchedBlobs;
  let part: string;
  beforeAll(async () => {
    ({ running, watched, part } = await startWithArchives());
  });
  afterAll(() => running.stop());
  const { upload, query, bson } = archiveCalls(() => running);

  describe('for several archives', () => {
    it('entries: return one result per selector in order [R24, R25, R79]', async () => {
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

    it('files: return a BSON array of files with their data in order [R9, R26, R80, R84, R85, D6.8]', async () => {
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

    it('files: leave out missing archives and entries [D6.8]', async () => {
      const { answer, files } = await bson({
        selectors: [
          selector(randomUUID(), 0, ['readme.txt']),
          selector(part, 9, ['readme.txt']),
          selector(part, 0, ['gone.txt', 'readme.txt', 'Sub/gone/']),
        ],
      });
      expect(answer.status).toBe(200);
      expect(files.map(({ fileName }) => fileName)).toEqual(['readme.txt']);
    });

    it('files: return an empty array when nothing exists [D6.8]', async () => {
      const { answer, files } = await bson({ selectors: [selector(randomUUID(), 0, ['a']), selector(part, 0, ['gone.txt'])] });
      expect(answer.status).toBe(200);
      expect(files).toEqual([]);
    });

    it('entries: leave out missing archives [D6.8]', async () => {
      const answer = await query('Entry', { selectors: [selector(randomUUID(), 0), selector(part, 0), selector(part, 9)] });
      expect(answer.status).toBe(200);
      expect((answer.body as { entries: string[] }[]).map(({ entries }) => entries)).toEqual([NAMES]);
    });

    it.each(['Entry', 'Content'] as const)(
      '%s query: answers 400 for a file that is no archive, even when others are missing [D6.8]',
      async (kind) => {
        const answer = await query(kind, { selectors: [selector(randomUUID(), 0, ['a']), selector(part, 1, ['gone.txt'])] });
        expect(answer.status).toBe(400);
        expect(answer.body).toMatchObject({ message: MESSAGE });
      },
    );

    describe('by a user who may not read all of them', () => {
      let closed: string;
      beforeAll(async () => {
        closed = await running.inspection.create('pclosed/');
        await upload(`part/${closed}`, 0, zip([{ name: 'secret.txt', content: 'secret' }]));
        await upload(`part/${closed}`, 1, Buffer.from('no archive'));
        await running.followed();
      });
      const selectors = () => [selector(closed, 0, ['secret.txt']), selector(closed, 1, ['a']), selector(part, 0, ['readme.txt'])];

      it('files: leave out unreadable archives [D8.3]', async () => {
        await running.as(somebody({ read: ['pbox/'] }), async () => {
          const { files } = await bson({ selectors: selectors() });
          expect(files.map(({ fileName }) => fileName)).toEqual(['readme.txt']);
        });
      });

      it('entries: leave out unreadable archives [D8.3]', async () => {
        await running.as(somebody({ read: ['pbox/'] }), async () => {
          const answer = await query('Entry', { selectors: selectors() });
          expect((answer.body as { entries: string[] }[]).map(({ entries }) => entries)).toEqual([NAMES]);
        });
      });
    });

    it('files: refuse an answer larger than BSON allows', async () => {
      watched.forget();
      const answer = await query('Content', { selectors: [selector(part, 0, Array<string>(6000).fill('Sub/deeper/b.bin'))] });
      expect(answer.status).toBe(400);
      expect((answer.body as { message: string }).message).toContain('Ask for fewer files at once');
      expect(watched.ranges).toEqual([]);
    });

    it('files: write md5 as the setting says [D6.3]', async () => {
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
    ])('refuse a query with %s [R24-R26]', async (_name, body) => {
      const answer = await query('Content', body);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ ExceptionType: 'InvalidRequest', details: [{ field: expect.any(String) }] });
    });
  });
});
