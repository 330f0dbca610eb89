import { describe, expect, it } from '@jest/globals';
import { size } from '@sinebar/testing/size';
import { cutGroups, groupFigures } from '../charts/grouping.ts';
import { groupChart, type GroupChartType } from '../charts/group-chart.ts';
import { NELSON_RULES, usualRule } from '../charts/rule-settings.ts';
import { randomNumbers, share, upTo } from '../random.fixture.ts';
import { assessGroups, assessIndividuals, verdictSigma } from './chart-stability.ts';
import type { StabilityOptions } from './verdict.ts';

const RULE_1: StabilityOptions = { rules: [usualRule('nelson1')], beyondShown: 0 };
const ALL_RULES: StabilityOptions = { rules: NELSON_RULES.map(usualRule), beyondShown: 0 };

function assessValuesOfGroups(values: Float64Array, size: number, type: GroupChartType = 'xbarR', options = RULE_1) {
  const figures = groupFigures(values, cutGroups(values, { by: 'size', size, of: 'measurements' }));
  const { sigma, degreesOfFreedom } = groupChart(figures, type, type === 'xbarR' ? 'rbar' : 'sbar')!;
  const variations = type === 'xbarR' ? figures.ranges : figures.deviations;
  return assessGroups({ type, counts: figures.counts, means: figures.means, variations, sigma, degreesOfFreedom }, options);
}

describe('cases that an earlier verdict missed', () => {
  it('finds one of 100 values at 34 standard deviations and names it', () => {
    const { normal } = randomNumbers(1);
    const values = Float64Array.from({ length: 100 }, () => 10 + 0.12 * normal()).with(57, 15);
    expect(assessIndividuals(values, RULE_1)).toMatchObject({
      stable: 'no',
      reasons: { farthest: 'both' },
      since: { kind: 'points', index: 57, on: 'location' },
    });
  });
  it.each(['xbarR', 'xbarS'] as const)('finds five groups six times as wide with quiet means (%s)', (type) => {
    const { normal } = randomNumbers(2);
    const groups = Array.from({ length: 25 }, (_, group) => {
      const values = Array.from({ length: 5 }, normal);
      const mean = values.reduce((sum, value) => sum + value, 0) / 5;
      return values.map((value) => 10 + (value - mean) * (group < 20 ? 0.1 : 0.6));
    });
    const { stable, reasons, since } = assessValuesOfGroups(Float64Array.from(groups.flat()), 5, type);
    expect(stable).toBe('no');
    expect(reasons.step).toBeUndefined();
    expect(since).toMatchObject({ kind: 'points', on: 'variation' });
    expect(since!.index).toBeGreaterThanOrEqual(20);
  });
  it('finds a group 8 σ high in which one value is missing', () => {
    const { normal } = randomNumbers(3);
    const values = Float64Array.from({ length: 150 }, (_, i) => normal() + (i >= 100 && i < 105 ? 8 : 0)).with(102, NaN);
    expect(assessValuesOfGroups(values, 5)).toMatchObject({ stable: 'no', since: { kind: 'points', index: 20, on: 'location' } });
  });
  it('finds a group of one value that is high', () => {
    const { normal } = randomNumbers(4);
    const values = Float64Array.from({ length: 100 }, normal);
    [50, 51, 53, 54].forEach((i) => (values[i] = NaN));
    expect(assessValuesOfGroups(values.with(52, 9), 5)).toMatchObject({ stable: 'no', since: { index: 10, on: 'location' } });
  });
});

