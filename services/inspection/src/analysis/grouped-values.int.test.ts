import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  characteristicSeriesSchema,
  characteristicSummarySchema,
  type CharacteristicSeries,
  type CharacteristicSummary,
} from '@sinebar/contracts';
import { EVERYONE } from '@sinebar/access-control';
import { parseSearchCondition } from '@sinebar/query-language';
import { describeWith } from '@sinebar/testing';
import { randomUUID } from 'node:crypto';
import { MeasurementClient } from '../measurements/measurement-client.fixture.ts';
import { ConfigurationReader } from '../configuration/configuration.ts';
import { define } from '../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { AnalysisClient, EVALUATIONS, timeOf } from './analysed-part.fixture.ts';
import { AnalysisService } from './analysis-service.ts';

/** Repeatable values around 10 with a standard deviation of 0.12. */
function quiet(count: number): number[] {
  let state = 12345;
  const uniform = () => (state = (state * 16807) % 2147483647) / 2147483647;
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  return Array.from({ length: count }, () => Math.round(1e6 * (10 + 0.12 * normal())) / 1e6);
}

describeWith(['postgres'], 'subgroups and stability of a characteristic', () => {
  let inspection: RunningInspection;
  const client = new AnalysisClient(() => inspection);
  const summaryOf = (uuid: string, query = '') => client.read<CharacteristicSummary>(`characteristics/${uuid}/summary?${query}`);
  const seriesOf = (uuid: string, query = '') => client.read<CharacteristicSeries>(`characteristics/${uuid}/series?${query}`);

  beforeAll(async () => {
    inspection = await startInspection();
    await define(
      inspection,
      ...[2101, 2110, 2111, 2120].map((key) => ({ key, entity: 'characteristic' as const, type: 'Float' as const })),
      {
        key: 14,
        entity: 'measurement',
        type: 'AlphaNumeric',
      },
    );
  });
  afterAll(() => inspection.stop());

  describe('20 groups of 5', () => {
    const values = quiet(100);
    let measured: Awaited<ReturnType<AnalysisClient['measured']>>;
    let whole: CharacteristicSeries;
    beforeAll(async () => {
      measured = await client.measured({ 2110: 9, 2111: 11 }, values);
      whole = await seriesOf(measured.characteristic, 'subgroup=5');
    });
    const members = ({ subgroups = [] }: CharacteristicSeries) => subgroups.map(({ measurementUuids }) => measurementUuids);

    it('keep their members when a value of the first group is excluded', async () => {
      const query = `subgroup=5&exclude={${measured.measurements[2]}}`;
      const series = await seriesOf(measured.characteristic, query);
      expect(members(series)[0]).toEqual([0, 1, 3, 4].map((i) => measured.measurements[i]));
      expect(members(series).slice(1)).toEqual(members(whole).slice(1));
      const sigma = (await summaryOf(measured.characteristic, query)).chart!.sigma;
      expect(Math.abs(sigma / whole.chart!.sigma - 1)).toBeLessThan(0.05);
    });
    it('judge the smaller group by limits of its own', async () => {
      const { subgroups, chart } = await seriesOf(measured.characteristic, `subgroup=5&exclude={${measured.measurements[2]}}`);
      const limits = subgroups![0]!.limits!;
      expect(limits.location.upper - limits.location.centerLine).toBeCloseTo((3 * chart!.sigma) / 2, 9);
      expect(limits.variation!.upper).toBeCloseTo(2.282 * 2.059 * chart!.sigma, 9);
      expect(subgroups![1]!.limits).toBeUndefined();
    });
    it.each([
      ['limitResult=98', 0],
      ['limitResult=95', 1],
      [`from=${timeOf(7)}`, 1],
      [`from=${timeOf(10)}`, 2],
    ])('are taken whole by %s', async (range, first) => {
      const series = await seriesOf(measured.characteristic, `subgroup=5&${range}`);
      expect(members(series)).toEqual(members(whole).slice(first));
    });
    it('are taken whole up to a time', async () => {
      expect(members(await seriesOf(measured.characteristic, `subgroup=5&to=${timeOf(7)}`))).toEqual(members(whole).slice(0, 2));
    });
    it('are taken whole by a baseline', async () => {
      const { chart } = await summaryOf(measured.characteristic, `subgroup=5&baselineFrom=${timeOf(7)}&baselineTo=${timeOf(18)}`);
      const { chart: expected } = await summaryOf(measured.characteristic, `subgroup=5&from=${timeOf(5)}&to=${timeOf(20)}`);
      expect(chart!.sigma).toBeCloseTo(expected!.sigma, 12);
    });
    it('have a verdict', async () => {
      const summary = await summaryOf(measured.characteristic, 'subgroup=5');
      expect(characteristicSummarySchema.parse(summary)).toEqual(summary);
      expect(summary.assessment.stable).toBe('yes');
      expect(summary.assessment).not.toHaveProperty('since');
    });
    it('have the same limits in the convention of Minitab', async () => {
      const [own, minitab] = [
        await summaryOf(measured.characteristic, 'subgroup=5&sigma=pooled'),
        await summaryOf(measured.characteristic, 'subgroup=5&sigma=pooled&convention=minitab'),
      ];
      expect(minitab.chart).toEqual(own.chart);
      expect(minitab.capability!.normal.within?.sigma).toBe(own.capability!.normal.within?.sigma);
    });
    it('may have more than 25 values', async () => {
      const { chart, subgroups } = await seriesOf(measured.characteristic, 'subgroup=50');
      expect(chart).toMatchObject({ type: 'xbarS', subgroupSize: 50 });
      expect(subgroups).toHaveLength(2);
    });
    it('break rules of another length', async () => {
      const hits = (rules: string) =>
        seriesOf(measured.characteristic, `rules=${rules}`).then(({ ruleHits }) => ruleHits.filter(({ on }) => on === 'location').length);
      const [short, usual, written] = [await hits('nelson2:5'), await hits('nelson2'), await hits('nelson2:9')];
      expect(short).toBeGreaterThan(usual);
      expect(written).toBe(usual);
    });
  });

  describe('with a condition and a range', () => {
    let measured: Awaited<ReturnType<AnalysisClient['single']>>;
    const LOT_A = encodeURIComponent('14=[a]');
    beforeAll(async () => {
      measured = await client.single();
      await client.measureWith(
        measured,
        quiet(200).map((value, i) => ({ attributes: { 14: i % 3 === 0 ? 'a' : 'b' }, value })),
      );
    });

    it.each([
      ['limitResult=4', 37],
      ['limitResult=1', 39],
      ['limitResult=67', 0],
      ['limitResult=500', 0],
      [`limitResult=2&to=${timeOf(100)}`, 19],
      [`from=${timeOf(193)}`, 38],
      [`from=${timeOf(193)}&limitResult=1`, 39],
    ])('are taken whole by %s', async (range, first) => {
      const { subgroups } = await seriesOf(measured.characteristic, `subgroup=5&searchCondition=${LOT_A}&${range}`);
      const { subgroups: whole } = await seriesOf(measured.characteristic, `subgroup=5&searchCondition=${LOT_A}`);
      const end = range.includes('to=') ? 20 : 40;
      expect(subgroups?.map(({ measurementUuids }) => measurementUuids)).toEqual(
        whole?.slice(first, end).map(({ measurementUuids }) => measurementUuids),
      );
    });
    it('read no older measurements than they need', async () => {
      const analysis = new AnalysisService({
        database: inspection.database,
        configurations: new ConfigurationReader(),
        caseSensitive: false,
        evaluations: EVALUATIONS,
        maxValues: 15,
      });
      const reader = {
        principal: EVERYONE,
        signal: AbortSignal.timeout(10_000),
        statementTimeoutMs: 10_000,
        fingerprint: '',
        headers: {},
        readInTurn: <T>(read: () => Promise<T>) => read(),
      };
      const query = {
        aggregation: 'measurements' as const,
        searchCondition: parseSearchCondition('14=[a]'),
        subgroup: 5,
        convention: 'aiagVda' as const,
        points: 100,
        newest: 0,
      };
      const read = (range: object) => analysis.series(measured.characteristic, { ...query, ...range }, reader);
      await expect(read({ limitResult: 3 })).resolves.toBeDefined();
      await expect(read({ from: { text: timeOf(190), ms: Date.parse(timeOf(190)) } })).resolves.toBeDefined();
      await expect(read({ limitResult: 30 })).rejects.toThrow('There are more than 15 values.');
      await analysis.close();
    });
  });

  it('a group with a measurement that lacks the characteristic is judged', async () => {
    const { part, uuids } = await client.part({}, {});
    const [a = '', b = ''] = uuids;
    const values = quiet(150).map((value, i) => (i >= 100 && i < 105 ? value + 0.96 : value));
    const measurements = await client.measure(
      part,
      values.map((value, i) => (i === 102 ? { [b]: 1 } : { [a]: value })),
    );
    const series = await seriesOf(a, 'subgroup=5');
    expect(characteristicSeriesSchema.parse(series)).toEqual(series);
    expect(series.subgroups?.[20]).toMatchObject({ count: 4, measurementUuids: [100, 101, 103, 104].map((i) => measurements[i]) });
    expect(series.ruleHits).toContainEqual({
      rule: 'nelson1',
      on: 'location',
      index: 20,
      time: timeOf(100),
      measurementUuid: measurements[100],
    });
    const { assessment, missing, count } = await summaryOf(a, 'subgroup=5');
    expect(assessment).toMatchObject({ stable: 'no', since: { kind: 'points', on: 'location', measurementUuid: measurements[100] } });
    expect([count, missing]).toEqual([149, 1]);
  });

  it('many incomplete groups are told', async () => {
    const { part, uuids } = await client.part({}, {});
    const [a = '', b = ''] = uuids;
    await client.measure(
      part,
      quiet(60).map((value, i) => (i % 15 === 7 ? { [b]: 1 } : { [a]: value })),
    );
    const { notes } = await summaryOf(a, 'subgroup=5');
    expect(notes).toContain('4 of 12 subgroups are incomplete; their limits follow from the values that they have.');
  });

  describe('groups by an attribute', () => {
    const LOTS = [4, 3, 5, 4, 4, 4, 2, 4, 4, 4, 4, 4];
    let part: string;
    let characteristic: string;
    beforeAll(async () => {
      const made = await client.part({});
      part = made.part;
      characteristic = made.uuids[0]!;
      const lots = LOTS.flatMap((count, lot) => new Array<string>(count).fill(`lot ${lot % 3}`));
      const values = quiet(lots.length);
      const measurements = lots.map((lot, i) => ({
        uuid: randomUUID(),
        partUuid: part,
        attributes: { 4: timeOf(i), 14: lot },
        characteristics: { [characteristic]: { 1: String(values[i]) } },
      }));
      await new MeasurementClient(() => inspection).post('values', measurements).expect(201);
    });

    it('hold consecutive measurements with the same value', async () => {
      const { subgroups, chart } = await seriesOf(characteristic, 'subgroupBy=14');
      expect(subgroups?.map(({ count }) => count)).toEqual(LOTS);
      expect(chart).toMatchObject({ type: 'xbarR', subgroupSize: 4 });
      expect(subgroups?.map(({ limits }) => limits === undefined)).toEqual(LOTS.map((count) => count === 4));
    });
    it('are taken whole by a range', async () => {
      const { subgroups, offset } = await seriesOf(characteristic, `subgroupBy=14&from=${timeOf(5)}&shownFrom=${timeOf(8)}`);
      expect(subgroups?.map(({ count }) => count)).toEqual(LOTS.slice(2));
      expect(offset).toBe(1);
    });
    it('lose the values that do not meet a condition', async () => {
      const condition = encodeURIComponent(`14<>[lot 1]`);
      const { subgroups } = await seriesOf(characteristic, `subgroupBy=14&searchCondition=${condition}`);
      expect(subgroups?.map(({ count }) => count)).toEqual(LOTS.filter((_, lot) => lot % 3 !== 1));
    });
    it.each([
      ['subgroupBy=15', 'Measurements have no attribute 15.'],
      ['subgroupBy=4', 'The time of measurement makes no subgroups.'],
      ['subgroupBy=14&subgroup=5', 'Leave out subgroup or subgroupBy.'],
      ['subgroupBy=14&chart=individuals', 'The chart individuals does not go with subgroups by attribute 14.'],
      ['subgroupBy=14&sigma=movingRange', 'The method movingRange does not go with subgroups by attribute 14.'],
      ['subgroup=26&chart=xbarR', 'Ranges of 26 values are not judged'],
      ['subgroup=26&sigma=rbar', 'Ranges of 26 values are not judged'],
      ['subgroups=5', 'Parameter \\"subgroups\\" is not known. Did you mean subgroup?'],
      ['fooBar=5', 'Parameter \\"fooBar\\" is not known. This address knows searchCondition,'],
      ['subgroup=501', 'must be a whole number from 1 to 500'],
      ['rules=nelson2:2', 'the length of the rule nelson2 is a whole number from 5 to 30, such as nelson2:9'],
      ['rules=nelson1:3', 'the rule nelson1 has a fixed length'],
      ['rules=nelson:7', 'is no rule'],
      ['rules=nelson2:7:8', 'the length of the rule nelson2'],
      ['rules=nelsen2', 'the nearest one is nelson2'],
    ])('refuse %s', async (query, message) => {
      const { text } = await client.get(`characteristics/${characteristic}/series?${query}`).expect(400);
      expect(text).toContain(message);
    });
  });

  describe('values above a natural boundary', () => {
    /** Repeatable distances from the ideal shape: exponential, so far from normal. */
    const roundness = () => {
      let state = 99;
      const uniform = () => (state = (state * 16807) % 2147483647) / 2147483647;
      return Array.from({ length: 200 }, () => Math.round(-2000 * Math.log(uniform())) / 1e5);
    };
    let characteristic: string;
    beforeAll(async () => {
      ({ characteristic } = await client.measured({ 2110: 0, 2120: 2, 2111: 0.3 }, roundness()));
    });

    it('are stable by the scores of their model', async () => {
      const { chart, assessment } = await summaryOf(characteristic);
      expect(['yes', 'nearly']).toContain(assessment.stable);
      expect(chart?.scores?.model).toMatch(/^(weibull|gamma|foldedNormal|lognormal|rayleigh)$/);
    });
    it('have limits at unequal distances, which points beyond them break', async () => {
      const { chart, ruleHits, values } = await seriesOf(characteristic);
      const { centerLine, lower, upper } = chart!.location;
      expect(lower).toBeGreaterThanOrEqual(0);
      expect(upper - centerLine).toBeGreaterThan(3 * (centerLine - lower));
      const beyond = values!.flatMap(({ value }, i) => (value > upper || value < lower ? [i] : []));
      expect(ruleHits.filter(({ on }) => on === 'location').map(({ index }) => index)).toEqual(beyond);
    });
    it('have moving ranges of scores', async () => {
      const { chart, values, ruleHits } = await seriesOf(characteristic);
      const ranges = values!.map(({ score }, i) => (i === 0 ? 0 : Math.abs(score! - values![i - 1]!.score!)));
      expect(chart!.variation.centerLine).toBeCloseTo(ranges.slice(1).reduce((sum, range) => sum + range, 0) / 199, 9);
      const beyond = ranges.flatMap((range, i) => (range > chart!.variation.upper ? [i] : []));
      expect(ruleHits.filter(({ on }) => on === 'variation').map(({ index }) => index)).toEqual(beyond);
      const { buckets } = await seriesOf(characteristic, 'points=4');
      expect(buckets![1]!.movingRange!.maximum).toBeCloseTo(Math.max(...ranges.slice(50, 100)), 9);
    });
    it('are not stable with one far beyond', async () => {
      const made = await client.measured({ 2110: 0, 2120: 2, 2111: 3 }, roundness().with(150, 0.6));
      expect((await summaryOf(made.characteristic)).assessment).toMatchObject({
        stable: 'no',
        since: { measurementUuid: made.measurements[150] },
      });
    });
    it('have the verdict of their scores in subgroups, too', async () => {
      const { assessment, chart } = await summaryOf(characteristic, 'subgroup=5');
      expect(['yes', 'nearly']).toContain(assessment.stable);
      expect(chart).not.toHaveProperty('scores');
    });
  });

  describe('charts that remember', () => {
    const values = quiet(100).map((value, i) => (i < 60 ? value : value + 0.12));
    let measured: Awaited<ReturnType<AnalysisClient['measured']>>;
    beforeAll(async () => {
      measured = await client.measured({ 2110: 9, 2111: 11 }, values);
    });

    it.each(['ewma', 'cusum'] as const)('have points and limits (%s)', async (chart) => {
      const series = await seriesOf(measured.characteristic, `chart=${chart}`);
      expect(characteristicSeriesSchema.parse(series)).toEqual(series);
      const { memory, chart: behind } = series;
      expect(memory).toMatchObject({ type: chart, target: behind!.location.centerLine, sigma: behind!.sigma });
      expect(memory!.points).toHaveLength(100);
      const [first] = memory!.points;
      expect(first).toMatchObject({ time: timeOf(0), measurementUuid: measured.measurements[0], isBeyond: false });
      if (chart === 'ewma') {
        expect(first!.value).toBeCloseTo(memory!.target + 0.2 * (values[0]! - memory!.target), 9);
        expect(first!.upper).toBeCloseTo(memory!.target + 0.6 * memory!.sigma, 9);
      } else {
        expect(first!.above).toBeCloseTo(Math.max(0, (values[0]! - memory!.target) / memory!.sigma - 0.5), 9);
        expect(memory).toMatchObject({ k: 0.5, h: 4 });
      }
    });
    it('have the sizes of subgroups', async () => {
      const { memory } = await seriesOf(measured.characteristic, 'chart=ewma&subgroup=4&points=10');
      expect(memory!.points.map(({ time }) => time)).toEqual(Array.from({ length: 10 }, (_, i) => timeOf(60 + 4 * i)));
      const settled = memory!.points.at(-1)!;
      expect(settled.upper! - memory!.target).toBeCloseTo(((3 * memory!.sigma) / 2) * Math.sqrt(0.2 / 1.8), 4);
    });
    it('judge the process', async () => {
      const { assessment, chart } = await summaryOf(measured.characteristic, 'chart=ewma');
      expect(chart?.type).toBe('individuals');
      const { memory } = await seriesOf(measured.characteristic, 'chart=ewma');
      const first = memory!.points.find(({ isBeyond }) => isBeyond);
      expect(assessment.stable).toBe('no');
      expect(memory!.points.map(({ measurementUuid }) => measurementUuid)).toContain(assessment.since!.measurementUuid);
      expect(first).toBeDefined();
    });
  });

  describe('single values', () => {
    it('are not stable with one far out, which is named, and so not capable', async () => {
      const { characteristic, measurements } = await client.measured({ 2110: 7, 2111: 20 }, quiet(100).with(57, 15));
      const { assessment } = await summaryOf(characteristic);
      expect(assessment).toMatchObject({
        stable: 'no',
        reasons: { farthest: 'both' },
        since: { kind: 'points', on: 'location', time: timeOf(57), measurementUuid: measurements[57] },
      });
    });
    it('have no promise of capability where they are not stable', async () => {
      const values = quiet(100).map((value, i) => value + (i >= 60 ? 0.3 : 0));
      const { characteristic, measurements } = await client.measured({ 2110: 7, 2111: 13 }, values);
      const { assessment } = await summaryOf(characteristic);
      expect(assessment).toMatchObject({
        stable: 'no',
        capable: 'notStable',
        reasons: { step: true },
        since: { kind: 'step', on: 'location' },
      });
      expect(assessment.since!.from).toBeCloseTo(10, 1);
      expect(assessment.since!.to).toBeCloseTo(10.3, 1);
      expect(measurements.slice(55, 65)).toContain(assessment.since!.measurementUuid);
    });
    it('are not stable with five groups of wide ranges', async () => {
      const base = quiet(125);
      const values = base.map((value, i) => {
        const group = base.slice(i - (i % 5), i - (i % 5) + 5);
        const mean = group.reduce((sum, one) => sum + one, 0) / 5;
        return 10 + (value - mean) * (i < 100 ? 1 : 6);
      });
      const { characteristic } = await client.measured({}, values);
      const { assessment } = await summaryOf(characteristic, 'subgroup=5');
      expect(assessment).toMatchObject({ stable: 'no', since: { kind: 'points', on: 'variation' } });
      expect(assessment.since!.time! >= timeOf(100)).toBe(true);
    });
  });
});
