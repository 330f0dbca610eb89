import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { RawDataInformation } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { somebody, startRawData, type RunningRawData } from '../running-raw-data.fixture.ts';

const SERVICE = '/rawDataServiceRest';

describeWith(['postgres'], 'raw data information', () => {
  let running: RunningRawData;
  const [a, b, empty] = [
    '10000000-0000-4000-8000-000000000001',
    '20000000-0000-4000-8000-000000000002',
    '30000000-0000-4000-8000-000000000003',
  ];

  beforeAll(async () => {
    running = await startRawData({
      parts: { [a]: 'pa/', [b]: 'pb/', [empty]: 'pempty/' },
      env: { SINEBAR_MD5_FORMAT: 'hex', SINEBAR_ALLOWED_FILE_NAMES: '*.txt,photo?.PNG' },
    });
    for (const [uuid, key] of [
      [a, 5],
      [a, 0],
      [b, 0],
    ] as const) {
      await request(running.server)
        .post(`${SERVICE}/rawData/part/${uuid}/${key}`)
        .set({ 'Content-Disposition': `"${key}.txt"`, 'Content-Type': 'text/plain' })
        .send('x')
        .expect(201);
    }
  });
  afterAll(() => running.stop());

  const get = (path: string) => request(running.server).get(`${SERVICE}${path}`);
  const keysOf = (body: unknown) =>
    (body as RawDataInformation[]).map(({ target, key }) => `${target.uuid === a ? 'a' : target.uuid === b ? 'b' : '?'}${key}`);

  it('reports the versions, also at the other spelling of the address [R5, R10, R27, R28, R35, R36, R96, R100, D1.1, D5.12]', async () => {
    expect((await get('/')).body).toEqual({ supportedVersions: ['1.8.0'] });
    expect((await request(running.server).get('/rawdataServiceRest')).body).toEqual({ supportedVersions: ['1.8.0'] });
    expect((await get('/ServiceInformation')).body).toEqual({ version: '1.2.3' });
  });

  it.each(['rawDataInformation', 'rawData', 'RawDataInformation'])(
    'lists files at /%s [R8, R33, R37, R38, R40, R99, D1.6, D6.7]',
    async (address) => {
      expect(keysOf((await get(`/${address}/part`)).body)).toEqual(['a0', 'a5', 'b0']);
      expect(keysOf((await get(`/${address}/Parts/`)).body)).toEqual(['a0', 'a5', 'b0']);
      expect(keysOf((await get(`/${address}/part?uuids={${b}, {${a.toUpperCase()}}}`)).body)).toEqual(['a0', 'a5', 'b0']);
      expect(keysOf((await get(`/${address}/part?UUIDs=${b},${randomUUID()}`)).body)).toEqual(['b0']);
      expect((await get(`/${address}/part?uuids={}`)).body).toEqual([]);
      expect(keysOf((await get(`/${address}/part?uuids=`)).body)).toEqual(['a0', 'a5', 'b0']);
      expect((await get(`/${address}/measurement`)).body).toEqual([]);
      expect((await get(`/${address}/value?uuids={${a}|${b}}`)).body).toEqual([]);
      expect(keysOf((await get(`/${address}/part/${a}`)).body)).toEqual(['a0', 'a5']);
      expect((await get(`/${address}/part/${empty}`)).body).toEqual([]);
    },
  );

  it.each([
    [`FileName eq '5.TXT'`, ['a5']],
    [`filename like '?.txt' and not (Length gt 1)`, ['a0', 'a5', 'b0']],
    [`FileName in ('5.txt', 'x') or MimeType eq 'x/y'`, ['a5']],
    [`FileName notin ('5.txt')`, ['a0', 'b0']],
    [`LastModified gt '-1h' and Created le 2999-01-01`, ['a0', 'a5', 'b0']],
    [`LastModified lt '-1h'`, []],
    [`MD5 eq '9dd4e461268c8034f5c8564e155c67a6'`, ['a0', 'a5', 'b0']],
    [`MD5 in ('61e4d49d-8c26-3480-f5c8-564e155c67a6')`, ['a0', 'a5', 'b0']],
    [`MD5 ne '9dd4e461268c8034f5c8564e155c67a6'`, []],
    [`md5 like '9DD4E461-268C-*'`, ['a0', 'a5', 'b0']],
    [`md5 like '9dd4e461268c*'`, ['a0', 'a5', 'b0']],
    [`md5 like '61e4d49d8c26*'`, ['a0', 'a5', 'b0']],
    [`md5 like '61e4d49d-8c26-????-*'`, ['a0', 'a5', 'b0']],
    [`md5 like '9dd4e461'`, []],
    [`md5 like '%'`, []],
    [`Length in (1, 2.5) and FileName ge '5' and FileName ne null`, ['a5']],
    ['false', []],
  ])('filters by %s [R8, R21, R37, R41-R51, R54, R57, R58, D6.7]', async (filter, expected) => {
    const filtered = (more = '') => get(`/rawDataInformation/part?filter=${encodeURIComponent(filter)}${more}`);
    expect(keysOf((await filtered()).body)).toEqual(expected);
    expect(keysOf((await filtered(`&uuids={${a}}`)).body)).toEqual(expected.filter((key) => key.startsWith('a')));
  });

  it('filters by the milliseconds that it returns [R55]', async () => {
    const [first] = (await get(`/rawDataInformation/part/${a}`)).body as [RawDataInformation];
    const body: unknown = (await get(`/rawData/part?filter=${encodeURIComponent(`LastModified eq '${first.lastModified}'`)}`)).body;
    expect(keysOf(body)).toContain('a0');
  });

  it('names the position of an error in a filter', async () => {
    const answer = await get(`/rawDataInformation/part?filter=${encodeURIComponent('Length eq x')}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ message: expect.stringMatching(/filter.*a number.*character 11/) as unknown });
  });

  it('writes checksums as the setting says [R20, D6.3]', async () => {
    const [first] = (await get(`/rawDataInformation/part/${a}`)).body as RawDataInformation[];
    expect(first?.md5).toBe('9dd4e461268c8034f5c8564e155c67a6');
  });

  it.each([
    [`/rawDataInformation/part/${randomUUID()}`, 404],
    ['/rawDataInformation/part/x', 400],
    ['/rawDataInformation/thing', 404],
    ['/rawDataInformation/part?uuids={x}', 400],
    [`/rawDataInformation/value?uuids={${randomUUID()}}`, 400],
  ])('answers %s with %i [R37, R38]', async (path, status) => {
    const answer = await get(path);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ message: expect.any(String), StackTrace: '' });
  });

  it('lists only readable files [D8.3]', async () => {
    await running.as(somebody({ read: ['pb/'] }), async () => {
      expect(keysOf((await get('/rawDataInformation/part')).body)).toEqual(['b0']);
      expect(keysOf((await get(`/rawDataInformation/part?uuids={${a},${b}}`)).body)).toEqual(['b0']);
      expect((await get(`/rawDataInformation/part/${a}`)).status).toBe(403);
      expect((await get(`/rawDataInformation/part/${empty}`)).status).toBe(403);
    });
  });

  it('lists the files that belong to a part and to those below it', async () => {
    await running.query(`INSERT INTO part (uuid, path) VALUES ('40000000-0000-4000-8000-000000000004', 'pa/pinner/')`);
    await running.query(
      `INSERT INTO raw_data_object (entity, target_uuid, characteristic_uuid, part_uuid, key, file_name, mime_type, size_bytes, md5,
         created, last_modified, object_name)
       SELECT 'Part', uuid, '00000000-0000-0000-0000-000000000000', uuid, 9, 'x', 'a/b', 0, decode(repeat('0', 32), 'hex'),
         now(), now(), gen_random_uuid()
       FROM part WHERE path = 'pa/pinner/'`,
    );
    expect(keysOf((await get('/rawDataInformation/part?partPath=/A')).body)).toEqual(['a0', 'a5', '?9']);
    expect(keysOf((await get('/rawDataInformation/part?partPath=a/inner/')).body)).toEqual(['?9']);
    expect(keysOf((await get(`/rawDataInformation/part?partPath=/a&filter=${encodeURIComponent('Length gt 0')}`)).body)).toEqual([
      'a0',
      'a5',
    ]);
    expect(keysOf((await get('/rawDataInformation/part?partPath=/nothing')).body)).toEqual([]);
    await running.query(`DELETE FROM raw_data_object WHERE key = 9`);
    await running.query(`DELETE FROM part WHERE path = 'pa/pinner/'`);
  });

  it('lists the files of measurements and of their values', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    await running.query(
      `INSERT INTO raw_data_object (entity, target_uuid, characteristic_uuid, part_uuid, key, file_name, mime_type, size_bytes, md5,
         created, last_modified, object_name)
       SELECT entity, target, characteristic, $1, 0, 'x', 'a/b', 0, decode(repeat('0', 32), 'hex'), now(), now(), gen_random_uuid()
       FROM unnest($2::uuid[]) AS target,
         (VALUES ('Measurement', '00000000-0000-0000-0000-000000000000'::uuid), ('Value', $1::uuid)) AS kind(entity, characteristic)`,
      [b, [one, other]],
    );
    const targets = async (entity: string) =>
      ((await get(`/rawDataInformation/${entity}?measurementUuids={${one}}`)).body as RawDataInformation[]).map(
        ({ target }) => target.uuid,
      );
    expect(await targets('measurement')).toEqual([one]);
    expect(await targets('value')).toEqual([`${one}|${b}`]);
    await running.query(`DELETE FROM raw_data_object WHERE entity IN ('Measurement', 'Value')`);
  });

  it.each(['part?measurementUuids={}', 'characteristic?measurementUuids={}', 'measurement?measurementUuids={x}', 'part?partPath=a//b'])(
    'refuses %s',
    async (address) => {
      const answer = await get(`/rawDataInformation/${address}`);
      expect(answer.status).toBe(400);
      expect((answer.body as { message: string }).message).toMatch(/measurementUuids|partPath/);
    },
  );

  it('lists more files than one page', async () => {
    await running.query(
      `INSERT INTO raw_data_object (entity, target_uuid, characteristic_uuid, part_uuid, key, file_name, mime_type, size_bytes, md5,
         created, last_modified, object_name)
       SELECT 'Measurement', $1, '00000000-0000-0000-0000-000000000000', $1, n, 'x', 'a/b', 0, decode(repeat('0', 32), 'hex'),
         now(), now(), gen_random_uuid()
       FROM generate_series(0, 2499) AS n`,
      [b],
    );
    const body: unknown = (await get('/rawDataInformation/measurement')).body;
    expect((body as RawDataInformation[]).map(({ key }) => key)).toEqual([...Array(2500).keys()]);
    await running.query(`DELETE FROM raw_data_object WHERE entity = 'Measurement'`);
  });

  it('renames files and changes their type, and keeps members that are left out or null [R8, R16, R17, R31, R39, R99, D2.1, D2.7, D6.9]', async () => {
    const path = `/rawDataInformation/part/${a}/0`;
    const put = (body: object, headers: Record<string, string> = {}) =>
      request(running.server).put(`${SERVICE}${path}`).set(headers).send(body);
    const current = async () => ((await get(`/rawDataInformation/part/${a}`)).body as RawDataInformation[])[0] as RawDataInformation;
    const before = await current();
    expect((await put({ FILENAME: 'new.txt', version: 3 })).status).toBe(200);
    const renamed = await current();
    expect(renamed).toMatchObject({ fileName: 'new.txt', mimeType: 'text/plain', created: before.created, size: 1 });
    expect(renamed.lastModified > before.lastModified).toBe(true);
    expect(await running.announced()).toContainEqual(
      expect.objectContaining({ type: 'RawDataModified', Key: 0, OldFilename: '0.txt', NewFilename: 'new.txt' }),
    );
    expect((await put({ mimetype: 'application/json', fileName: null })).status).toBe(200);
    expect(await current()).toMatchObject({ fileName: 'new.txt', mimeType: 'application/json' });
    const events = (await running.announced()).length;
    expect((await put({})).status).toBe(200);
    expect((await running.announced()).length).toBe(events);
    expect((await put({ fileName: 'x.txt' }, { 'If-Match': '"old"' })).status).toBe(412);
  });

  it.each([
    [{ fileName: '' }, 400],
    [{ fileName: 'a\u0007.txt' }, 400],
    [{ fileName: 'a.exe' }, 400],
    [{ fileName: 3 }, 400],
    [{ mimeType: 'text/plain\r\nX-Evil: 1' }, 400],
    [['x'], 400],
  ])('refuses %j [R31, R39, R73, R94, D6.9]', async (body, status) => {
    expect((await request(running.server).put(`${SERVICE}/rawDataInformation/part/${a}/0`).send(body)).status).toBe(status);
  });

  it('accepts only file names that the server allows [R73, R94, D6.9]', async () => {
    const post = (name: string) =>
      request(running.server)
        .post(`${SERVICE}/rawData/part/${empty}/0`)
        .set({ 'Content-Disposition': `"${name}"`, 'Content-Type': 'text/plain' })
        .send('x');
    expect((await post('photo1.png')).status).toBe(201);
    expect((await post('photo12.png')).status).toBe(400);
    expect((await post('a.txt.exe')).status).toBe(400);
  });

  it('answers 404 for missing files [R39]', async () => {
    const put = (path: string) => request(running.server).put(`${SERVICE}/rawDataInformation/part/${path}`).send({ fileName: 'x.txt' });
    expect((await put(`${a}/77`)).status).toBe(404);
    expect((await put(`${randomUUID()}/0`)).status).toBe(404);
    await running.as(somebody({ read: ['pa/'], write: ['pb/'] }), async () => {
      expect((await put(`${a}/0`)).status).toBe(403);
    });
  });
});
