import { randomUUID } from 'node:crypto';
import { describeWith } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { define, PlanClient } from './plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from './running-inspection.fixture.ts';

/** Tests statements of the documents on the inspection plan that concern several features or combined parameters. */
describeWith(['postgres'], 'documented inspection plan', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection({ SINEBAR_VERSIONING: 'on' });
    await define(
      inspection,
      { key: 1001, entity: 'part', type: 'AlphaNumeric' },
      { key: 1004, entity: 'part', type: 'DateTime' },
      { key: 2001, entity: 'characteristic', type: 'AlphaNumeric' },
      { key: 2002, entity: 'characteristic', type: 'Integer' },
    );
  });
  afterAll(() => inspection.stop());

  const fresh = () => `t${randomUUID()}`;

  it('numbers the first change of a server 0 and each later request that changes the plan one higher [I51, I105, D4.7]', async () => {
    const own = await startInspection();
    try {
      const first = new PlanClient(() => own);
      const [a] = (await first.create('P:/a/')) as [string];
      expect((await first.one('part', a)).version).toBe(0);
      // Requests that are refused or change nothing do not count.
      await first.post('part', [{ uuid: randomUUID(), path: 'P:/a/' }]).expect(409);
      await first.put('part', [{ uuid: a, path: 'P:/a/' }]).expect(200);
      const [x, y] = (await first.create('PC:/a/x/', 'PC:/a/y/')) as [string, string];
      expect((await first.one('characteristic', x)).version).toBe(1);
      expect((await first.one('characteristic', y)).version).toBe(1);
      await first.delete(`characteristics/${y}`).expect(200);
      await first.put('part', [{ uuid: a, path: 'P:/b/' }]).expect(200);
      expect((await first.one('part', a)).version).toBe(3);
      expect((await first.one('characteristic', x)).version).toBe(1);
    } finally {
      await own.stop();
    }
  });

  it('creates one version entry for an update of several characteristics [I126]', async () => {
    const t = fresh();
    const [, x, y, untouched] = (await plan.create(`P:/${t}/`, `PC:/${t}/x/`, `PC:/${t}/y/`, `PC:/${t}/z/`)) as [
      string,
      string,
      string,
      string,
    ];
    const before = await plan.one('characteristic', untouched);
    await plan
      .put('characteristic', [
        { uuid: x, attributes: { 2001: 'a' } },
        { uuid: y, attributes: { 2001: 'b' } },
      ])
      .expect(200);
    const [changed, other] = await plan.list('characteristic', `charUuids={${x},${y}}&withHistory=true`);
    expect(changed?.version).toBe(other?.version);
    expect(changed?.history).toHaveLength(1);
    expect(changed?.version).toBeGreaterThan(before.version);
    expect(await plan.one('characteristic', untouched)).toEqual(before);
  });

  it.each(['part', 'characteristic'] as const)(
    'sets version, dates and history of a %s itself and ignores those in the request [I52, D2.7]',
    async (kind) => {
      const [uuid, marker, begun] = [randomUUID(), kind === 'part' ? 'P' : 'C', Date.now()];
      const serverSet = {
        version: -7,
        timestamp: '0001-01-01T00:00:00',
        charChangeDate: 'yesterday',
        history: [{ version: 99 }],
        unknown: {},
      };
      const path = `${marker}:/${uuid}/`;
      const created = async () => await plan.one(kind, uuid, 'withHistory=true');
      await plan.post(kind, [{ ...serverSet, uuid, path } as object]).expect(201);
      const first = await created();
      expect(Date.parse(first.timestamp)).toBeGreaterThanOrEqual(begun);
      expect(first.version).toBeGreaterThanOrEqual(0);
      expect(first.history).toEqual([]);
      await plan.put(kind, [{ ...serverSet, uuid, path: `${marker}:/${uuid} 2/` } as object]).expect(200);
      const second = await created();
      expect(Date.parse(second.timestamp)).toBeGreaterThanOrEqual(Date.parse(first.timestamp));
      expect(second.version).toBeGreaterThan(first.version);
      expect(second.history?.map(({ version }) => version)).toEqual([first.version]);
    },
  );

  it('counts the parts that it lists [I18, I61, I114, I204]', async () => {
    const t = fresh();
    const [a, b] = await plan.create(`P:/${t}/`, `PP:/${t}/b/`, `PPP:/${t}/b/c/`, `PC:/${t}/x/`);
    await plan.put('part', [{ uuid: b, attributes: { 1001: 'found' } }]).expect(200);
    const cases: [string, number][] = [
      [`partPath=/${t}`, 2],
      [`partPath=/${t}&depth=0`, 1],
      [`partPath=/${t}&depth=65535`, 3],
      [`partPath=/${t}&depth=2&searchCondition=1001=[found]`, 1],
      [`partUuids={${a},${b},${randomUUID()}}`, 2],
      [`partUuids={${a}}&depth=1&partPath=/nowhere`, 2],
      ['partUuids={}', 0],
      ['partPath=/nowhere', 0],
    ];
    for (const [query, expected] of cases) {
      expect([query, await plan.count('parts', query)]).toEqual([query, expected]);
      expect([query, (await plan.list('part', query)).length]).toEqual([query, expected]);
    }
    expect((await plan.get(`parts/count?partUuids={${a}}`).expect(200)).body).toEqual({ count: 1 });
  });

  it('deletes parts by partUuids alone when partPath is also sent [I107]', async () => {
    const t = fresh();
    const [a, b] = await plan.create(`P:/${t}a/`, `P:/${t}b/`);
    await plan.delete(`parts?partUuids={${a}}&partPath=/${t}b`).expect(200);
    await plan.get(`parts/${a}`).expect(404);
    await plan.one('part', b as string);
  });

  it('deletes a part with its characteristics, including those of child parts [I108, I111]', async () => {
    const t = fresh();
    const [part, sub, x, y, z] = await plan.create(`P:/${t}/`, `PP:/${t}/sub/`, `PC:/${t}/x/`, `PCC:/${t}/x/y/`, `PPC:/${t}/sub/z/`);
    await plan.delete(`parts?partPath=/${t}`).expect(200);
    for (const uuid of [part, sub]) await plan.get(`parts/${uuid}`).expect(404);
    for (const uuid of [x, y, z]) await plan.get(`characteristics/${uuid}`).expect(404);
  });

  it('returns only the requested attributes of characteristics, in lists and single answers [I120, I124, D5.10]', async () => {
    const uuid = randomUUID();
    const all = { 2001: 'a', 2002: '5' };
    await plan.post('characteristic', [{ uuid, path: `C:/${uuid}/`, attributes: all }]).expect(201);
    const cases: [string, object][] = [
      ['', all],
      ['requestedCharacteristicAttributes=All', all],
      ['requestedCharacteristicAttributes=None', {}],
      ['requestedCharacteristicAttributes=', {}],
      ['requestedCharacteristicAttributes={}', {}],
      ['requestedCharacteristicAttributes={2002}', { 2002: '5' }],
      ['requestedcharacteristicattributes=2001,4711', { 2001: 'a' }],
      ['requestedPartAttributes=None', all],
    ];
    for (const [query, expected] of cases) {
      const [listed] = await plan.list('characteristic', `charUuids={${uuid}}&${query}`);
      expect([query, listed?.attributes]).toEqual([query, expected]);
      expect([query, (await plan.one('characteristic', uuid, query)).attributes]).toEqual([query, expected]);
    }
    await plan.get('characteristics?requestedCharacteristicAttributes={x}').expect(400);
    await plan.get(`characteristics/${uuid}?requestedCharacteristicAttributes=70000`).expect(400);
  });

  it('accepts only attributes of characteristics for characteristics [I125]', async () => {
    const uuid = randomUUID();
    const refused = (attributes: object) => plan.refused(plan.post('characteristic', [{ uuid, path: `C:/${uuid}/`, attributes }]));
    expect(await refused({ 1001: 'of parts' })).toEqual([400, expect.stringMatching(/characteristic attribute "1001"/)]);
    expect(await refused({ 2002: 'five' })).toEqual([400, expect.stringMatching(/characteristic attribute "2002"/)]);
    expect(await refused({ 4711: 'x' })).toEqual([400, expect.stringMatching(/characteristic attribute "4711"/)]);
    await plan.get(`characteristics/${uuid}`).expect(404);
  });

  it('finds parts by a date with Z or with an offset whose sign is encoded [I10, I68]', async () => {
    const uuid = randomUUID();
    await plan.post('part', [{ uuid, path: `P:/${uuid}/`, attributes: { 1004: '2026-01-31T12:00:00Z' } }]).expect(201);
    const found = async (value: string) => (await plan.list('part', `searchCondition=1004%3D%5B${value}%5D`)).length;
    expect(await found('2026-01-31T12:00:00Z')).toBe(1);
    expect(await found('2026-01-31T13:30:00%2B01:30')).toBe(1);
    expect(await found('2026-01-31T10:00:00-02:00')).toBe(1);
    expect(await found('2026-01-31T12:00:00%2B01:00')).toBe(0);
    // A plain + in a query is a blank.
    await plan.get('parts?searchCondition=1004%3D%5B2026-01-31T13:30:00+01:30%5D').expect(400);
  });

  it('reads lists with plain, encoded or missing braces, and a single uuid in braces [I8, D1.3]', async () => {
    const t = fresh();
    const [a, b] = await plan.create(`P:/${t}a/`, `P:/${t}b/`);
    for (const list of [`{${a},${b}}`, `%7B${a}%2C%20${b}%7D`, `${a},${b}`, `{${a?.toUpperCase()} , {${b}}}`]) {
      expect([list, (await plan.list('part', `partUuids=${list.replaceAll(' ', '%20')}`)).map(({ uuid }) => uuid)]).toEqual([list, [a, b]]);
    }
  });

  it.each([
    ['off', 'Off'],
    ['on', 'On'],
    ['client', 'Client'],
  ] as const)('reports the versioning %s as %s [D3.7]', async (setting, reported) => {
    const own = await startInspection({ SINEBAR_VERSIONING: setting });
    try {
      expect((await request(own.server).get('/dataServiceRest/configuration').expect(200)).body).toMatchObject({
        versioningType: reported,
      });
    } finally {
      await own.stop();
    }
  });
});
