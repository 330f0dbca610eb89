import { PathScope } from '@sinebar/access-control';
import { randomUUID } from 'node:crypto';
import { ROOT_PART_UUID } from '@sinebar/contracts';
import { describeWith, eventually } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { PlanClient, type ReadItem } from './plan-client.fixture.ts';
import { expectConsistentPlan } from './plan-consistency.fixture.ts';

describeWith(['postgres'], 'characteristics', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection();
  });
  afterAll(async () => {
    try {
      await expectConsistentPlan(inspection);
    } finally {
      await inspection.stop();
    }
  });

  const paths = (items: ReadItem[]) => items.map(({ path }) => path);

  it('creates them in any order and depth, and names the direct parent in each event [I48, I125, I183, D4.2, D4.4]', async () => {
    const [a, b] = await plan.create('P:/a/', 'PP:/a/b/');
    const [deep, inner, outer, atRoot, ofB] = Array.from({ length: 5 }, () => randomUUID());
    const events = await plan.eventsOf(() =>
      plan
        .post('characteristic', [
          { uuid: deep, path: 'PCCC:/a/outer/inner/deep/' },
          { uuid: atRoot, path: 'C:/at root/' },
          { uuid: ofB, path: 'PPC:/A/B/c/' },
          { uuid: inner, path: 'PCC:/a/OUTER/inner/' },
          { uuid: outer, path: 'PC:/a/Outer/' },
        ])
        .expect(201),
    );
    expect(await plan.tree('/')).toEqual([
      '/',
      'C:/at root/',
      'P:/a/',
      'PC:/a/Outer/',
      'PCC:/a/Outer/inner/',
      'PCCC:/a/Outer/inner/deep/',
      'PP:/a/b/',
      'PPC:/a/b/c/',
    ]);
    const parentOf = Object.fromEntries(
      events.map(({ CharacteristicUuid, ParentUuid }) => [CharacteristicUuid, ParentUuid] as [string, string]),
    );
    expect(parentOf).toEqual({
      [outer as string]: a,
      [inner as string]: outer,
      [deep as string]: inner,
      [atRoot as string]: ROOT_PART_UUID,
      [ofB as string]: b,
    });
    expect(events.map(({ type }) => type)).toEqual(Array.from({ length: 5 }, () => 'CharacteristicCreated'));
    const order = events.map(({ CharacteristicUuid }) => CharacteristicUuid);
    expect(order.indexOf(outer)).toBeLessThan(order.indexOf(inner));
    expect(order.indexOf(inner)).toBeLessThan(order.indexOf(deep));
    const versions = await plan.list('characteristic', `charUuids={${[deep, atRoot, ofB].join(',')}}`);
    expect(new Set(versions.map(({ version }) => version)).size).toBe(1);
    expect(versions[0]).not.toHaveProperty('charChangeDate');
  });

  it('lists and counts those of a part by depth and by uuids [I12, I14, I115-I118, I122, I124, I130, I190, I204, D1.7, D4.5]', async () => {
    const uuids = await plan.create(
      'P:/l/',
      'PP:/l/sub/',
      'PC:/l/x/',
      'PCC:/l/x/y/',
      'PCCC:/l/x/y/z/',
      'PC:/l/w/',
      'PPC:/l/sub/x/',
      'C:/l/',
    );
    const [l, , x, y] = uuids as [string, string, string, string];
    const cases: [string, string[]][] = [
      ['partPath=/l', ['PC:/l/w/', 'PC:/l/x/', 'PCC:/l/x/y/', 'PCCC:/l/x/y/z/']],
      ['partPath=/l&depth=65536', ['PC:/l/w/', 'PC:/l/x/', 'PCC:/l/x/y/', 'PCCC:/l/x/y/z/']],
      ['partPath=/L/&depth=0', []],
      ['partPath=/l&depth=1', ['PC:/l/w/', 'PC:/l/x/']],
      ['partPath=/l&depth=2', ['PC:/l/w/', 'PC:/l/x/', 'PCC:/l/x/y/']],
      ['partPath=/l/sub', ['PPC:/l/sub/x/']],
      // A characteristic is no part, whatever its name.
      ['partPath=/l/x', []],
      [`charUuids={${x}}`, ['PC:/l/x/']],
      [`charUuids={${x}}&depth=0`, ['PC:/l/x/']],
      [`charUuids={${x}}&depth=1`, ['PC:/l/x/', 'PCC:/l/x/y/']],
      [`charUuids={${y},${x}}&depth=1`, ['PC:/l/x/', 'PCC:/l/x/y/', 'PCCC:/l/x/y/z/']],
      [`charUuids={${x},${y}}&partPath=/nowhere`, ['PC:/l/x/', 'PCC:/l/x/y/']],
      [`charUuids={${l}}`, []],
      [`charUuids={${l}}&depth=5`, []],
      [`charUuids={${randomUUID()}}`, []],
      ['charUuids={}', []],
      ['partPath=/nowhere', []],
    ];
    for (const [query, expected] of cases) {
      expect([query, paths(await plan.list('characteristic', query))]).toEqual([query, expected]);
      expect([query, await plan.count('characteristics', query)]).toEqual([query, expected.length]);
    }
    expect(paths(await plan.list('characteristic'))).toContain('C:/l/');
    expect(paths(await plan.list('characteristic'))).not.toContain('PC:/l/x/');
    for (const query of ['depth=-1', 'depth=70000', 'depth=x', 'charUuids={x}', 'withHistory=maybe', 'partPath=a%2F%2Fb']) {
      expect([query, (await plan.get(`characteristics?${query}`)).status]).toEqual([query, 400]);
      expect([query, (await plan.get(`characteristics/count?${query}`)).status]).toEqual([
        query,
        query.startsWith('withHistory') ? 200 : 400,
      ]);
    }
    await plan.get(`characteristics/${l}`).expect(404);
    await plan.get(`parts/${x}`).expect(404);
  });

  it.each<[string, string, number, RegExp]>([
    ['the path of a part', 'P:/k/new/', 400, /marker/],
    ['a part below a characteristic', 'PCP:/k/x/new/', 400, /cannot lie below/],
    ['the root', '/', 400, /marker of a characteristic/],
    ['a part in the place of a characteristic', 'PPC:/k/x/new/', 400, /There is no part "x" at PP:\/k\/x\//],
    ['a characteristic in the place of a part', 'PCC:/k/sub/new/', 400, /There is no characteristic "sub" at PC:\/k\/sub\//],
    ['a missing part', 'PC:/not there/new/', 400, /There is no part "not there" at P:/],
    ['a name that is taken in another case', 'PC:/k/X/', 409, /already a characteristic at PC:\/k\/X\//],
  ])('refuses %s [I125, D4.4]', async (_name, path, status, message) => {
    if ((await plan.list('part', 'partPath=k')).length === 0) await plan.create('P:/k/', 'PP:/k/sub/', 'PC:/k/x/');
    const before = await plan.tree();
    expect(await plan.refused(plan.post('characteristic', [{ uuid: randomUUID(), path }]))).toEqual([
      status,
      expect.stringMatching(message),
    ]);
    expect(await plan.tree()).toEqual(before);
  });

  it('distinguishes a part and a characteristic of the same name [I48]', async () => {
    const [part, characteristic] = await plan.create('P:/same/', 'C:/same/');
    await plan.create('PC:/same/same/', 'CC:/same/same/', 'PP:/same/same/', 'PPC:/same/same/same/');
    expect(paths(await plan.list('characteristic', 'partPath=/same'))).toEqual(['PC:/same/same/']);
    // charPath=/same/same may be PC or CC: both are deleted.
    await plan.delete('characteristics?charPath=/same/same').expect(200);
    expect(await plan.tree('/same')).toEqual(['C:/same/', 'P:/same/', 'PP:/same/same/', 'PPC:/same/same/same/']);
    await plan.delete('characteristics?charPath=same/same/SAME/').expect(200);
    await plan.delete(`parts/${part}`).expect(200);
    expect(paths(await plan.list('characteristic', `charUuids={${characteristic}}`))).toEqual(['C:/same/']);
  });

  it('deletes by uuid, by list and by path, children first, and names the part in each event [I128, I129, D7.3]', async () => {
    const [d, , x, y, z, other] = await plan.create('P:/d/', 'PP:/d/e/', 'PC:/d/x/', 'PCC:/d/x/y/', 'PPC:/d/e/z/', 'PC:/d/other/');
    const e = (await plan.list('part', 'partPath=/d/e'))[0]?.uuid;
    expect(await plan.eventsOf(() => plan.delete(`characteristics/${x}`).expect(200))).toEqual([
      { type: 'CharacteristicDeleted', CharacteristicUuid: y, ParentPartUuid: d },
      { type: 'CharacteristicDeleted', CharacteristicUuid: x, ParentPartUuid: d },
    ]);
    await plan.delete(`characteristics/${x}`).expect(404);
    await plan.delete(`characteristics/${d}`).expect(404);
    await plan.delete('characteristics?charPath=/d/x').expect(404);
    await plan.delete('characteristics?charPath=/d/e').expect(404);
    // Unknown uuids and uuids of parts are ignored in a list.
    expect(await plan.eventsOf(() => plan.delete(`characteristics?charUuids={${x},${d},${other}}`).expect(200))).toEqual([
      { type: 'CharacteristicDeleted', CharacteristicUuid: other, ParentPartUuid: d },
    ]);
    expect(await plan.eventsOf(() => plan.delete(`characteristics?charUuids={${z}}&charPath=/nowhere`).expect(200))).toEqual([
      { type: 'CharacteristicDeleted', CharacteristicUuid: z, ParentPartUuid: e },
    ]);
    expect(await plan.eventsOf(() => plan.delete(`characteristics?charUuids={${z}}`).expect(200))).toEqual([]);
    expect(await plan.tree('/d')).toEqual(['P:/d/', 'PP:/d/e/']);
  });

  it.each(['', '?charUuids={}', '?charUuids=', '?charPath=', '?charPath=/', '?charUuid={x}', '?charUuids={x}', '/x', '?partPath=/keep'])(
    'deletes nothing for DELETE /characteristics%s [I128, D1.7, D4.8]',
    async (suffix) => {
      if ((await plan.list('part', 'partPath=keep')).length === 0) await plan.create('P:/keep/', 'PC:/keep/x/');
      const before = await plan.tree();
      await plan.delete(`characteristics${suffix}`).expect(400);
      expect(await plan.tree()).toEqual(before);
    },
  );

  it('updates charChangeDate of the part only when its characteristics change [I53]', async () => {
    const [part, parent] = await plan.create('P:/dated/', 'P:/undated/');
    const datesOf = async (uuid: string | undefined) => plan.one('part', uuid as string);
    const first = await datesOf(part);
    const untouched = await datesOf(parent);
    let last = first.charChangeDate ?? '';
    const changes: (() => PromiseLike<unknown>)[] = [
      () => plan.create('PC:/dated/x/'),
      () => plan.put('characteristic', [{ uuid: uuidOfX, path: 'PC:/dated/y/' }]).expect(200),
      () => plan.delete(`characteristics/${uuidOfX}`).expect(200),
    ];
    let uuidOfX = '';
    for (const change of changes) {
      const previous = Date.parse(last);
      await eventually(() => Date.now() > previous);
      await change();
      uuidOfX = (await plan.list('characteristic', 'partPath=dated'))[0]?.uuid ?? '';
      const now = await datesOf(part);
      expect(Date.parse(now.charChangeDate ?? '')).toBeGreaterThan(previous);
      expect(now).toMatchObject({ version: first.version, timestamp: first.timestamp });
      last = now.charChangeDate ?? '';
    }
    expect(await datesOf(parent)).toEqual(untouched);
  });

  it('sends at most 1,000 events of one part in one message', async () => {
    const [part] = await plan.create('P:/many/');
    const before = (await inspection.envelopes()).length;
    const items = Array.from({ length: 2001 }, (_, i) => ({ uuid: randomUUID(), path: `PC:/many/${i}/` }));
    await plan.post('characteristic', items).expect(201);
    const created = (await inspection.envelopes()).slice(before);
    expect(created.map(({ data }) => data.events.length)).toEqual([1000, 1000, 1]);
    expect(created.map(({ subject, sinebarpart, sinebarpath }) => [subject, sinebarpart, sinebarpath])).toEqual(
      created.map(() => [part, part, 'pmany/']),
    );
    expect(await plan.count('characteristics', 'partPath=many')).toBe(2001);
    await plan.delete(`parts/${part}`).expect(200);
    const deleted = (await inspection.envelopes()).slice(before + 3);
    expect(deleted.map(({ type, data }) => [type, data.events.length])).toEqual([
      ['CharacteristicDeleted', 1000],
      ['CharacteristicDeleted', 1000],
      ['CharacteristicDeleted', 1],
      ['PartDeleted', 1],
    ]);
    const announced = created
      .flatMap(({ data }) => data.events)
      .map((event) => (event as { CharacteristicUuid: string }).CharacteristicUuid);
    expect(announced).toEqual(items.map(({ uuid }) => uuid));
  });

  it('reads and changes only what the caller may read and change [D8.3]', async () => {
    const [, mine, , theirs] = await plan.create('P:/mine/', 'PC:/mine/x/', 'P:/mine2/', 'PC:/mine2/x/', 'C:/free/');
    await inspection.as({ name: 'stub', rightsKey: 'mine', scopeOf: () => PathScope.below('pmine/'), holds: () => false }, async () => {
      expect(paths(await plan.list('characteristic', `charUuids={${mine},${theirs}}`))).toEqual(['PC:/mine/x/']);
      expect(await plan.count('characteristics', 'partPath=mine2')).toBe(0);
      expect(await plan.list('characteristic')).toEqual([]);
      expect(await plan.tree()).toEqual(['P:/mine/', 'PC:/mine/x/']);
      expect(await plan.count('inspectionPlanItems')).toBe(2);
      await plan.get(`characteristics/${theirs}`).expect(403);
      await plan.get(`characteristics/${mine}`).expect(200);
      await plan.delete(`characteristics/${theirs}`).expect(403);
      await plan.delete(`characteristics?charUuids={${mine},${theirs}}`).expect(403);
      // Users without the right to write do not learn whether a path exists.
      for (const path of ['PC:/mine2/x/', 'PC:/mine2/new/', 'PC:/not there/new/']) {
        expect([path, (await plan.post('characteristic', [{ uuid: randomUUID(), path }])).status]).toEqual([path, 403]);
      }
      for (const path of ['PC:/mine2/x/', 'PC:/elsewhere/x/']) {
        expect([path, (await plan.put('characteristic', [{ uuid: mine, path }])).status]).toEqual([path, 403]);
      }
      await plan.put('characteristic', [{ uuid: theirs, path: 'PC:/mine/y/' }]).expect(403);
      await plan.put('characteristic', [{ uuid: mine, path: 'PC:/mine/y/' }]).expect(200);
    });
  });
});
