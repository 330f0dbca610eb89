import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  characteristicSeriesSchema,
  characteristicSummarySchema,
  probabilityPlotSchema,
  type CharacteristicSeries,
  type CharacteristicSummary,
  type Measurement,
  type ProbabilityPlotAnswer,
} from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { define } from '../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { AnalysisClient, timeOf } from './analysed-part.fixture.ts';

/** Montgomery, viscosity; figures from the documentation of the R package qcc. Point 4 is beyond the limits. */
const VISCOSITY = [
  34.05, 34.4, 33.59, 35.96, 34.7, 33.51, 33.79, 34.04, 34.52, 33.75, 33.27, 33.71, 34.03, 34.58, 34.02, 33.97, 34.05, 34.04, 33.73, 34.05,
];
/** NIST/SEMATECH e-Handbook 6.3.2.2, flow rates: not far from normal. */
const FLOW_RATES = [49.6, 47.6, 49.9, 51.3, 47.8, 51.2, 52.6, 52.4, 53.6, 52.1];
const LIMITS = { 2101: 34, 2110: 32, 2111: 36, 8014: 33.5, 8015: 34.5 };

describeWith(['postgres'], 'analysis of a characteristic', () => {
  let inspection: RunningInspection;
  const client = new AnalysisClient(() => inspection);
  const summaryOf = (uuid: string, query = '') => client.read<CharacteristicSummary>(`characteristics/${uuid}/summary?${query}`);
  const seriesOf = (uuid: string, query = '') => client.read<CharacteristicSeries>(`characteristics/${uuid}/series?${query}`);
  let viscosity: Awaited<ReturnType<AnalysisClient['measured']>>;

  beforeAll(async () => {
    inspection = await startInspection();
    await define(
      inspection,
      ...[2100, 2101, 2110, 2111, 2112, 2113, 2120, 2121, 8014, 8015, 8520].map((key) => ({
        key,
        entity: 'characteristic' as const,
        type: 'Float' as const,
      })),
      { key: 14, entity: 'measurement', type: 'AlphaNumeric' },
      { key: 99, entity: 'measurement', type: 'Integer' },
    );
    viscosity = await client.measured(LIMITS, VISCOSITY);
  });
  afterAll(() => inspection.stop());

  it('names its versions', async () => expect(await client.read('')).toEqual({ supportedVersions: ['1.0.0'] }));

  describe('summary', () => {
    let summary: CharacteristicSummary;
    beforeAll(async () => {
      summary = await summaryOf(viscosity.characteristic);
    });

    it('says what it is about', () => {
      expect(summary).toMatchObject({
        characteristicUuid: viscosity.characteristic,
        partUuid: viscosity.part,
        path: `PC:/${viscosity.name}/c0/`,
        count: 20,
        missing: 0,
        firstTime: timeOf(0),
        lastTime: timeOf(19),
      });
    });
    it('has no member that the interface does not describe', () => expect(characteristicSummarySchema.parse(summary)).toEqual(summary));
    it('has the control limits of qcc', () => {
      expect(summary.chart?.sigma).toBeCloseTo(0.5076521, 7);
      expect(summary.chart?.location.lower).toBeCloseTo(32.56504, 5);
      expect(summary.chart?.location.upper).toBeCloseTo(35.61096, 5);
    });
    it('says from which values the limits follow', () => {
      expect(summary.chart?.baseline).toEqual({ from: timeOf(0), to: timeOf(19), count: 20 });
    });
    it('has extremes and quartiles', () => {
      expect(summary).toMatchObject({ minimum: 33.27, maximum: 35.96, median: 34.035 });
      expect(summary.mean).toBeCloseTo(34.088, 10);
    });
    it('says where each limit comes from', () => {
      expect(summary.limits).toEqual({
        nominal: 34,
        target: 34,
        lowerTolerance: 32,
        upperTolerance: 36,
        lowerWarning: 33.5,
        upperWarning: 34.5,
        sources: { nominal: 2101, target: 2101, lowerTolerance: 2110, upperTolerance: 2111, lowerWarning: 8014, upperWarning: 8015 },
      });
    });
    describe('of capability', () => {
      let capability: CharacteristicSummary['capability'];
      let characteristic: string;
      beforeAll(async () => {
        ({ characteristic } = await client.measured({ 2110: 44, 2111: 58 }, FLOW_RATES));
        ({ capability } = await summaryOf(characteristic));
      });
      it('names the indices of AIAG-VDA', () => {
        expect(capability?.normal.overall.pk?.name).toBe('Ppk');
        expect(capability?.normal.within?.pk?.name).toBe('Cwk');
      });
      it('has indices of the whole spread', () => {
        expect(capability?.normal.overall.sigma).toBeCloseTo(2.0338524, 7);
        expect(capability?.normal.overall.p?.value).toBeCloseTo(14 / (6 * 2.0338524), 7);
      });
      it('has indices of the spread between neighbours', () => {
        expect(capability?.normal.within?.pk?.value).toBeCloseTo((50.81 - 44) / (3 * (1.8777778 / 1.128)), 6);
      });
      it('uses the names of Minitab when asked', async () => {
        const { capability: other } = await summaryOf(characteristic, 'convention=Minitab&confidence=0.9');
        expect(other?.normal.overall.pk?.name).toBe('Ppk');
        expect(other?.normal.within?.pk?.name).toBe('Cpk');
        expect(other?.confidence).toBe(0.9);
      });
    });
    it('counts all values in the histogram', () => {
      expect(summary.histogram?.counts.reduce((sum, count) => sum + count, 0)).toBe(20);
    });
    it('assesses', () => {
      expect(summary.assessment).toMatchObject({ capable: 'no', required: { value: 1.33, source: 'default' } });
    });

    it('never disagrees with the statistics of measurements', async () => {
      const address = `/dataServiceRest/measurements?partUuids={${viscosity.part}}&statistics=Simple`;
      const measurements = (await request(inspection.server).get(address).expect(200)).body as Measurement[];
      const total = (id: string) =>
        measurements.reduce((sum, { status }) => sum + (status?.find((group) => group.id === id)?.count ?? 0), 0);
      const { inLimits, inWarning, belowTolerance, aboveTolerance } = summary.counts;
      expect(inLimits).toBe(total('Green'));
      expect(inWarning).toBe(total('Yellow'));
      expect(belowTolerance + aboveTolerance).toBe(total('Red'));
      expect(inWarning).toBeGreaterThan(0);
    });

    it('leaves out excluded measurements', async () => {
      const { count, chart } = await summaryOf(viscosity.characteristic, `exclude={${viscosity.measurements[3]}}`);
      expect(count).toBe(19);
      expect(chart?.sigma).toBeCloseTo(0.4117415, 7);
    });
    it('freezes the limits of a baseline', async () => {
      const { count, chart } = await summaryOf(viscosity.characteristic, `baselineFrom=${timeOf(4)}&baselineTo=${timeOf(19)}`);
      expect(count).toBe(20);
      expect(chart?.baseline).toEqual({ from: timeOf(4), to: timeOf(18), count: 15 });
    });
    it('selects by time of measurement', async () => {
      expect(await summaryOf(viscosity.characteristic, `from=${timeOf(5)}&to=${timeOf(9)}`)).toMatchObject({
        count: 4,
        firstTime: timeOf(5),
        lastTime: timeOf(8),
      });
    });
    it('selects the newest measurements', async () => {
      expect(await summaryOf(viscosity.characteristic, 'limitResult=3')).toMatchObject({ count: 3, firstTime: timeOf(17) });
    });
    it('selects by a condition', async () => {
      expect(await summaryOf(viscosity.characteristic, `searchCondition=${encodeURIComponent(`4<[${timeOf(2)}]`)}`)).toMatchObject({
        count: 2,
      });
    });
    it('has charts of subgroups', async () => {
      const { chart } = await summaryOf(viscosity.characteristic, 'subgroup=5&sigma=pooled');
      expect(chart).toMatchObject({ type: 'xbarR', subgroupSize: 5, sigmaMethod: 'pooled' });
    });
    it('gives a natural boundary no index of its own', async () => {
      const { characteristic } = await client.measured({ 2110: 0, 2120: 2, 2111: 0.4 }, [0.1, 0.12, 0.15, 0.11, 0.18]);
      const { limits, capability } = await summaryOf(characteristic);
      expect(limits).toMatchObject({ lowerBoundary: 0, upperTolerance: 0.4, sources: { lowerBoundary: 2110 } });
      expect(Object.keys(capability?.normal.overall ?? {})).toEqual(['sigma', 'p', 'pk', 'pu']);
    });
    it('takes limits from nominal value and deviation', async () => {
      const { characteristic } = await client.measured({ 2101: 10, 2112: -0.5, 2113: 0.5 }, [10, 10.1]);
      expect((await summaryOf(characteristic)).limits).toMatchObject({
        lowerTolerance: 9.5,
        upperTolerance: 10.5,
        sources: { lowerTolerance: 2112, upperTolerance: 2113 },
      });
    });
    it('takes the required capability from attribute 8520', async () => {
      const { characteristic } = await client.measured({ ...LIMITS, 8520: 1.67 }, VISCOSITY);
      expect((await summaryOf(characteristic)).assessment.required).toEqual({ value: 1.67, source: 'attribute' });
    });
    it('counts values that are missing in their measurement', async () => {
      const { part, uuids } = await client.part({}, {});
      const [a = '', b = ''] = uuids;
      await client.measure(part, [
        { [a]: 1, [b]: 1 },
        { [a]: 2, [b]: 2 },
      ]);
      expect(await summaryOf(a)).toMatchObject({ count: 2, missing: 0 });
    });
    describe('of values that are not normal', () => {
      /** Quantiles of a Weibull distribution of shape 1.5 above 0. */
      const values = Array.from({ length: 200 }, (_, i) => Math.round(200 * (-Math.log(1 - (i + 0.5) / 200)) ** (2 / 3)) / 10_000);
      const limits = { 2110: 0, 2120: 2, 2111: 0.08 };
      let characteristic: string;
      beforeAll(async () => {
        ({ characteristic } = await client.measured(limits, values));
      });
      it('fits a model, whose index counts', async () => {
        const { capability, assessment } = await summaryOf(characteristic);
        expect(assessment.normal).toBe('no');
        expect(capability?.model).toMatchObject({ name: 'weibull', chosenBy: 'auto', parameters: { threshold: 0 } });
        expect(capability?.model?.parameters.shape).toBeCloseTo(1.5, 1);
        expect(capability?.pk).toEqual({ ...capability?.model?.pk, from: 'model' });
        expect(capability?.pk?.lower).toBeLessThan(capability!.pk!.value);
        expect(capability?.normal.overall.pk?.value).toBeGreaterThan(capability!.pk!.value + 0.3);
      });
      it('fits the model that is asked for', async () => {
        const { capability, overridden } = await summaryOf(characteristic, 'model=rayleigh');
        expect(overridden).toEqual(['model']);
        expect(capability?.model).toMatchObject({ name: 'rayleigh', chosenBy: 'request' });
        expect((await summaryOf(characteristic, 'model=normal')).capability?.pk?.from).toBe('normal');
      });
      it.each(['gamma', 'foldedNormal', 'rayleigh'])('refuses %s without a natural boundary', async (model) => {
        const { characteristic: unbounded } = await client.measured({ 2110: 0, 2111: 1 }, [0.1, 0.2, 0.3]);
        const { text } = await client.get(`characteristics/${unbounded}/summary?model=${model}`).expect(400);
        expect(text).toContain('model needs a natural boundary');
      });
      it('has a tolerance interval of the content that is asked for', async () => {
        const { toleranceInterval } = await summaryOf(characteristic);
        expect(toleranceInterval).toMatchObject({ content: 0.99, confidence: 0.95 });
        expect((await summaryOf(characteristic, 'content=0.9')).toleranceInterval?.twoSided.factor).toBeLessThan(
          toleranceInterval!.twoSided.factor,
        );
      });
      it('has a negative index where most values are beyond the tolerance', async () => {
        const { characteristic: beyond } = await client.measured({ ...limits, 2111: 0.01 }, values);
        const { capability, assessment } = await summaryOf(beyond);
        expect(capability?.pk?.value).toBeLessThan(0);
        expect(assessment.capable).toBe('no');
      });
    });
    it('calls equal values beyond the tolerance not capable', async () => {
      const { characteristic } = await client.measured(LIMITS, new Array<number>(30).fill(40));
      const { capability, assessment, notes } = await summaryOf(characteristic);
      expect(capability).toBeUndefined();
      expect(assessment.capable).toBe('no');
      expect(notes).toContain('All 30 equal values are above the tolerance: not capable.');
    });
    it('computes many values in a thread as it computes few', async () => {
      const values = Array.from({ length: 6000 }, (_, i) => VISCOSITY[(i * 7) % 20]!);
      const { characteristic } = await client.measured(LIMITS, values);
      const { count, mean, counts } = await summaryOf(characteristic);
      expect(count).toBe(6000);
      expect(mean).toBeCloseTo(34.088, 9);
      expect(Object.values(counts).reduce((sum, one) => sum + one, 0)).toBe(6000);
    });
  });

  describe('series', () => {
    it('has single values, oldest first, where they fit', async () => {
      const series = await seriesOf(viscosity.characteristic);
      expect(characteristicSeriesSchema.parse(series)).toEqual(series);
      expect(series.kind).toBe('values');
      expect(series.values?.map(({ value }) => value)).toEqual(VISCOSITY);
      expect(series.values?.[3]).toEqual({
        time: timeOf(3),
        value: 35.96,
        measurementUuid: viscosity.measurements[3],
        status: 'inWarning',
      });
    });
    it('names the points that break a rule', async () => {
      const { ruleHits } = await seriesOf(viscosity.characteristic);
      const hit = { index: 3, time: timeOf(3), measurementUuid: viscosity.measurements[3] };
      expect(ruleHits.filter(({ on }) => on === 'location')).toEqual([{ rule: 'nelson1', on: 'location', ...hit }]);
    });
    it('has buckets where the values do not fit', async () => {
      const series = await seriesOf(viscosity.characteristic, 'points=4');
      expect(characteristicSeriesSchema.parse(series)).toEqual(series);
      expect(series).toMatchObject({ count: 20, kind: 'buckets' });
      expect(series.values).toBeUndefined();
      expect(series.buckets?.map(({ count }) => count)).toEqual([5, 5, 5, 5]);
      expect(series.buckets?.[0]).toMatchObject({
        from: timeOf(0),
        to: timeOf(4),
        minimum: 33.59,
        maximum: 35.96,
        first: 34.05,
        last: 34.7,
        outOfTolerance: [],
      });
    });
    it('lists each value out of tolerance in its bucket', async () => {
      const { characteristic, measurements } = await client.measured({ 2111: 34.5 }, VISCOSITY);
      const { buckets } = await seriesOf(characteristic, 'points=4');
      expect(buckets?.map(({ outOfTolerance }) => outOfTolerance.map(({ value }) => value))).toEqual([[35.96, 34.7], [34.52], [34.58], []]);
      expect(buckets?.[0]?.outOfTolerance[0]).toEqual({ time: timeOf(3), value: 35.96, measurementUuid: measurements[3] });
    });
    it('has subgroups of consecutive values', async () => {
      const { subgroups, chart } = await seriesOf(viscosity.characteristic, 'subgroup=8');
      expect(subgroups?.map(({ count }) => count)).toEqual([8, 8, 4]);
      expect(subgroups?.[0]).toMatchObject({ time: timeOf(0), measurementUuids: viscosity.measurements.slice(0, 8) });
      expect(chart?.baseline.count).toBe(20);
    });
    it('sends the points of a time with the limits of all', async () => {
      const whole = await seriesOf(viscosity.characteristic);
      const shown = await seriesOf(viscosity.characteristic, `shownFrom=${timeOf(3)}&shownTo=${timeOf(6)}`);
      expect(shown.values).toEqual(whole.values?.slice(3, 6));
      expect(shown.offset).toBe(3);
      expect(shown.chart).toEqual(whole.chart);
      expect(shown.ruleHits).toEqual(whole.ruleHits.filter(({ index }) => index >= 3 && index < 6));
    });
    it('sends whole subgroups of a time', async () => {
      const { offset, subgroups } = await seriesOf(viscosity.characteristic, `subgroup=4&shownFrom=${timeOf(5)}&shownTo=${timeOf(9)}`);
      expect(offset).toBe(1);
      expect(subgroups?.map(({ time }) => time)).toEqual([timeOf(4), timeOf(8)]);
    });
    it('sends the newest values beside buckets', async () => {
      const { newest } = await seriesOf(viscosity.characteristic, 'points=4&newest=2');
      expect(newest?.map(({ value }) => value)).toEqual(VISCOSITY.slice(-2));
    });
    it('has the moving range of each bucket', async () => {
      const { buckets } = await seriesOf(viscosity.characteristic, 'points=4');
      expect(buckets?.[0]?.movingRange?.maximum).toBeCloseTo(2.37, 10);
      expect(buckets?.[0]?.movingRange?.minimum).toBeCloseTo(0.35, 10);
    });
    it('is empty without values', async () => {
      const { uuids } = await client.part({});
      expect(await seriesOf(uuids[0]!)).toEqual({
        count: 0,
        offset: 0,
        kind: 'values',
        values: [],
        ruleHits: [],
        notes: ['There are no values.'],
      });
    });
  });

  describe('probability plot', () => {
    it('is at most as long as asked for, with the extremes', async () => {
      const plot = await client.read<ProbabilityPlotAnswer>(`characteristics/${viscosity.characteristic}/probability?points=5`);
      expect(probabilityPlotSchema.parse(plot)).toEqual(plot);
      expect(plot.count).toBe(20);
      expect(plot.points.map(({ value }) => value)).toHaveLength(5);
      expect(plot.points[0]?.value).toBe(33.27);
      expect(plot.points[4]?.value).toBe(35.96);
      expect(plot.line?.intercept).toBeCloseTo(34.088, 10);
    });
    it('is empty without values', async () => {
      const { uuids } = await client.part({});
      expect(await client.read(`characteristics/${uuids[0]}/probability`)).toEqual({
        count: 0,
        points: [],
        notes: ['There are no values.'],
      });
    });
  });

  describe('validators', () => {
    it('spare the answer that a client has', async () => {
      const first = await client.get(`characteristics/${viscosity.characteristic}/summary`).expect(200);
      const etag = first.headers['etag']!;
      await client.get(`characteristics/${viscosity.characteristic}/summary`).set('If-None-Match', etag).expect(304);
      await client.get(`characteristics/${viscosity.characteristic}/summary?subgroup=2`).set('If-None-Match', etag).expect(200);
    });
    it('change with a value', async () => {
      const { part, characteristic } = await client.measured({}, [1, 2, 3]);
      const etag = (await client.get(`characteristics/${characteristic}/series`).expect(200)).headers['etag']!;
      await client.measure(part, [{ [characteristic]: 4 }], 10);
      await client.get(`characteristics/${characteristic}/series`).set('If-None-Match', etag).expect(200);
    });
  });
});
