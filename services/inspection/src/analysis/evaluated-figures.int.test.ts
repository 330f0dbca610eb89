import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  characteristicSeriesSchema,
  type CharacteristicSeries,
  type CharacteristicSummary,
  type CorrelationAnswer,
  type PartOverview,
  type PartStatuses,
} from '@sinebar/contracts';
import { describeWith, eventually } from '@sinebar/testing';
import { EvaluationClient, messageOf } from '../evaluation/evaluation-client.fixture.ts';
import { define, PlanClient, sql } from '../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { AnalysisClient, timeOf } from './analysed-part.fixture.ts';

const LIMITS = { 2110: '9', 2111: '11' };

describeWith(['postgres'], 'figures follow the evaluation', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  const client = new AnalysisClient(() => inspection);
  const evaluations = new EvaluationClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection();
    await define(
      inspection,
      ...[2110, 2111, 8011, 8012, 8013, 8520].map((key) => ({ key, entity: 'characteristic' as const, type: 'Float' as const })),
    );
  });
  afterAll(() => inspection.stop());

  const summary = (uuid: string, query = '') => client.read<CharacteristicSummary>(`characteristics/${uuid}/summary${query}`);
  const series = (uuid: string, query = '') => client.read<CharacteristicSeries>(`characteristics/${uuid}/series${query}`);
  const overview = async (part: string) => (await client.read<PartOverview>(`parts/${part}/overview`)).characteristics;
  const isKept = () => eventually(async () => expect(await sql(inspection, 'SELECT FROM figure_change')).toEqual([]));
  const values = Array.from({ length: 40 }, (_, i) => Number((10 + Math.sin(i * 1.7) / 10).toFixed(3)));

  it('takes subgroups, chart and rules from it; parameters replace them and the answer says so', async () => {
    const { part, characteristic } = await client.measured(LIMITS, values);
    expect((await summary(characteristic)).overridden).toBeUndefined();
    await evaluations.put('parts', part, { subgroups: { size: 5 }, chart: 'xbarS', rules: ['nelson2:7'] }).expect(200);
    const evaluated = await summary(characteristic);
    expect(evaluated.chart).toMatchObject({ type: 'xbarS', subgroupSize: 5 });
    expect(evaluated.overridden).toBeUndefined();
    expect((await series(characteristic)).chart).toEqual(evaluated.chart);
    expect((await series(characteristic)).subgroups?.length).toBe(8);
    const single = await summary(characteristic, '?subgroup=1&rules=nelson1');
    expect(single.chart).toMatchObject({ type: 'individuals', subgroupSize: 1 });
    expect(single.overridden).toEqual(['subgroups', 'rules']);
    expect((await series(characteristic, '?chart=xbarR')).overridden).toEqual(['chart']);
    await client.get(`characteristics/${characteristic}/summary?chart=individuals`).expect(400);
  });

  it('fits the model of the evaluation', async () => {
    const skewed = Array.from({ length: 60 }, (_, i) => Math.round(1000 - 100 * Math.log(1 - (i + 0.5) / 60)) / 100);
    const { characteristic } = await client.measured(LIMITS, skewed);
    await evaluations.put('characteristics', characteristic, { model: 'lognormal' }).expect(200);
    const { capability, overridden } = await summary(characteristic);
    expect(capability?.model).toMatchObject({ name: 'lognormal', chosenBy: 'evaluation' });
    expect(overridden).toBeUndefined();
    expect((await summary(characteristic, '?model=normal')).capability?.pk?.from).toBe('normal');
    expect((await series(characteristic)).chart?.scores).toEqual({ model: 'lognormal' });
    const normal = await series(characteristic, '?model=normal');
    expect(normal.chart?.scores).toBeUndefined();
    expect(normal.overridden).toEqual(['model']);
    await client.get(`characteristics/${characteristic}/series?model=gamma`).expect(400);
  });

  it('chooses another model where that of the evaluation needs a natural boundary', async () => {
    const { characteristic } = await client.measured(LIMITS, values);
    await evaluations.put('characteristics', characteristic, { model: 'rayleigh' }).expect(200);
    const { notes } = await summary(characteristic);
    expect(notes).toContain('The Rayleigh model needs a natural boundary. The values choose another one.');
  });

  it('applies the rules with their lengths', async () => {
    const { characteristic } = await client.measured({}, [
      ...[1, -1, 1, -1, 1, -1].map((x) => 10 + x / 10),
      ...Array<number>(7).fill(10.05),
    ]);
    const hits = async () => (await series(characteristic)).ruleHits.map(({ rule }) => rule);
    await evaluations.put('characteristics', characteristic, { rules: ['nelson2'] }).expect(200);
    expect(await hits()).toEqual([]);
    await evaluations.put('characteristics', characteristic, { rules: ['nelson2:7'] }).expect(200);
    expect(await hits()).toEqual(['nelson2']);
    await evaluations.put('characteristics', characteristic, { rules: [] }).expect(200);
    expect(await hits()).toEqual([]);
  });

  it('takes the required value from it, else from the attribute, else from the server', async () => {
    const { characteristic } = await client.measured({ ...LIMITS, 8520: '1.5' }, values);
    expect((await summary(characteristic)).assessment.required).toEqual({ value: 1.5, source: 'attribute' });
    await evaluations.put('characteristics', characteristic, { required: 2 }).expect(200);
    expect((await summary(characteristic)).assessment.required).toEqual({ value: 2, source: 'evaluation' });
    const { characteristic: plain } = await client.measured(LIMITS, values);
    expect((await summary(plain)).assessment.required).toEqual({ value: 1.33, source: 'default' });
  });

  describe('excluded measurements', () => {
    it('are left out of every figure, before and after it is kept, of the characteristic or of the whole part', async () => {
      const { part, uuids } = await client.part(LIMITS, LIMITS);
      const [a = '', b = ''] = uuids;
      const measurements = await client.measure(
        part,
        values.map((value, i) => ({ [a]: i === 7 || i === 39 ? 99 : value, [b]: i === 7 || i === 39 ? 99 : value })),
      );
      await isKept();
      const figures = async () => {
        const [first, second] = await overview(part);
        const statuses = (await client.read<PartStatuses>(`parts/${part}/statuses`)).characteristics;
        const one = await summary(a);
        expect([first?.count, first?.mean, first?.standardDeviation]).toEqual([
          one.count,
          expect.closeTo(one.mean ?? NaN, 9),
          expect.closeTo(one.standardDeviation ?? NaN, 9),
        ]);
        return { counts: [first?.count, second?.count], statuses: statuses.map(([, status]) => status), last: first?.sparkline.at(-1) };
      };
      expect(await figures()).toEqual({ counts: [40, 40], statuses: ['aboveTolerance', 'aboveTolerance'], last: 99 });
      const exclusion = (index: number) => ({ measurementUuid: measurements[index] ?? '', reason: 'dropped' });
      await evaluations.put('characteristics', a, { exclusions: [exclusion(39)] }).expect(200);
      const ofOne = { counts: [39, 40], statuses: ['inLimits', 'aboveTolerance'], last: values[38] };
      expect(await figures()).toEqual(ofOne);
      await isKept();
      expect(await figures()).toEqual(ofOne);
      await evaluations.put('parts', part, { exclusions: [exclusion(7), exclusion(39)] }).expect(200);
      const ofAll = { counts: [38, 38], statuses: ['inLimits', 'inLimits'], last: values[38] };
      expect(await figures()).toEqual(ofAll);
      await isKept();
      expect(await figures()).toEqual(ofAll);
      expect((await series(b)).values?.length).toBe(38);
      const { count } = await client.read<CorrelationAnswer>(`correlation?characteristicUuids={${a},${b}}`);
      expect(count).toBe(38);
      expect(await overview(part)).toMatchObject([{ count: 38 }, { count: 38 }]);
      await evaluations.delete('parts', part).expect(200);
      await isKept();
      expect(await figures()).toEqual(ofOne);
    });

    it('of a request are added to those of the evaluation', async () => {
      const { characteristic, measurements } = await client.measured(LIMITS, values);
      await evaluations
        .put('characteristics', characteristic, { exclusions: [{ measurementUuid: measurements[0], reason: 'x' }] })
        .expect(200);
      const answer = await summary(characteristic, `?exclude=${measurements[1] ?? ''}`);
      expect([answer.count, answer.overridden]).toEqual([38, ['exclusions']]);
    });

    it('count again once their part is moved from below the level that excludes them', async () => {
      const name = `line ${Math.random()}`;
      const [line = '', cell = ''] = await plan.create(`P:/${name}/`, `PP:/${name}/cell/`);
      const [bore = ''] = await plan.create(`PPC:/${name}/cell/bore/`);
      const [first = ''] = await client.measure(cell, [{ [bore]: 1 }, { [bore]: 2 }]);
      await evaluations.put('parts', line, { exclusions: [{ measurementUuid: first, reason: 'x' }] }).expect(200);
      await isKept();
      expect((await overview(cell))[0]?.count).toBe(1);
      await plan.put('part', [{ uuid: cell, path: `P:/${name} cell/` }]).expect(200);
      await isKept();
      expect((await overview(cell))[0]?.count).toBe(2);
      expect((await summary(bore)).count).toBe(2);
    });
  });

  describe('stages', () => {
    const shifted = [...values, ...values.map((value) => value + 5)];

    it('limits follow from the values of the newest one, and earlier points are not judged by them', async () => {
      const { characteristic } = await client.measured(LIMITS, shifted);
      expect((await series(characteristic)).ruleHits.length).toBeGreaterThan(0);
      await evaluations
        .put('characteristics', characteristic, { stages: [{ from: timeOf(40), reason: 'new tool', limits: { kind: 'computed' } }] })
        .expect(200);
      const { chart, ruleHits } = await series(characteristic);
      expect(chart?.location.centerLine).toBeCloseTo(15, 1);
      expect(chart?.baseline).toEqual({ from: timeOf(40), to: timeOf(79), count: 40 });
      expect(ruleHits).toEqual([]);
      expect((await summary(characteristic)).chart?.location).toEqual(chart?.location);
    });

    it('each have their limits in a series, and the points of each are judged by its own', async () => {
      const { characteristic } = await client.measured(LIMITS, shifted.with(20, 12).with(60, 12));
      await evaluations
        .put('characteristics', characteristic, {
          stages: [
            { from: timeOf(40), reason: 'new tool', limits: { kind: 'computed' } },
            { from: timeOf(70), limits: { kind: 'given', centerLine: 14, sigma: 0.1 } },
          ],
        })
        .expect(200);
      const answer = await series(characteristic);
      expect(characteristicSeriesSchema.parse(answer)).toEqual(answer);
      const { stages = [], chart, ruleHits } = answer;
      expect(stages).toMatchObject([
        { kind: 'computed', offset: 0, count: 40, chart: { baseline: { from: timeOf(0), to: timeOf(39), count: 40 } } },
        { from: timeOf(40), reason: 'new tool', kind: 'computed', offset: 40, count: 30, chart: { baseline: { count: 30 } } },
        { from: timeOf(70), kind: 'given', offset: 70, count: 10, chart: { location: { centerLine: 14 } } },
      ]);
      expect(stages[0]).not.toHaveProperty('from');
      expect(stages.at(-1)?.chart).toEqual(chart);
      expect(stages[0]?.chart).toEqual((await series(characteristic, `?baselineTo=${timeOf(40)}`)).chart);
      const onLocation = ruleHits.filter(({ on }) => on === 'location').map(({ index }) => index);
      expect(onLocation).toEqual([20, 60, ...Array.from({ length: 10 }, (_, i) => 70 + i)]);
      const shown = await series(characteristic, `?shownFrom=${timeOf(60)}`);
      expect(shown.stages).toEqual(stages);
      expect(shown.ruleHits.every(({ index }) => index >= 60)).toBe(true);
      expect((await series(characteristic, `?baselineFrom=${timeOf(40)}`)).stages).toBeUndefined();
    });

    it('of subgroups each have their limits, by the groups of the stage', async () => {
      const { characteristic } = await client.measured(LIMITS, shifted);
      const state = { subgroups: { size: 5 }, stages: [{ from: timeOf(42), limits: { kind: 'computed' } }] };
      await evaluations.put('characteristics', characteristic, state).expect(200);
      const { stages = [], chart, ruleHits } = await series(characteristic);
      expect(stages.map(({ offset, count }) => [offset, count])).toEqual([
        [0, 42],
        [9, 38],
      ]);
      expect(stages[0]?.chart).toMatchObject({ type: 'xbarR', subgroupSize: 5 });
      expect(stages[1]?.chart).toEqual(chart);
      // The last group of the first stage has the first two values of the shift.
      expect(ruleHits.map(({ index }) => index)).toContain(8);
    });

    it('before the newest one have the scores of a model that is not normal', async () => {
      const skewed = Array.from({ length: 60 }, (_, i) => Math.round(1000 - 100 * Math.log(1 - (((i * 37) % 60) + 0.5) / 60)) / 100);
      const { characteristic } = await client.measured(LIMITS, skewed);
      const state = { model: 'lognormal', stages: [{ from: timeOf(30), limits: { kind: 'computed' } }] };
      await evaluations.put('characteristics', characteristic, state).expect(200);
      const { stages = [] } = await series(characteristic);
      expect(stages.map(({ chart }) => chart?.scores)).toEqual([{ model: 'lognormal' }, { model: 'lognormal' }]);
      const { centerLine, lower, upper } = stages[0]!.chart!.location;
      expect(upper - centerLine).toBeGreaterThan(1.2 * (centerLine - lower));
    });

    it('limits follow from a baseline', async () => {
      const { characteristic } = await client.measured(LIMITS, shifted);
      const stages = [{ limits: { kind: 'baseline', from: timeOf(0), to: timeOf(40) } }];
      await evaluations.put('characteristics', characteristic, { stages }).expect(200);
      const { chart, ruleHits } = await series(characteristic);
      expect(chart?.baseline).toEqual({ from: timeOf(0), to: timeOf(39), count: 40 });
      expect(ruleHits.filter(({ on }) => on === 'location').length).toBe(40);
      const frozen = await summary(characteristic, `?baselineFrom=${timeOf(40)}`);
      expect([frozen.chart?.baseline.count, frozen.overridden]).toEqual([40, ['stages']]);
    });

    it('limits that are given hold as they are, on each side by itself', async () => {
      const { characteristic } = await client.measured({ 8011: '10', 8012: '9.8', 8013: '10.05' }, [10, 9.9, 9.75, 10.04, 10.06, 10]);
      const { chart, ruleHits } = await series(characteristic);
      expect(chart?.location).toEqual({ centerLine: 10, lower: expect.closeTo(9.8, 12), upper: expect.closeTo(10.05, 12) });
      expect(ruleHits.filter(({ on }) => on === 'location').map(({ index }) => index)).toEqual([2, 4]);
      await evaluations
        .put('characteristics', characteristic, {
          subgroups: { size: 2 },
          stages: [{ limits: { kind: 'given', centerLine: 10, sigma: 0.1 } }],
        })
        .expect(200);
      const grouped = (await summary(characteristic)).chart;
      expect(grouped?.location.upper).toBeCloseTo(10 + 0.3 / Math.SQRT2, 9);
      expect(grouped?.sigma).toBe(0.1);
    });

    it('without values has no limits, and says so', async () => {
      const { characteristic } = await client.measured(LIMITS, values);
      await evaluations
        .put('characteristics', characteristic, { stages: [{ from: timeOf(500), limits: { kind: 'computed' } }] })
        .expect(200);
      const answer = await summary(characteristic);
      expect(answer.chart).toBeUndefined();
      expect(answer.notes).toContain('There are no values in the baseline, so there are no control limits.');
      expect(answer.count).toBe(40);
      const { chart, stages, notes, values: points } = await series(characteristic);
      expect(chart).toBeUndefined();
      expect(stages).toMatchObject([
        { offset: 0, count: 40, chart: { type: 'individuals' } },
        { from: timeOf(500), kind: 'computed', offset: 40, count: 0 },
      ]);
      expect(stages?.[1]).not.toHaveProperty('chart');
      expect(notes).toEqual(['There are too few values in the baseline for control limits.']);
      expect(points).toHaveLength(40);
    });

    it('between others without values has no limits, and the others keep theirs', async () => {
      const { characteristic } = await client.measured(LIMITS, values);
      const stages = ['2025-01-01T00:00:00Z', '2025-02-01T00:00:00Z', timeOf(20)].map((from) => ({ from, limits: { kind: 'computed' } }));
      await evaluations.put('characteristics', characteristic, { stages }).expect(200);
      const answer = (await series(characteristic)).stages;
      expect(answer?.map(({ offset, count, chart }) => [offset, count, chart !== undefined])).toEqual([
        [0, 0, false],
        [0, 20, true],
        [20, 20, true],
      ]);
    });
  });

  it('says which chart of the evaluation is not drawn', async () => {
    const { characteristic } = await client.measured(LIMITS, values);
    await evaluations.put('characteristics', characteristic, { chart: 'c' }).expect(200);
    expect((await summary(characteristic)).notes).toContain(
      'The chart c of the evaluation is one of characteristics that count (attribute 12004 is 1, 5 or 6); individuals is drawn.',
    );
    await evaluations.put('characteristics', characteristic, { subgroups: { by: 6 } }).expect(200);
    const { notes, chart } = await series(characteristic);
    expect([chart?.type, notes]).toEqual([
      'individuals',
      ['Measurements have no attribute 6, by which the evaluation makes subgroups; single values are charted.'],
    ]);
  });

  it.each([
    ['summary', 'subgroups=5', 'Parameter "subgroups" is not known. Did you mean subgroup?'],
    ['series', 'rule=nelson1', 'Parameter "rule" is not known. Did you mean rules?'],
    ['probability', 'colour=red', /^Parameter "colour" is not known\. This address knows .*points\.$/],
    ['summary', 'x', /^Parameter "x" is not known/],
  ])('refuses an unknown parameter of %s: %s', async (kind, query, message) => {
    const { characteristic, part } = await client.measured(LIMITS, values);
    const refused = await client.get(`characteristics/${characteristic}/${kind}?${query}`).expect(400);
    if (typeof message === 'string') expect(messageOf(refused)).toBe(message);
    else expect(messageOf(refused)).toMatch(message);
    for (const address of ['overview', 'children', 'statuses']) await client.get(`parts/${part}/${address}?colour=red`).expect(400);
  });
});