describe('a verdict', () => {
  const { normal } = randomNumbers(8);
  const quiet = Float64Array.from({ length: 60 }, normal);

  it('is unknown below 20 values', () => expect(assessIndividuals(quiet.slice(0, 19), RULE_1).stable).toBe('unknown'));
  it('does not count missing values', () => {
    expect(
      assessIndividuals(
        Float64Array.from({ length: 39 }, (_, i) => (i % 3 ? NaN : i % 2)),
        RULE_1,
      ),
    ).toMatchObject({
      stable: 'unknown',
      points: 13,
    });
  });
  it('is unknown below 10 groups', () => expect(assessValuesOfGroups(quiet.slice(0, 45), 5).stable).toBe('unknown'));
  it('is unknown of one group, of no group, and of equal values', () => {
    expect(assessValuesOfGroups(quiet.slice(0, 5), 5).stable).toBe('unknown');
    expect(assessIndividuals(new Float64Array(50).fill(3), RULE_1).stable).toBe('unknown');
    expect(assessIndividuals(new Float64Array(0), RULE_1)).toEqual({ stable: 'unknown', reasons: {}, points: 0 });
    expect(assessValuesOfGroups(new Float64Array(100).fill(3), 5).stable).toBe('unknown');
  });
  it('is yes of quiet values', () => expect(assessIndividuals(quiet, ALL_RULES)).toEqual({ stable: 'yes', reasons: {}, points: 60 }));
  it('is nearly where a point beyond the limits is what chance makes', () => {
    expect(assessIndividuals(quiet, { ...RULE_1, beyondShown: 1 }).stable).toBe('nearly');
  });
  it('holds from the first point on where limits are given', () => {
    const given = { centerLine: 10, sigma: 1 };
    expect(assessIndividuals(Float64Array.of(10, 10.5, 16), { ...RULE_1, given })).toMatchObject({
      stable: 'no',
      since: { kind: 'points', index: 2 },
    });
    expect(assessIndividuals(Float64Array.of(10, 10.5, 11), { ...RULE_1, given }).stable).toBe('unknown');
  });
  it('does not judge the first points by the estimate of a baseline', () => {
    const given = { centerLine: 10, sigma: 1, degreesOfFreedom: 15 };
    expect(assessIndividuals(Float64Array.of(10, 10.5, 16), { ...RULE_1, given }).stable).toBe('unknown');
    expect(assessIndividuals(quiet.map((value) => 10 + value).with(4, 17), { ...RULE_1, given })).toMatchObject({ stable: 'no' });
    expect(
      assessIndividuals(quiet.map((value) => 10 + value).with(4, 17), { ...RULE_1, given: { ...given, degreesOfFreedom: 2 } }),
    ).toMatchObject({
      reasons: {},
    });
  });
  it('is no where values lie beside a given centre line', () => {
    const given = { centerLine: 2, sigma: 1 };
    expect(assessIndividuals(quiet, { rules: [usualRule('nelson2')], beyondShown: 0, given })).toMatchObject({
      stable: 'no',
      reasons: { rules: ['nelson2'] },
    });
  });
  it('allows one point beyond the limits of 20, and two of 1000', () => {
    const values = (count: number, ...beyond: number[]) =>
      Float64Array.from({ length: count }, (_, i) => (beyond.includes(i) ? 3.4 : 1.11 * (i % 2 ? 1 : -1) * ((i % 7) / 6 + 0.1)));
    const given = { centerLine: 0, sigma: 1, degreesOfFreedom: 1000 };
    const assess = (points: Float64Array) => assessIndividuals(points, { ...RULE_1, given }).reasons;
    expect(assess(values(20, 3))).toEqual({});
    expect(assess(values(20, 3, 9))).toEqual({ rules: ['nelson1'] });
    expect(assess(values(1000, 3, 9))).toEqual({});
  });
  it('names the first of many points beyond the limits that are not far', () => {
    const values = quiet.map((value, i) => (i % 15 === 7 ? 4 * (i % 2 ? 1 : -1) : value / 1.2));
    const { reasons, since } = assessIndividuals(values, RULE_1);
    expect(reasons.rules).toEqual(['nelson1']);
    expect(since).toEqual({ kind: 'points', index: 7, on: 'location' });
  });
  it('names a step with its levels', () => {
    const values = quiet.map((value, i) => 50 + 0.1 * value + (i >= 40 ? 0.3 : 0));
    const { stable, reasons, since } = assessIndividuals(values, RULE_1);
    expect([stable, reasons.step]).toEqual(['no', true]);
    expect(since).toMatchObject({ kind: 'step', on: 'location' });
    expect(Math.abs(since!.index - 40)).toBeLessThanOrEqual(1);
    expect(since!.from).toBeCloseTo(50, 1);
    expect(since!.to).toBeCloseTo(50.3, 1);
  });
  it('finds the beginning of a drift by the values where scores bend it', () => {
    const { normal } = randomNumbers(9);
    const values = Float64Array.from({ length: 500 }, (_, i) => 20 + normal() + Math.max(0, i - 300) / 20);
    const scores = values.map((value) => 4 * Math.log1p((value - 16) / 4));
    const bent = assessIndividuals(scores, RULE_1).since!;
    const since = assessIndividuals(scores, { ...RULE_1, levels: values }).since!;
    expect(since).toMatchObject({ kind: 'drift', on: 'location' });
    expect(Math.abs(since.index - 300)).toBeLessThanOrEqual(5);
    expect(Math.abs(since.index - 300)).toBeLessThan(Math.abs(bent.index - 300));
    expect([since.from! - 20, since.to! - 30].map(Math.abs).every((distance) => distance < 0.5)).toBe(true);
  });
  it('names a drift with its ends, within 2 % of the points', () => {
    const values = Float64Array.from({ length: 500 }, (_, i) => 20 + 0.05 * normal() + Math.max(0, i - 300) * 0.002);
    const { since } = assessIndividuals(values, RULE_1);
    expect(since).toMatchObject({ kind: 'drift', on: 'location' });
    expect(Math.abs(since!.index - 300)).toBeLessThanOrEqual(10);
    expect(since!.from).toBeCloseTo(20, 1);
    expect(since!.to).toBeCloseTo(20.4, 1);
  });
  it('finds one value of 1,000,000 standard deviations', () => {
    expect(assessIndividuals(quiet.with(30, 1e6), RULE_1)).toMatchObject({ stable: 'no', since: { kind: 'points', index: 30 } });
  });
  it('does not depend on the unit, also for 1e12 ± 6', () => {
    const moved = quiet.map((value) => Math.round(value * 600) / 100);
    const far = moved.map((value) => 1e12 + value);
    expect(assessIndividuals(far, ALL_RULES)).toEqual(assessIndividuals(moved, ALL_RULES));
    expect(verdictSigma(far)).toBeCloseTo(verdictSigma(moved)!, 3);
  });
  it('is finite for values at the ends of a double', () => {
    expect(
      assessIndividuals(
        Float64Array.from({ length: 40 }, (_, i) => (i % 2 ? 1.7e308 : -1.7e308)),
        RULE_1,
      ).stable,
    ).toBe('unknown');
  });
});

