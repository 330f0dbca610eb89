import { describe, expect, it } from '@jest/globals';
import { size } from '@sinebar/testing/size';
import { NELSON_RULES, usualRule } from '../charts/rule-settings.ts';
import { sortValues } from '../descriptive/quantiles.ts';
import type { FittedModel } from '../models/fitted-model.ts';
import { fitModel } from '../models/fits.ts';
import { fittedModel } from '../models/model-functions.ts';
import { spreadWithinSteps } from '../models/sample/value-steps.ts';
import { weightedSample } from '../models/sample/weighted-sample.ts';
import { BOUNDED, UNBOUNDED } from '../models/simulated-values.fixture.ts';
import { randomNumbers, share, upTo } from '../random.fixture.ts';
import { assessIndividuals } from './chart-stability.ts';
import { valuesForVerdict } from './model-scores.ts';

const RULE_1 = [usualRule('nelson1')];
const ALL_RULES = NELSON_RULES.map(usualRule);
const RUNS = size({ short: 30, long: 5000 });
const COUNTS = size({ short: [100], long: [20, 25, 50, 100, 300, 1000, 2000] });

const FAMILIES = [
  ...['half normal', 'Weibull 1.5', 'exponential'].map((name) => ({ name, description: BOUNDED[name]!, boundary: 0, most: 0.08 })),
  ...['shifted Weibull', 'shifted lognormal'].map((name) => ({ name, description: UNBOUNDED[name]!, boundary: undefined, most: 0.12 })),
];

/** The verdict by the family of the values, fitted to them. */
function assess(values: Float64Array, name: FittedModel['name'], boundary: number | undefined, rules = RULE_1) {
  const options = { boundary };
  const model = fitModel(name, weightedSample(sortValues(values.slice())), options)!;
  return assessIndividuals(valuesForVerdict(values, model, options), { rules, beyondShown: 0 });
}

describe.each(FAMILIES)('values of a $name distribution', ({ name, description, boundary, most }) => {
  const model = fittedModel(description);
  const { uniform, normal, whole } = randomNumbers(name.length);
  const drawn = (count: number) => Float64Array.from({ length: count }, () => model.quantile(uniform()));
  const isUnstable = (values: Float64Array, rules = RULE_1) => assess(values, description.name, boundary, rules).stable === 'no';

  it.each(COUNTS)('are stable: at most 8 of 100 sets of %d are not, 12 with an estimated threshold', (count) => {
    expect(share(RUNS, () => isUnstable(drawn(count)))).toBeLessThanOrEqual(upTo(most, RUNS));
    expect(share(RUNS, () => isUnstable(drawn(count), ALL_RULES))).toBeLessThanOrEqual(upTo(most, RUNS));
  });
  it.each([
    [6, 0.7],
    [10, 0.9],
  ])('are not with one of 100 values at a score of %d', (score, least) => {
    expect(share(RUNS, () => isUnstable(drawn(100).with(whole(0, 99), model.valueAt(score))))).toBeGreaterThanOrEqual(least);
  });
  it('are not where the last 25 of 100 have moved by 1.5 standard deviations', () => {
    const moved = () => Float64Array.from({ length: 100 }, (_, i) => model.valueAt(normal() + (i < 75 ? 0 : 1.5)));
    expect(share(RUNS, () => isUnstable(moved()))).toBeGreaterThanOrEqual(0.9);
  });
});

describe('valuesForVerdict', () => {
  it.each(['normal', 'student'] as const)('are the values themselves of a %s model', (name) => {
    const values = Float64Array.of(1, 2, 3);
    const parameters = { location: 2, scale: 1, degreesOfFreedom: 5 };
    expect(valuesForVerdict(values, { name, parameters }, {})).toBe(values);
  });
  it('are scores of the model', () => {
    const { uniform } = randomNumbers(2);
    const values = Float64Array.from({ length: 5000 }, () => -Math.log(uniform()));
    const model = fitModel('weibull', weightedSample(sortValues(values.slice())), { boundary: 0 })!;
    const scores = valuesForVerdict(values.with(7, NaN), model, { boundary: 0 });
    expect(scores[7]).toBeNaN();
    const present = scores.filter((score) => !Number.isNaN(score));
    const mean = present.reduce((sum, score) => sum + score, 0) / present.length;
    expect(Math.abs(mean)).toBeLessThan(0.02);
    expect(present.reduce((sum, score) => sum + (score - mean) ** 2, 0) / present.length).toBeCloseTo(1, 1);
  });
});

describe('a gauge as coarse as half a standard deviation', () => {
  it('makes at most 8 of 100 stable sets unstable, when values are spread within its step', () => {
    const { normal } = randomNumbers(41);
    const coarse = (count: number) => Float64Array.from({ length: count }, () => Math.round(2 * normal()) / 2);
    for (const count of [100, 2000]) {
      const isUnstable = () =>
        assessIndividuals(spreadWithinSteps(coarse(count), 0.5, {}), { rules: ALL_RULES, beyondShown: 0 }).stable === 'no';
      expect(share(RUNS, isUnstable)).toBeLessThanOrEqual(upTo(0.08, RUNS));
    }
  });
});
