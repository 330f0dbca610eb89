import { PathScope } from '@sinebar/access-control';
import { randomUUID } from 'node:crypto';
import { ROOT_PART_UUID, type ErrorBody, type Part } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';

describeWith(['postgres'], 'parts', () => {
  let inspection: RunningInspection;
  beforeAll(async () => {
    inspection = await startInspection();
  });
  afterAll(() => inspection.stop());

  const post = (parts: unknown) =>
    request(inspection.server)
      .post('/dataServiceRest/parts')
      .send(parts as object);
  const list = async (query: string) =>
    (await request(inspection.server).get(`/dataServiceRest/parts?${query}`).expect(200)).body as Part[];
  const paths = (parts: Part[]) => parts.map(({ path }) => path);
  const announced = () => inspection.announced();

  it('has the root part on a new server [I12, I94, I101, D1.8, D4.1, D5.3]', async () => {
    const [root] = await list('');
    expect(root).toMatchObject({ uuid: ROOT_PART_UUID, path: '/', version: 0, attributes: {} });
    expect(root?.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect((await request(inspection.server).get(`/dataServiceRest/parts/{${ROOT_PART_UUID}}`).expect(200)).body).toEqual(root);
  });

  it('creates a tree with one revision for the request and one event for each part [I7, I14, I47, I102, I183, D4.3, D4.4]', async () => {
    const [assembly, door, lock] = [randomUUID(), randomUUID(), randomUUID()];
    const before = (await announced()).length;
    await post([
      { uuid: lock, path: 'PPP:/Assembly/door/lock/' },
      { UUID: `{${assembly.toUpperCase()}}`, Path: 'P:/Assembly/', version: 'ignored', timestamp: '0001-01-01T00:00:00' },
      { uuid: door, path: 'PP:/ASSEMBLY/Door', attributes: { 1001: null } },
    ]).expect(201);
    const parts = await list('partPath=assembly&depth=65535');
    expect(paths(parts)).toEqual(['P:/Assembly/', 'PP:/Assembly/Door/', 'PPP:/Assembly/Door/lock/']);
    expect(new Set(parts.map(({ version }) => version)).size).toBe(1);
    expect((await announced()).slice(before)).toEqual([
      { type: 'PartCreated', PartUuid: assembly, ParentPartUuid: ROOT_PART_UUID },
      { type: 'PartCreated', PartUuid: door, ParentPartUuid: assembly },
      { type: 'PartCreated', PartUuid: lock, ParentPartUuid: door },
    ]);
    await post([{ uuid: randomUUID(), path: 'P:/next/' }]).expect(201);
    expect((await list('partPath=next'))[0]?.version).toBe((parts[0]?.version ?? 0) + 1);
  });

  it('lists by path and depth, by uuids exactly, and by uuids with depth [I14, I48, I94-I97, I190, D1.7, D4.5]', async () => {
    const [a, b] = [randomUUID(), randomUUID()];
    await post([
      { uuid: a, path: 'P:/tree/' },
      { uuid: b, path: 'PP:/tree/b/' },
      { uuid: randomUUID(), path: 'PPP:/tree/b/c/' },
      { uuid: randomUUID(), path: 'P:/tree2/' },
    ]).expect(201);
    expect(paths(await list('partPath=%2Ftree'))).toEqual(['P:/tree/', 'PP:/tree/b/']);
    expect(paths(await list('partPath=/TREE/&depth=0'))).toEqual(['P:/tree/']);
    expect(paths(await list('partPath=tree&depth=2'))).toHaveLength(3);
    expect(paths(await list(`partUuids={${a},${b},${randomUUID()}}`))).toEqual(['P:/tree/', 'PP:/tree/b/']);
    expect(paths(await list(`partUuids={${a},${b}}&depth=1&partPath=next`))).toEqual(['P:/tree/', 'PP:/tree/b/', 'PPP:/tree/b/c/']);
    expect(await list('partPath=nowhere')).toEqual([]);
    expect(await list('partUuids={}')).toEqual([]);
    expect(paths(await list(''))).toContain('P:/tree2/');
    expect(paths(await list(''))).not.toContain('PP:/tree/b/');
  });

  it('returns unusual names unchanged [I9, I131, D4.2, D4.3]', async () => {
    const names = ['a\\/b', 'c\\\\', 'quote\'"', 'per%cent_', 'ÄÖÜ', 'emoji😀', '{braces}', 'x:y', ' blank '];
    await post(names.map((name) => ({ uuid: randomUUID(), path: `P:/${name}/` }))).expect(201);
    for (const name of names) expect(paths(await list(`depth=0&partPath=${encodeURIComponent(name)}`))).toEqual([`P:/${name}/`]);
    await post([{ uuid: randomUUID(), path: 'P:/Maß/' }]).expect(201);
    await post([{ uuid: randomUUID(), path: 'P:/MASS/' }]).expect(409);
  });

  it.each<[string, unknown, number, RegExp]>([
    ['no array', { uuid: randomUUID(), path: 'P:/x/' }, 400, /must be an array/],
    ['no uuid', [{ path: 'P:/x/' }], 400, /\[0\]\.uuid/],
    ['a bad uuid', [{ uuid: 'x', path: 'P:/x/' }], 400, /\[0\]\.uuid: must be a uuid/],
    ['no path', [{ uuid: randomUUID() }], 400, /\[0\]\.path/],
    ['a path of a number', [{ uuid: randomUUID(), path: 5 }], 400, /\[0\]\.path/],
    ['no marker', [{ uuid: randomUUID(), path: '/x/' }], 400, /type marker/],
    ['the path of a characteristic', [{ uuid: randomUUID(), path: 'PC:/x/y/' }], 400, /path of a part/],
    [
      'an unknown attribute',
      [{ uuid: randomUUID(), path: 'P:/x/', attributes: { 1001: 'v' } }],
      400,
      /"1001" with the value "v": this attribute is not defined/,
    ],
    [
      'no parent',
      [{ uuid: randomUUID(), path: 'PP:/not there/x/' }],
      400,
      /\[0\]\.path: There is no part "not there" at P:\/not there\/\./,
    ],
    [
      'blanks around a slash, which belong to the names',
      [{ uuid: randomUUID(), path: 'PPPP:/next /b / c /d/' }],
      400,
      /\[0\]\.path: There is no part "next " at P:\/next \/\./,
    ],
    [
      'a parent with blanks below one without',
      [{ uuid: randomUUID(), path: 'PPP:/next/ b /c/' }],
      400,
      /\[0\]\.path: There is no part " b " at PP:\/next\/ b \/\./,
    ],
    ['the root', [{ uuid: randomUUID(), path: '/' }], 409, /already a part at \//],
    ['the uuid of the root', [{ uuid: ROOT_PART_UUID, path: 'P:/x/' }], 409, /already something with the uuid/],
    ['a taken path', [{ uuid: randomUUID(), path: 'P:/NEXT/' }], 409, /already a part at P:\/NEXT\//],
    [
      'one path twice',
      [
        { uuid: randomUUID(), path: 'P:/x/' },
        { uuid: randomUUID(), path: 'P:/X/' },
      ],
      400,
      /\[1\]: The path P:\/X\/ stands in \[0\] already/,
    ],
    [
      'one good, one bad',
      [
        { uuid: randomUUID(), path: 'P:/x/' },
        { uuid: randomUUID(), path: 'PP:/y/z/' },
      ],
      400,
      /\[1\]\.path/,
    ],
  ])('refuses the creation of %s and writes nothing [I6, I47, I102, D2.3, D2.6, D4.4]', async (_name, body, status, message) => {
    const before = await announced();
    const answer = await post(body);
    expect([answer.status, (answer.body as ErrorBody).message]).toEqual([status, expect.stringMatching(message)]);
    expect(await announced()).toEqual(before);
    expect(await list('partPath=x')).toEqual([]);
  });

  it('deletes a part with everything below it, children first [I7, I107-I109, I184, D2.6]', async () => {
    const [a, b] = [randomUUID(), randomUUID()];
    await post([
      { uuid: a, path: 'P:/gone/' },
      { uuid: b, path: 'PP:/gone/b/' },
      { uuid: randomUUID(), path: 'P:/gone too/' },
    ]).expect(201);
    const before = (await announced()).length;
    await request(inspection.server).delete(`/dataServiceRest/parts/${a}`).expect(200);
    expect((await announced()).slice(before)).toEqual([
      { type: 'PartDeleted', PartUuid: b, ParentPartUuid: a },
      { type: 'PartDeleted', PartUuid: a, ParentPartUuid: ROOT_PART_UUID },
    ]);
    expect(paths(await list('partPath=gone too'))).toEqual(['P:/gone too/']);
    await request(inspection.server).get(`/dataServiceRest/parts/${b}`).expect(404);
    await request(inspection.server).delete(`/dataServiceRest/parts/${a}`).expect(404);
    await request(inspection.server).delete(`/dataServiceRest/parts?partUuids={${a}}`).expect(200);
    await request(inspection.server).delete('/dataServiceRest/parts?partPath=gone').expect(404);
    await request(inspection.server).delete('/dataServiceRest/parts?partPath=/gone too/').expect(200);
    await post([{ uuid: a, path: 'P:/gone/' }]).expect(201);
  });

  it.each([
    ['', 400],
    ['?partUuids={}', 400],
    ['?partUuids=', 400],
    ['?partUuid={x}', 400],
    ['?partPath=', 400],
    [`?partUuids={${ROOT_PART_UUID}}`, 400],
    [`/${ROOT_PART_UUID}`, 400],
    ['/not-a-uuid', 400],
  ])('deletes nothing for DELETE /parts%s [I107, D1.7, D4.1, D4.8]', async (suffix, status) => {
    const before = await list('depth=65535');
    await request(inspection.server).delete(`/dataServiceRest/parts${suffix}`).expect(status);
    expect(await list('depth=65535')).toEqual(before);
  });

  it('creates one part when two clients create the same path', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => post([{ uuid: randomUUID(), path: 'P:/raced/' }])));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  });

  it('reads and changes only what the caller may read and change [D8.3]', async () => {
    const mine = randomUUID();
    const theirs = randomUUID();
    await post([
      { uuid: mine, path: 'P:/mine/' },
      { uuid: theirs, path: 'P:/mine too/' },
    ]).expect(201);
    await inspection.as({ name: 'stub', rightsKey: 'mine', scopeOf: () => PathScope.below('pmine/'), holds: () => false }, async () => {
      expect(paths(await list('depth=65535'))).toEqual(['P:/mine/']);
      expect(await list(`partUuids={${theirs}}`)).toEqual([]);
      await request(inspection.server).get(`/dataServiceRest/parts/${theirs}`).expect(403);
      await request(inspection.server).delete(`/dataServiceRest/parts/${theirs}`).expect(403);
      await request(inspection.server).delete(`/dataServiceRest/parts?partUuids={${mine},${theirs}}`).expect(403);
      await post([{ uuid: randomUUID(), path: 'P:/elsewhere/' }]).expect(403);
      await post([{ uuid: randomUUID(), path: 'PP:/mine/below/' }]).expect(201);
      expect(paths(await list('depth=65535'))).toEqual(['P:/mine/', 'PP:/mine/below/']);
    });
  });

  it('accepts 5,000 parts in one request', async () => {
    await post([{ uuid: randomUUID(), path: 'P:/many/' }]).expect(201);
    await post(Array.from({ length: 5000 }, (_, i) => ({ uuid: randomUUID(), path: `PP:/many/${i}/` }))).expect(201);
    expect(await list('partPath=many')).toHaveLength(5001);
    await request(inspection.server).delete('/dataServiceRest/parts?partPath=many').expect(200);
  });

  it('reports its version, its features and its counts [I18, I63, I70, I196, D5.12]', async () => {
    expect((await request(inspection.server).get('/dataServiceRest/').expect(200)).body).toEqual({ supportedVersions: ['1.12.0'] });
    const { body } = (await request(inspection.server).get('/dataservicerest/ServiceInformation').expect(200)) as {
      body: Record<string, unknown>;
    };
    expect(body).toMatchObject({
      serverName: 'test',
      version: '1.2.3',
      securityEnabled: false,
      measurementCount: expect.any(Number) as unknown,
    });
    expect(body['featureList']).toContain('DistinctMeasurementSearch');
    expect(Date.parse(body['inspectionPlanTimestamp'] as string)).toBeGreaterThan(Date.now() - 60_000);
  });
});
