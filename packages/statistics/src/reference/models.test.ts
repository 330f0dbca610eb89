import { describe, expect, it } from '@jest/globals';
import { size } from '@sinebar/testing/size';
import { evaluateCapability } from '../models/model-capability.ts';
import { chooseModel } from '../models/model-choice.ts';
import { fittedModel } from '../models/model-functions.ts';
import { toleranceInterval } from '../models/tolerance-intervals.ts';
import { andersonDarling } from '../normality/anderson-darling.ts';
import { probabilityCorrelation } from '../normality/probability-plot.ts';
import { randomNumbers } from '../random.fixture.ts';
import { ascending, deviation, mean, pearson, quantile } from './descriptive.fixture.ts';
import { normalCdf, normalQuantile } from './distributions.fixture.ts';
import { chosenByReference, indexOfReference, normalityOfReference } from './models.fixture.ts';
import { numbersOf, randomValues, SETS } from './random-sets.fixture.ts';

/** A fit of the second implementation takes about a tenth of a second. */
const FITTED_SETS = size({ short: 8, long: 300 });

describe(`${SETS} random sets agree with a second implementation`, () => {
  it('on the test of normality and the probability plot', () => {
    const random = randomNumbers(80);
    for (let set = 0; set < SETS; set++) {
      const values = randomValues(random, random.whole(8, 80));
      if (new Set(values).size === 1) continue;
      const sorted = numbersOf(ascending(values));
      const { statistic, pValue } = normalityOfReference(values);
      const found = andersonDarling(sorted)!;
      // The second implementation subtracts from 1, which costs digits far out.
      if (Number.isFinite(statistic)) expect(found.statistic / statistic).toBeCloseTo(1, 6);
      if (found.adjusted < 13 && Number.isFinite(statistic)) expect(found.pValue).toBeCloseTo(pValue, 6);
      const quantiles = values.map((_, i) => normalQuantile((i + 1 - 0.375) / (values.length + 0.25)));
      expect(probabilityCorrelation(sorted)).toBeCloseTo(pearson(ascending(values), quantiles), 7);
    }
  });
});

describe(`${FITTED_SETS} random sets of 25 to 80 values agree with a second implementation`, () => {
  const random = randomNumbers(81);
  const kinds = [
    () => random.normal(),
    () => -Math.log(random.uniform()),
    () => Math.exp(0.5 * random.normal()),
    () => -Math.exp(0.4 * random.normal()),
    () => Math.abs(random.normal()),
    () => (-Math.log(random.uniform())) ** (1 / 1.7),
  ];
  const sets = Array.from({ length: FITTED_SETS }, (_, set) => {
    const draw = kinds[set % kinds.length]!;
    const side = (['none', 'lower', 'upper'] as const)[Math.floor(set / kinds.length) % 3]!;
    // Computed values have no step.
    const plain = Array.from({ length: random.whole(25, 80) }, draw);
    const values = side === 'none' ? plain : plain.map((value) => (side === 'lower' ? Math.abs(value) + 1e-3 : 5 - Math.abs(value)));
    const boundary = side === 'none' ? {} : side === 'lower' ? { lower: 0 } : { upper: 5 };
    return { side, values, boundary };
  });

  it.each(sets)('on the model and its index (%#, boundary: $side)', ({ values, boundary }) => {
    const [low, high] = [quantile(values, 0.001) - 1, quantile(values, 0.999) + 2];
    const tolerance = { ...(boundary.lower === undefined && { lower: low }), ...(boundary.upper === undefined && { upper: high }) };
    const limits = {
      lowerBoundary: boundary.lower,
      upperBoundary: boundary.upper,
      lowerTolerance: tolerance.lower,
      upperTolerance: tolerance.upper,
    };
    const choice = chooseModel({ values: numbersOf(values), limits, request: 'auto' });
    const expected = chosenByReference(values, boundary);
    expect(choice.candidates.map(({ name }) => name).toSorted()).toEqual(expected.candidates.map(({ name }) => name).toSorted());
    for (const { name, logLikelihood, aicc, parameters } of choice.candidates) {
      const other = expected.candidates.find((candidate) => candidate.name === name)!;
      // Neither search may miss what the other one finds.
      expect(Math.abs(logLikelihood - other.logLikelihood)).toBeLessThan(1e-3);
      expect(Math.abs(aicc - other.aicc)).toBeLessThan(2e-3);
      const model = fittedModel({ name, parameters });
      const spread = other.percentile(0.99865) - other.percentile(0.00135);
      for (const probability of [0.00135, 0.5, 0.99865]) {
        expect(Math.abs(model.quantile(probability) - other.percentile(probability)) / spread).toBeLessThan(0.01);
      }
    }
    const aiccs = expected.candidates.map(({ aicc }) => aicc).toSorted((a, b) => a - b);
    // Two models that are as likely may change places.
    if (aiccs.length > 1 && aiccs[1]! - aiccs[0]! < 0.01) return;
    expect(choice.fit!.name).toBe(expected.fit.name);
    if (choice.goodness) expect(Math.abs(choice.goodness.statistic - expected.fit.andersonDarling)).toBeLessThan(0.01);
    const { capability } = evaluateCapability({
      values: numbersOf(values),
      limits,
      convention: 'aiagVda',
      confidence: 0.95,
      request: 'auto',
    });
    const index = indexOfReference(expected.fit, tolerance);
    expect(Math.abs(capability!.pk!.value - index)).toBeLessThan(0.01 * Math.max(1, Math.abs(index)));
    const candidates = expected.candidates.filter(({ aicc, name }) => name === expected.fit.name || aicc <= expected.fit.aicc + 4);
    // The interval takes in the indices of all models that are nearly as likely.
    for (const other of candidates.map((candidate) => indexOfReference(candidate, tolerance))) {
      expect(capability!.pk!.lower!).toBeLessThan(other + 0.01);
      expect(capability!.pk!.upper!).toBeGreaterThan(other - 0.01);
    }
  });

  it('on tolerance intervals: the share of simulated samples whose interval contains the content', () => {
    const { normal } = randomNumbers(82);
    const runs = size({ short: 5000, long: 20_000 });
    for (const [content, confidence] of [
      [0.9, 0.95],
      [0.99, 0.8],
    ] as const) {
      const { twoSided, oneSided } = toleranceInterval({ count: 8, mean: 0, standardDeviation: 1 }, content, confidence)!;
      let [two, one] = [0, 0];
      for (let run = 0; run < runs; run++) {
        const values = Array.from({ length: 8 }, normal);
        const at = (factor: number) => normalCdf(mean(values) + factor * deviation(values));
        two += Number(at(twoSided.factor) - at(-twoSided.factor) >= content);
        one += Number(at(oneSided.factor) >= content);
      }
      const error = 3.5 * Math.sqrt((confidence * (1 - confidence)) / runs);
      expect(Math.abs(two / runs - confidence)).toBeLessThan(error);
      expect(Math.abs(one / runs - confidence)).toBeLessThan(error);
    }
  });
});
