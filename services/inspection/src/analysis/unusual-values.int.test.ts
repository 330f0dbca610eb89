import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { characteristicSummarySchema, type CharacteristicSummary } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import { define } from '../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { AnalysisClient } from './analysed-part.fixture.ts';

const VISCOSITY = [
  34.05, 34.4, 33.59, 35.96, 34.7, 33.51, 33.79, 34.04, 34.52, 33.75, 33.27, 33.71, 34.03, 34.58, 34.02, 33.97, 34.05, 34.04, 33.73, 34.05,
];
const LIMITS = { 2110: 32, 2111: 36 };
/** Above a natural boundary of 0. */
const ROUNDNESS = { 2110: 0, 2120: 2, 2111: 0.08 };
/** Quantiles of a Weibull distribution of shape 1.5. */
const SKEWED = Array.from({ length: 60 }, (_, i) => Math.round(200 * (-Math.log(1 - (i + 0.5) / 60)) ** (2 / 3)) / 10_000);

describeWith(['postgres'], 'a summary of unusual values', () => {
  let inspection: RunningInspection;
  const client = new AnalysisClient(() => inspection);
  /** Answers have to fit their schema. */
  const summaryOf = async (uuid: string, query = '') => {
    const summary = await client.read<CharacteristicSummary>(`characteristics/${uuid}/summary?${query}`);
    expect(characteristicSummarySchema.parse(summary)).toEqual(summary);
    return summary;
  };
  const summaryOfValues = async (attributes: Record<string, unknown>, values: readonly number[], query = '') =>
    summaryOf((await client.measured(attributes, values)).characteristic, query);

  beforeAll(async () => {
    inspection = await startInspection();
    await define(
      inspection,
      ...[2101, 2110, 2111, 2120, 2121].map((key) => ({ key, entity: 'characteristic' as const, type: 'Float' as const })),
      { key: 14, entity: 'measurement', type: 'AlphaNumeric' },
    );
  });
  afterAll(() => inspection.stop());

  it('has limits and a sentence without values', async () => {
    const { uuids } = await client.part(LIMITS);
    const summary = await summaryOf(uuids[0]!);
    expect(summary).toMatchObject({ count: 0, missing: 0, assessment: { stable: 'unknown', normal: 'unknown', capable: 'unknown' } });
    expect(summary.notes).toEqual(['There are no values.']);
    expect(summary.mean).toBeUndefined();
  });
  it('has a mean and no spread of one value', async () => {
    const { characteristic } = await client.measured(LIMITS, [34]);
    const summary = await summaryOf(characteristic);
    expect(summary).toMatchObject({ count: 1, mean: 34 });
    expect(summary.standardDeviation).toBeUndefined();
    expect(summary.notes).toContain('There is one value, so the spread is not defined.');
  });
  it('has no capability of equal values', async () => {
    const { characteristic } = await client.measured(LIMITS, new Array<number>(10).fill(34));
    const summary = await summaryOf(characteristic);
    expect(summary.standardDeviation).toBe(0);
    expect(summary.capability).toBeUndefined();
    expect(summary.normality).toBeUndefined();
    expect(summary.assessment).toMatchObject({ stable: 'unknown', normal: 'unknown' });
    expect(summary.notes).toContain('All values are equal, so capability and normality are not defined.');
  });
  it('has no capability without limits', async () => {
    const { characteristic } = await client.measured({}, VISCOSITY);
    const summary = await summaryOf(characteristic);
    expect(summary.capability).toBeUndefined();
    expect(summary.partsPerMillion).toBeUndefined();
    expect(summary.notes).toContain('There is no tolerance, so capability is not defined.');
  });
  it('has no capability of crossed limits', async () => {
    const { characteristic } = await client.measured({ 2110: 36, 2111: 32 }, VISCOSITY);
    const summary = await summaryOf(characteristic);
    expect(summary.capability).toBeUndefined();
    expect(summary.notes).toContain('The lower limit is not below the upper one, so capability is not defined.');
  });
  it('has one index with an upper tolerance only', async () => {
    const { characteristic } = await client.measured({ 2111: 38 }, VISCOSITY);
    const { capability, notes } = await summaryOf(characteristic);
    expect(Object.keys(capability?.normal.overall ?? {})).toEqual(['sigma', 'pk', 'pu']);
    expect(notes).toContain('There is no lower tolerance, so only the index of the upper one is defined.');
  });
  it('has finite figures only of values beyond 1e300', async () => {
    const { characteristic } = await client.measured({}, [1.5e308, -1.5e308, 1e301, 5, 1.2e308, -1e308, 3e300, 0, 7]);
    const text = (await client.get(`characteristics/${characteristic}/summary`).expect(200)).text;
    expect(text).not.toContain('null');
  });
  it('says that a baseline has no values', async () => {
    const { characteristic } = await client.measured({}, VISCOSITY);
    const { chart, notes } = await summaryOf(characteristic, 'baselineFrom=2030-01-01');
    expect(chart).toBeUndefined();
    expect(notes).toContain('There are no values in the baseline, so there are no control limits.');
  });
  it('says that its only subgroup is incomplete', async () => {
    const { characteristic } = await client.measured({}, [1, 2, 3]);
    const { chart, notes, assessment } = await summaryOf(characteristic, 'subgroup=5');
    expect(chart?.sigma).toBeCloseTo(2 / 1.693, 10);
    expect(assessment.stable).toBe('unknown');
    expect(notes).toContain('1 of 1 subgroups are incomplete; their limits follow from the values that they have.');
  });
  it('has no limits of a subgroup with one value', async () => {
    const { characteristic } = await client.measured({}, [1]);
    const { chart, notes } = await summaryOf(characteristic, 'subgroup=5');
    expect(chart).toBeUndefined();
    expect(notes).toContain('There are too few values for control limits.');
  });

  describe('and models', () => {
    it('says that no model fits, and is at most uncertain about the capability', async () => {
      const halves = Array.from({ length: 200 }, (_, i) => (i % 2) + Math.sin(i * 1.7) / 100);
      const { capability, assessment, notes } = await summaryOfValues({ 2110: -20, 2111: 20 }, halves);
      expect(notes).toContain('No model fits these values: the indices are those of the nearest one.');
      expect(capability!.pk!.value).toBeGreaterThan(1.33);
      expect(assessment.capable).toMatch(/^(uncertain|notStable)$/);
    });
    it('says that the model that is asked for could not be fitted, and has the normal index', async () => {
      const { capability, notes } = await summaryOfValues(LIMITS, [33, 33, 34, 34], 'model=student');
      expect(notes).toContain('The Student model could not be fitted to these values, so the normal model is used.');
      expect(capability!.pk!.from).toBe('normal');
      expect(capability!.model).toBeUndefined();
    });
    it('has no index of values that are all at the boundary', async () => {
      for (const model of ['auto', 'weibull', 'foldedNormal']) {
        const { capability, assessment, notes } = await summaryOfValues(ROUNDNESS, new Array<number>(30).fill(0), `model=${model}`);
        expect(capability).toBeUndefined();
        expect(assessment.capable).toBe('unknown');
        expect(notes).toContain('All values are equal, so capability and normality are not defined.');
      }
    });
    it.each(['auto', 'gamma', 'weibull'])('has the normal index where a value is beyond the boundary (%s)', async (model) => {
      const { capability, notes } = await summaryOfValues(ROUNDNESS, SKEWED.with(7, -0.001), `model=${model}`);
      expect(notes).toContain('A value is beyond the natural boundary, so the normal model is used.');
      expect(capability!.pk).toMatchObject({ ...capability!.normal.overall.pk, from: 'normal' });
    });
    it.each(['auto', 'weibull', 'lognormalMirrored', 'student'])('has the normal index of two values (%s)', async (model) => {
      const { capability, chart, assessment } = await summaryOfValues(LIMITS, [33, 34], `model=${model}`);
      expect(capability!.pk).toMatchObject({ value: expect.closeTo(1.5 / 3 / Math.SQRT1_2, 9), from: 'normal' });
      expect(chart!.sigma).toBeCloseTo(1 / 1.128, 9);
      expect(assessment.stable).toBe('unknown');
    });
    it('has a negative index where most equal values are beyond the tolerance', async () => {
      // The median is the largest value, and so that of the 99.865 % point of the sample.
      const values = Array.from({ length: 100 }, (_, i) => (i % 10 < 3 ? 1 + i / 1000 : 3));
      const { capability, assessment, partsPerMillion } = await summaryOfValues({ 2110: 0, 2111: 2 }, values);
      expect(capability!.pk!.value).toBeLessThan(0);
      expect(assessment.capable).toBe('no');
      expect(partsPerMillion!.observed).toEqual({ below: 0, above: 700_000, total: 700_000 });
    });
    it('keeps the digits of 1e12 ± 6', async () => {
      const values = Array.from({ length: 30 }, (_, i) => 1e12 + ((i * 7) % 13) - 6);
      const offsets = values.map((value) => value - 1e12);
      const mean = offsets.reduce((sum, offset) => sum + offset, 0) / 30;
      const sigma = Math.sqrt(offsets.reduce((sum, offset) => sum + (offset - mean) ** 2, 0) / 29);
      const { capability } = await summaryOfValues({ 2110: 1e12 - 20, 2111: 1e12 + 20 }, values);
      expect(capability!.normal.overall.p!.value / (40 / 6 / sigma)).toBeCloseTo(1, 9);
    });
  });

  it('has no limits of subgroups with one value each', async () => {
    const single = await client.single(LIMITS);
    await client.measureWith(
      single,
      VISCOSITY.map((value, i) => ({ attributes: { 14: `lot ${i}` }, value })),
    );
    const { chart, assessment, notes, count } = await summaryOf(single.characteristic, 'subgroupBy=14');
    expect(chart).toBeUndefined();
    expect(count).toBe(20);
    expect(assessment.stable).toBe('unknown');
    expect(notes).toContain('There are too few values for control limits.');
  });

  it('does not judge the stability by one subgroup', async () => {
    const { chart, assessment } = await summaryOfValues(LIMITS, VISCOSITY, 'subgroup=20');
    expect(chart).toMatchObject({ type: 'xbarS', subgroupSize: 20 });
    expect(assessment.stable).toBe('unknown');
  });
});
