import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PathScope, type Principal } from '@sinebar/access-control';
import {
  partChildrenSchema,
  partOverviewSchema,
  partStatusesSchema,
  type CharacteristicSummary,
  type ErrorBody,
  type Measurement,
  type PartChildren,
  type PartOverview,
  type PartStatuses,
} from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { define, PlanClient } from '../../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { AnalysisClient, timeOf } from '../analysed-part.fixture.ts';

const reader = (plan: PathScope, measurement: PathScope): Principal => ({
  name: 'somebody',
  rightsKey: 'somebody',
  scopeOf: (right) => ({ 'plan:read': plan, 'measurement:read': measurement })[right as string] ?? PathScope.NOTHING,
  holds: () => false,
});

/** Measurements of each part. */
const COUNT = 40;

/** Values of a slow wave with noise, always the same. */
function wave(index: number, offset: number): number {
  return Number((20 + Math.sin(index / 5) / 10 + ((index * 7919) % 13) / 100 + offset).toFixed(3));
}

describeWith(['postgres'], 'analysis of a part', () => {
  let inspection: RunningInspection;
  const client = new AnalysisClient(() => inspection);
  const plan = new PlanClient(() => inspection);
  /** Door with good, warning and bad; frame below it with one-sided, constant and never; "bad" has a characteristic "inner" below it. */
  const uuids = {} as Record<'door' | 'frame' | 'good' | 'warning' | 'bad' | 'inner' | 'oneSided' | 'constant' | 'never', string>;

  beforeAll(async () => {
    inspection = await startInspection();
    await define(
      inspection,
      ...[2100, 2101, 2110, 2111, 2120, 2121, 8014, 8015].map((key) => ({
        key,
        entity: 'characteristic' as const,
        type: 'Float' as const,
      })),
      { key: 99, entity: 'measurement', type: 'Integer' },
    );
    [uuids.door = '', uuids.frame = ''] = await plan.create('P:/door/', 'PP:/door/frame/');
    const characteristics: [keyof typeof uuids, string, object][] = [
      ['good', 'PC:/door/good/', { 2101: 20, 2110: 19, 2111: 21 }],
      ['warning', 'PC:/door/Warning 10/', { 2110: 19, 2111: 22, 8015: 20.1 }],
      ['bad', 'PC:/door/Warning 9/', { 2110: 19, 2111: 20 }],
      ['inner', 'PCC:/door/Warning 9/inner/', {}],
      ['oneSided', 'PPC:/door/frame/one sided/', { 2110: 0, 2120: 2, 2111: 30 }],
      ['constant', 'PPC:/door/frame/constant/', { 2110: 4, 2111: 6 }],
      ['never', 'PPC:/door/frame/never/', { 2110: 4, 2111: 6 }],
    ];
    for (const [name] of characteristics) uuids[name] = randomUUID();
    const items = characteristics.map(([name, path, attributes]) => ({ uuid: uuids[name], path, attributes }));
    await plan.post('characteristic', items).expect(201);
    await client.measure(
      uuids.door,
      Array.from({ length: COUNT }, (_, i) => ({
        [uuids.good]: wave(i, 0),
        [uuids.warning]: i % 4 === 1 ? undefined : wave(i, 0.3),
        [uuids.bad]: wave(i, 1),
        [uuids.inner]: wave(i, 2),
      })),
    );
    await client.measure(
      uuids.frame,
      Array.from({ length: COUNT }, (_, i) => ({ [uuids.oneSided]: wave(i, 5), [uuids.constant]: 5 })),
    );
  });
  afterAll(() => inspection.stop());

  const overviewOf = (query = '', part = uuids.door) => client.read<PartOverview>(`parts/${part}/overview?${query}`);
  const childrenOf = (query = '', part = uuids.door) => client.read<PartChildren>(`parts/${part}/children?${query}`);
  const statusesOf = (query = '', part = uuids.door) => client.read<PartStatuses>(`parts/${part}/statuses?${query}`);
  const namesOf = ({ characteristics }: PartOverview) => characteristics.map(({ name }) => name);
  const PLAN_ORDER = ['good', 'Warning 10', 'Warning 9', 'inner', 'constant', 'never', 'one sided'];

  describe('overview', () => {
    let overview: PartOverview;
    const of = (name: string) => overview.characteristics.find((entry) => entry.name === name)!;
    beforeAll(async () => {
      overview = await overviewOf();
    });

    it('has no member that the interface does not describe', () => expect(partOverviewSchema.parse(overview)).toEqual(overview));
    it('lists all characteristics below the part in plan order', () => expect(namesOf(overview)).toEqual(PLAN_ORDER));
    it('counts the statuses', () => {
      expect(overview).toMatchObject({
        total: 7,
        offset: 0,
        totals: { now: { inLimits: 3, inWarning: 1, aboveTolerance: 1, noLimits: 1, noData: 1 } },
      });
    });
    it.each(['good', 'warning', 'bad', 'oneSided'] as const)('agrees with the summary of %s', async (name) => {
      const entry = overview.characteristics.find(({ uuid }) => uuid === uuids[name])!;
      const summary = await client.read<CharacteristicSummary>(`characteristics/${uuids[name]}/summary`);
      expect(entry).toMatchObject({ path: summary.path, count: summary.count, limits: summary.limits });
      expect(entry.last?.time).toBe(summary.lastTime);
      expect(entry.mean).toBeCloseTo(summary.mean!, 11);
      expect(entry.standardDeviation).toBeCloseTo(summary.standardDeviation!, 11);
      expect(entry.overall?.pk).toBeCloseTo(summary.capability!.normal.overall.pk!.value, 9);
      expect(entry.overall?.p).toBeCloseTo(summary.capability!.normal.overall.p!.value, 9);
      expect(entry.within?.pk).toBeCloseTo(summary.capability!.normal.within!.pk!.value, 9);
    });
    it('never disagrees with the statistics of measurements', async () => {
      const address = `/dataServiceRest/measurements?partPath=/door&deep=true&limitResultPerPart=1&statistics=Simple`;
      const newest = (await request(inspection.server).get(address).expect(200)).body as Measurement[];
      const total = (id: string) => newest.reduce((sum, { status }) => sum + (status?.find((group) => group.id === id)?.count ?? 0), 0);
      const { inLimits, inWarning, belowTolerance, aboveTolerance, noLimits, noData } = overview.totals.now;
      const withoutLimits = newest.reduce((sum, measurement) => sum + (measurement.noLimits?.count ?? 0), 0);
      expect([inLimits + noLimits, inWarning, belowTolerance + aboveTolerance, noLimits, noData]).toEqual([
        ...['Green', 'Yellow', 'Red'].map(total),
        withoutLimits,
        1,
      ]);
    });
    it('has the newest value', () => {
      expect(of('Warning 9').last).toMatchObject({ time: timeOf(COUNT - 1), value: wave(COUNT - 1, 1), status: 'aboveTolerance' });
    });
    it('names the measurement of the newest value', async () => {
      const { measurementUuid } = of('good').last!;
      const measurement = (await request(inspection.server).get(`/dataServiceRest/measurements/${measurementUuid}`).expect(200))
        .body as Measurement;
      expect(new Date(String(measurement.attributes['4'])).toISOString()).toBe(timeOf(COUNT - 1));
    });
    it('draws the newest 32 values, oldest first', () => {
      expect(of('good').sparkline).toEqual(Array.from({ length: 32 }, (_, i) => wave(COUNT - 32 + i, 0)));
    });
    it('leaves missing values out of the line', () => {
      const measured = Array.from({ length: COUNT }, (_, i) => i).filter((i) => i % 4 !== 1);
      expect(of('Warning 10').sparkline).toEqual(measured.map((i) => wave(i, 0.3)));
    });
    it('has no indices where all values are equal', () => {
      expect(of('constant')).toMatchObject({ count: COUNT, mean: 5, standardDeviation: 0 });
      expect(of('constant').overall).toBeUndefined();
    });
    it('has no figures without values', () => {
      expect(of('never')).toEqual({
        uuid: uuids.never,
        path: 'PPC:/door/frame/never/',
        name: 'never',
        count: 0,
        now: 'noData',
        process: 'unknown',
        limits: of('constant').limits,
        sparkline: [],
      });
    });
    it('puts the worst status first', async () => {
      const { characteristics } = await overviewOf('order=status');
      expect(characteristics[0]?.name).toBe('Warning 9');
      expect(characteristics.at(-1)?.name).toBe('never');
      const indices = characteristics.slice(1).flatMap(({ overall }) => overall?.pk ?? []);
      expect(indices).toEqual([...indices].sort((a, b) => a - b));
    });
    it('puts the smallest Ppk first', async () => {
      const indices = (await overviewOf('order=ppk')).characteristics.flatMap(({ overall }) => overall?.pk ?? []);
      expect(indices).toEqual([...indices].sort((a, b) => a - b));
      expect(indices).toHaveLength(4);
    });
    it('sorts names with their numbers', async () => {
      expect(namesOf(await overviewOf('order=name'))).toEqual([
        'constant',
        'good',
        'inner',
        'never',
        'one sided',
        'Warning 9',
        'Warning 10',
      ]);
    });
    it('has pages', async () => {
      const page = await overviewOf('offset=2&limit=3');
      expect(namesOf(page)).toEqual(PLAN_ORDER.slice(2, 5));
      expect(page).toMatchObject({ total: 7, offset: 2, totals: overview.totals });
    });
    it('chooses by status, and still counts all', async () => {
      const chosen = await overviewOf('statuses={outoftolerance, InWarning}&order=status');
      expect(namesOf(chosen)).toEqual(['Warning 9', 'Warning 10']);
      expect(chosen).toMatchObject({ total: 2, totals: overview.totals });
      expect(namesOf(await overviewOf('statuses={aboveTolerance}'))).toEqual(['Warning 9']);
      expect(namesOf(await overviewOf('statuses={belowTolerance}'))).toEqual([]);
      expect(namesOf(await overviewOf('statuses={noLimits}'))).toEqual(['inner']);
    });
    it('chooses by the status of the process, together with that of the newest value', async () => {
      const { process } = of('Warning 9');
      expect(process).not.toBe('unknown');
      const named = overview.characteristics.filter((entry) => entry.process === process).map(({ name }) => name);
      expect(namesOf(await overviewOf(`statuses={${process}}`))).toEqual(named);
      expect(namesOf(await overviewOf(`statuses={${process},outOfTolerance}`))).toEqual(['Warning 9']);
      expect(overview.totals.process[process]).toBe(named.length);
    });
    it('chooses by a part of the name in any case', async () => {
      expect(namesOf(await overviewOf('find=WARNING')).sort()).toEqual(
        namesOf(overview)
          .filter((name) => name.startsWith('Warning'))
          .sort(),
      );
    });
    it('chooses nothing where nothing matches', async () => {
      expect(await overviewOf('find=nothing&statuses=noData')).toMatchObject({ total: 0, characteristics: [] });
    });
    it('is empty behind the last page', async () => expect((await overviewOf('offset=70')).characteristics).toEqual([]));
    it('ends at a depth', async () => expect(namesOf(await overviewOf('depth=1'))).toEqual(PLAN_ORDER.slice(0, 3)));
    it('shows a part below', async () => expect(namesOf(await overviewOf('', uuids.frame))).toEqual(PLAN_ORDER.slice(4)));
    it('selects by time', async () => {
      const { characteristics } = await overviewOf(`from=${timeOf(5)}&to=${timeOf(9)}`);
      const [good] = characteristics;
      expect(good).toMatchObject({ count: 4, last: { time: timeOf(8) }, sparkline: [5, 6, 7, 8].map((i) => wave(i, 0)) });
    });
    it('selects the newest measurements of each part', async () => {
      const { characteristics } = await overviewOf('limitResult=3');
      expect(characteristics.map(({ count }) => count)).toEqual([3, 2, 3, 3, 3, 0, 3]);
    });
    it('leaves out excluded measurements', async () => {
      const { measurementUuid } = of('good').last!;
      const [good] = (await overviewOf(`exclude={${measurementUuid}}`)).characteristics;
      expect(good).toMatchObject({ count: COUNT - 1, last: { time: timeOf(COUNT - 2) } });
    });
  });

  describe('children', () => {
    it('are the direct ones in plan order, with the statuses at and below each', async () => {
      const children = await childrenOf();
      expect(partChildrenSchema.parse(children)).toEqual(children);
      expect(children.children.map(({ name, kind, hasChildren, characteristics }) => [name, kind, hasChildren, characteristics])).toEqual([
        ['good', 'characteristic', false, 1],
        ['Warning 10', 'characteristic', false, 1],
        ['Warning 9', 'characteristic', true, 2],
        ['frame', 'part', true, 3],
      ]);
      expect(children.children[2]?.statuses.now).toMatchObject({ inLimits: 0, aboveTolerance: 1, noLimits: 1, noData: 0 });
      expect(children.children[3]?.statuses.now).toMatchObject({ inLimits: 2, aboveTolerance: 0, noData: 1 });
    });
    it('of a characteristic are those below it', async () => {
      expect((await childrenOf('', uuids.bad)).children.map(({ uuid }) => uuid)).toEqual([uuids.inner]);
    });
    it('are the first ones with a limit', async () => {
      const { children } = await childrenOf('limit=3');
      expect(children).toEqual((await childrenOf()).children.slice(0, 3));
    });
    it('of a selection have its statuses', async () => {
      const { children } = await childrenOf(`to=${timeOf(0)}`);
      expect(children[0]?.statuses.now.noData).toBe(1);
    });
  });

  describe('statuses', () => {
    it('are in plan order, with Ppk where it is defined', async () => {
      const statuses = await statusesOf();
      expect(partStatusesSchema.parse(statuses)).toEqual(statuses);
      expect(statuses.characteristics.map(([uuid]) => uuid)).toEqual([
        uuids.good,
        uuids.warning,
        uuids.bad,
        uuids.inner,
        uuids.constant,
        uuids.never,
        uuids.oneSided,
      ]);
      const overview = await overviewOf();
      expect(statuses.characteristics.map(([, , , ppk]) => ppk)).toEqual(overview.characteristics.map(({ overall }) => overall?.pk));
      expect(statuses.characteristics.map(([, status]) => status)).toEqual([
        'inLimits',
        'inWarning',
        'aboveTolerance',
        'noLimits',
        'inLimits',
        'noData',
        'inLimits',
      ]);
    });
    it('end at a depth', async () => expect((await statusesOf('depth=1')).characteristics).toHaveLength(3));
    it('are none at the depth of the part itself', async () => expect((await statusesOf('depth=0')).characteristics).toEqual([]));
  });

  describe('validators', () => {
    it.each(['overview', 'children', 'statuses'])('of %s spare the answer that a client has', async (what) => {
      const etag = (await client.get(`parts/${uuids.door}/${what}`).expect(200)).headers['etag']!;
      await client.get(`parts/${uuids.door}/${what}`).set('If-None-Match', etag).expect(304);
      await client
        .get(`parts/${uuids.door}/${what}?to=${timeOf(0)}`)
        .set('If-None-Match', etag)
        .expect(200);
    });
  });

  describe('rights', () => {
    const frame = PathScope.below('pdoor/pframe/');
    const all = PathScope.EVERYTHING;
    it('restrict an overview to what the caller may read', async () => {
      await inspection.as(reader(frame, all), async () => expect(namesOf(await overviewOf())).toEqual(PLAN_ORDER.slice(4)));
    });
    it('restrict an overview to parts whose measurements the caller may read', async () => {
      await inspection.as(reader(all, frame), async () => expect(namesOf(await overviewOf())).toEqual(PLAN_ORDER.slice(4)));
    });
    it('show the way to what the caller may read', async () => {
      await inspection.as(reader(frame, frame), async () => {
        expect((await childrenOf()).children.map(({ name, characteristics }) => [name, characteristics])).toEqual([['frame', 3]]);
      });
    });
    it('count no characteristic whose measurements the caller may not read', async () => {
      await inspection.as(reader(all, frame), async () => {
        expect((await childrenOf()).children.map(({ characteristics }) => characteristics)).toEqual([0, 0, 0, 3]);
      });
    });
    it.each(['overview', 'children', 'statuses'])('refuse %s of another part', async (what) => {
      const other = PathScope.below('pother/');
      await inspection.as(reader(other, all), async () => void (await client.get(`parts/${uuids.door}/${what}`).expect(403)));
      await inspection.as(reader(all, other), async () => void (await client.get(`parts/${uuids.door}/${what}`).expect(403)));
    });
  });

  describe('refusals', () => {
    const refused = async (address: string, status: number) => ((await client.get(address).expect(status)).body as ErrorBody).message;
    it.each(['overview', 'children', 'statuses'])('name a part that does not exist, for %s', async (what) => {
      const uuid = randomUUID();
      expect(await refused(`parts/${uuid}/${what}`, 404)).toContain(uuid);
    });
    it.each(['overview', 'statuses'])('say that a characteristic is no part, for %s', async (what) => {
      expect(await refused(`parts/${uuids.good}/${what}`, 404)).toContain('no part');
    });
    it.each([
      ['order=worst', 'order'],
      ['offset=-1', 'offset'],
      ['offset=x', 'offset'],
      ['statuses={green}', 'statuses'],
      ['limit=0', 'limit'],
      ['limit=501', 'limit'],
      ['depth=deep', 'depth'],
      ['from=5', 'from'],
      ['to=now', 'to'],
      ['exclude=abc', 'exclude'],
      ['aggregation=some', 'aggregation'],
      ['limitResult=few', 'limitResult'],
      ['searchCondition=4>', 'searchCondition'],
    ])('name the wrong parameter of ?%s', async (query, parameter) => {
      expect(await refused(`parts/${uuids.door}/overview?${encodeURI(query)}`, 400)).toContain(parameter);
    });
  });
});
