import { PathScope } from '@sinebar/access-control';
import { randomUUID } from 'node:crypto';
import { ROOT_PART_UUID } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { define, PlanClient } from './plan-client.fixture.ts';
import { expectConsistentPlan } from './plan-consistency.fixture.ts';

describeWith(['postgres'], 'inspection plan items', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  /** Uuids by path. */
  const uuid: Record<string, string> = {};

  // Attribute 1001 of parts and 2001 of characteristics hold the last letter of the path.
  const PATHS = [
    'P:/a/',
    'C:/x/',
    'PC:/a/x/',
    'PCC:/a/x/y/',
    'PP:/a/b/',
    'PPC:/a/b/z/',
    'PP:/a/empty/',
    'P:/d/',
    'PP:/d/e/',
    'PPP:/d/e/f/',
    'PPPC:/d/e/f/x/',
  ];
  /** Order of answers: characteristics of an item before its parts, each part before the items below it. */
  const ORDERED = [
    '/',
    'C:/x/',
    'P:/a/',
    'PC:/a/x/',
    'PCC:/a/x/y/',
    'PP:/a/b/',
    'PPC:/a/b/z/',
    'PP:/a/empty/',
    'P:/d/',
    'PP:/d/e/',
    'PPP:/d/e/f/',
    'PPPC:/d/e/f/x/',
  ];
  const isPart = (path: string) => !path.includes('C:');

  beforeAll(async () => {
    inspection = await startInspection();
    await define(
      inspection,
      { key: 1001, entity: 'part', type: 'AlphaNumeric' },
      { key: 2001, entity: 'characteristic', type: 'AlphaNumeric' },
    );
    for (const kind of ['part', 'characteristic'] as const) {
      const items = PATHS.filter((path) => isPart(path) === (kind === 'part')).map((path) => {
        const item = { uuid: randomUUID(), path, attributes: { [kind === 'part' ? 1001 : 2001]: path.at(-2) } };
        uuid[path] = item.uuid;
        return item;
      });
      await plan.post(kind, items).expect(201);
    }
    uuid['/'] = ROOT_PART_UUID;
  });
  afterAll(async () => {
    try {
      await expectConsistentPlan(inspection);
    } finally {
      await inspection.stop();
    }
  });

  const uuids = (...paths: string[]) => `{${paths.map((path) => uuid[path] ?? path).join(',')}}`;
  const below = (...paths: string[]) => ORDERED.filter((path) => paths.some((start) => path.slice(path.indexOf('/')).startsWith(start)));

  it.each<[string, () => string, string[]]>([
    ['everything', () => '', ORDERED],
    ['everything, named', () => 'paths=/&restrictToEntity=none', ORDERED],
    ['one path', () => 'paths=/a', below('/a/')],
    ['a path that is a part and a characteristic', () => 'paths=a/x', ['PC:/a/x/', 'PCC:/a/x/y/']],
    ['a path that may be several things', () => 'paths=/x', ['C:/x/']],
    ['several paths, one below another', () => 'paths={/a/b,/A/,/d/e}', below('/a/', '/d/e/')],
    [
      'several paths with depth',
      () => 'paths={/a,/d/e}&depth=1',
      ['P:/a/', 'PC:/a/x/', 'PP:/a/b/', 'PP:/a/empty/', 'PP:/d/e/', 'PPP:/d/e/f/'],
    ],
    ['no paths', () => 'paths={}', []],
    ['a path that names nothing', () => 'paths=/nowhere', []],
    ['depth 0', () => 'depth=0', ['/']],
    ['depth 1', () => 'depth=1', ['/', 'C:/x/', 'P:/a/', 'P:/d/']],
    ['depth 2 below a part', () => 'paths=/a&depth=2', below('/a/')],
    [
      'what is below parents',
      () => `parentUuids=${uuids('PP:/a/b/', 'PP:/d/e/')}`,
      below('/a/b/', '/d/e/').filter((path) => path !== 'PP:/a/b/' && path !== 'PP:/d/e/'),
    ],
    ['what is below a parent with depth', () => `parentUuids=${uuids('P:/d/')}&depth=1`, ['PP:/d/e/']],
    ['nothing down to depth 0 below a parent', () => `parentUuids=${uuids('P:/d/')}&depth=0`, []],
    ['what is below a characteristic', () => `parentUuids=${uuids('PC:/a/x/')}`, ['PCC:/a/x/y/']],
    ['what is below the root part', () => `parentUuids=${uuids('/')}`, ORDERED.filter((path) => path !== '/')],
    ['parts below a parent', () => `parentUuids=${uuids('P:/a/')}&restrictToEntity=Part`, ['PP:/a/b/', 'PP:/a/empty/']],
    [
      'parts that lead to characteristics below a parent',
      () => `parentUuids=${uuids('P:/a/')}&restrictToEntity=Characteristic`,
      below('/a/').filter((path) => path !== 'P:/a/' && path !== 'PP:/a/empty/'),
    ],
    ['parents of a part that is named, too', () => `itemUuids=${uuids('P:/a/')}&parentUuids=${uuids('P:/a/')}`, ['P:/a/']],
    ['items', () => `itemUuids=${uuids('PPC:/a/b/z/', '/', 'P:/a/', randomUUID())}`, ['/', 'P:/a/', 'PPC:/a/b/z/']],
    ['items with depth', () => `itemUuids=${uuids('P:/d/', 'PC:/a/x/')}&depth=1`, ['PC:/a/x/', 'PCC:/a/x/y/', 'P:/d/', 'PP:/d/e/']],
    ['no items', () => 'itemUuids={}', []],
    ['parts', () => 'restrictToEntity=PART', ORDERED.filter(isPart)],
    ['parts of a path', () => 'restrictToEntity=Part&paths=/a', ['P:/a/', 'PP:/a/b/', 'PP:/a/empty/']],
    ['parts among items', () => `restrictToEntity=Part&itemUuids=${uuids('PC:/a/x/', 'P:/d/')}`, ['P:/d/']],
    [
      'characteristics with the parts that lead to them',
      () => 'restrictToEntity=Characteristic',
      ORDERED.filter((path) => path !== 'PP:/a/empty/'),
    ],
    ['characteristics alone', () => 'restrictToEntity=CharacteristicWithoutIntermediateParts', ORDERED.filter((path) => !isPart(path))],
    ['characteristics down to a depth', () => 'restrictToEntity=Characteristic&depth=2', ['/', 'C:/x/', 'P:/a/', 'PC:/a/x/']],
    ['characteristics down to a depth below paths', () => 'restrictToEntity=Characteristic&depth=1&paths={/a,/d}', ['P:/a/', 'PC:/a/x/']],
    [
      'characteristics among items',
      () => `restrictToEntity=Characteristic&itemUuids=${uuids('/', 'P:/a/', 'P:/d/', 'PPC:/a/b/z/')}`,
      ['/', 'P:/a/', 'PPC:/a/b/z/'],
    ],
    ['a search for parts', () => 'searchCondition=1001In[b,e,x]', ['PP:/a/b/', 'PP:/d/e/']],
    ['a search for parts, named', () => 'searchCondition=1001=[B]&restrictToEntity=Part', ['PP:/a/b/']],
    [
      'a search for characteristics',
      () => 'searchCondition=2001=[X]&restrictToEntity=Characteristic',
      ['/', 'C:/x/', 'P:/a/', 'PC:/a/x/', 'P:/d/', 'PP:/d/e/', 'PPP:/d/e/f/', 'PPPC:/d/e/f/x/'],
    ],
    [
      'a search for characteristics alone',
      () => 'searchCondition=2001<>[x]&restrictToEntity=CharacteristicWithoutIntermediateParts',
      ['PCC:/a/x/y/', 'PPC:/a/b/z/'],
    ],
    ['a search with depth', () => 'searchCondition=2001=[x]&restrictToEntity=Characteristic&depth=1', ['/', 'C:/x/']],
    ['a search for characteristics by an attribute of parts', () => 'searchCondition=1001=[a]&restrictToEntity=Characteristic', []],
  ])('lists and counts %s [D4.9]', async (_name, query, expected) => {
    expect((await plan.planItems(query())).map(({ path }) => path)).toEqual(expected);
    expect(await plan.count('inspectionPlanItems', query())).toBe(expected.length);
  });

  it('lists parents before children, each with its attributes [D4.9]', async () => {
    const items = await plan.planItems('requestedPartAttributes=None');
    const seen = new Set<string>();
    for (const { path } of items) {
      const names = path.slice(path.indexOf('/'));
      if (names !== '/') expect(seen).toContain(names.replace(/[^/]+\/$/, ''));
      seen.add(names);
    }
    expect(items.map(({ path, attributes }) => [path, attributes])).toEqual(
      ORDERED.map((path) => [path, isPart(path) ? {} : { 2001: path.at(-2) }]),
    );
    const withoutThose = await plan.planItems('requestedCharacteristicAttributes={}&itemUuids=' + uuids('C:/x/', 'P:/a/'));
    expect(withoutThose.map(({ attributes }) => attributes)).toEqual([{}, { 1001: 'a' }]);
    expect(items.map((item) => 'charChangeDate' in item)).toEqual(ORDERED.map(isPart));
  });

  it('lists the parts above characteristics only when both may be read', async () => {
    const principal = (prefix: string) => ({ name: 'stub', rightsKey: prefix, scopeOf: () => PathScope.below(prefix), holds: () => false });
    const list = async () => (await plan.planItems('restrictToEntity=Characteristic')).map(({ path }) => path);
    await inspection.as(principal('pd/pe/pf/'), async () => expect(await list()).toEqual(['PPP:/d/e/f/', 'PPPC:/d/e/f/x/']));
    await inspection.as(principal('pa/pempty/'), async () => expect(await list()).toEqual([]));
  });

  it.each([
    [() => `paths=/a&parentUuids=${uuids('P:/a/')}`, /not both/],
    [() => 'paths=/&parentUuids={}', /not both/],
    [() => 'restrictToEntity=Measurement', /restrictToEntity/],
    [() => 'depth=x', /depth/],
    [() => 'itemUuids={x}', /itemUuids/],
    [() => 'parentUuids={x}', /parentUuids/],
    [() => 'paths={/a//b}', /paths/],
    [() => 'searchCondition=1001', /searchCondition/],
    [() => 'depth=1&depth=2', /more than once/],
  ])('refuses bad parameters (%#) [D4.9]', async (query, message) => {
    for (const resource of ['inspectionPlanItems', 'inspectionPlanItems/count'])
      expect(await plan.refused(plan.get(`${resource}?${query()}`))).toEqual([400, expect.stringMatching(message)]);
  });
});