describe('verdictSigma', () => {
  it('leaves out moving ranges beyond their limit', () => {
    const values = Float64Array.from({ length: 41 }, (_, i) => i % 2);
    expect(verdictSigma(values)).toBeCloseTo(1 / 1.1005, 12);
    expect(verdictSigma(values.with(20, 50))).toBeCloseTo(1 / 1.1005, 12);
  });
  it('is that of normal values', () => {
    const { normal } = randomNumbers(6);
    expect(verdictSigma(Float64Array.from({ length: 20_000 }, normal))).toBeCloseTo(1, 1.7);
  });
  it('needs two neighbours that differ', () => {
    expect(verdictSigma(Float64Array.of(1, NaN, 2))).toBeUndefined();
    expect(verdictSigma(Float64Array.of(3, 3, 3))).toBeUndefined();
  });
});

describe('simulated processes', () => {
  const isUnstable = ({ stable }: { readonly stable: string }) => stable === 'no';
  const RUNS = size({ short: 100, long: 10_000 });

  it.each([
    [20, RULE_1],
    [20, ALL_RULES],
    [100, RULE_1],
    [100, ALL_RULES],
    [500, RULE_1],
    [2000, ALL_RULES],
  ])('are stable in at least 92 of 100 sets of %d normal values', (count, options) => {
    const { normal } = randomNumbers(count);
    const runs = Math.ceil(Math.min(RUNS, (RUNS * 100) / count));
    expect(share(runs, () => isUnstable(assessIndividuals(Float64Array.from({ length: count }, normal), options)))).toBeLessThanOrEqual(
      upTo(0.08, runs),
    );
  });
  it.each([
    ['xbarR', 2, 25],
    ['xbarR', 5, 25],
    ['xbarS', 5, 100],
    ['xbarS', 10, 25],
  ] as const)('are stable in at least 92 of 100 sets of groups (%s, %d values, %d groups)', (type, size, groups) => {
    const { normal } = randomNumbers(size * groups);
    const values = () => Float64Array.from({ length: size * groups }, normal);
    const runs = RUNS / 2;
    expect(share(runs, () => isUnstable(assessValuesOfGroups(values(), size, type, ALL_RULES)))).toBeLessThanOrEqual(upTo(0.08, runs));
  });
  it('are stable with a gauge as coarse as half a standard deviation', () => {
    const { normal } = randomNumbers(31);
    const values = () => Float64Array.from({ length: 100 }, () => Math.round(2 * normal()) / 2);
    expect(share(RUNS, () => isUnstable(assessIndividuals(values(), ALL_RULES)))).toBeLessThanOrEqual(upTo(0.08, RUNS));
  });
  it('are not stable with one of 100 values at 6 standard deviations', () => {
    const { normal, whole } = randomNumbers(32);
    const values = () => Float64Array.from({ length: 100 }, normal).with(whole(0, 99), 6);
    expect(share(RUNS, () => isUnstable(assessIndividuals(values(), RULE_1)))).toBeGreaterThanOrEqual(0.95);
  });
  it('are not stable with a shift of 1.5 standard deviations over the last 25 of 100 values', () => {
    const { normal } = randomNumbers(33);
    const values = () => Float64Array.from({ length: 100 }, (_, i) => normal() + (i < 75 ? 0 : 1.5));
    expect(share(RUNS, () => isUnstable(assessIndividuals(values(), RULE_1)))).toBeGreaterThanOrEqual(0.95);
  });
});
