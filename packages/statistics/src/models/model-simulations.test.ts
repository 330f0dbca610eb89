import { describe, expect, it } from '@jest/globals';
import { size } from '@sinebar/testing/size';
import type { ModelDescription } from './fitted-model.ts';
import { fitModel } from './fits.ts';
import { goodnessOfFit } from './goodness-of-fit.ts';
import { evaluateCapability } from './model-capability.ts';
import { fittedModel } from './model-functions.ts';
import { BOUNDED, simulatedSets, UNBOUNDED, upperLimitFor } from './simulated-values.fixture.ts';
import { weightedSample } from './sample/weighted-sample.ts';

/** Sets of values of each kind; many of them narrow the bounds, which follow the binomial distribution. */
const SETS = size({ short: 40, long: 1000 });

/** The largest share of sets that a true share explains, but once in a thousand. */
const atMost = (share: number) => share + 3.1 * Math.sqrt((share * (1 - share)) / SETS) + 1 / SETS;

/** How far a median of few sets lies from that of many. */
const MEDIAN_ERROR = 0.9 / Math.sqrt(SETS);

interface Outcome {
  readonly index: number;
  readonly isCapable: boolean;
}

/** Evaluates sets with a true index, for which 1.33 is required. */
function outcomes(description: ModelDescription, count: number, hasBoundary: boolean, index = 1.2): Outcome[] {
  const isMirrored = description.name.endsWith('Mirrored');
  const model = fittedModel(description);
  const limit = isMirrored
    ? { lowerTolerance: model.quantile(0.5) - index * (model.quantile(0.5) - model.quantile(0.00135)) }
    : { upperTolerance: upperLimitFor(description, index) };
  const limits = { ...limit, ...(hasBoundary && { lowerBoundary: 0 }) };
  return simulatedSets(description, count, SETS).map((values) => {
    const { capability, isModelRejected } = evaluateCapability({
      values,
      limits,
      convention: 'aiagVda',
      confidence: 0.95,
      request: 'auto',
    });
    const { value, lower } = capability!.pk!;
    return { index: value / index, isCapable: lower !== undefined && lower >= 1.33 && !isModelRejected };
  });
}

const medianOf = (values: readonly number[]) => [...values].sort((first, second) => first - second)[Math.floor(values.length / 2)]!;
const capableShare = (sets: readonly Outcome[]) => sets.filter(({ isCapable }) => isCapable).length / sets.length;

const BOUNDS = [
  [50, 0.87, 1.2],
  [125, 0.95, 1.08],
  [300, 0.95, 1.03],
] as const;

describe.each(Object.entries(BOUNDED))('%s with a boundary', (_, description) => {
  it.each(BOUNDS)('has an index near the true one for %d values', (count, lowest, highest) => {
    const sets = outcomes(description, count, true);
    const median = medianOf(sets.map(({ index }) => index));
    expect(median).toBeGreaterThan(lowest - MEDIAN_ERROR * (50 / count) ** 0.5);
    expect(median).toBeLessThan(highest + MEDIAN_ERROR * (50 / count) ** 0.5);
    // Of processes that are not capable, at most one in twenty is called so.
    expect(capableShare(sets)).toBeLessThan(atMost(0.05));
  });
});

describe.each(Object.entries(UNBOUNDED))('%s without a boundary', (_, description) => {
  it.each([
    [125, 0.94, 1.1],
    [300, 0.94, 1.08],
  ])('has an index near the true one for %d values', (count, lowest, highest) => {
    const sets = outcomes(description, count, false);
    const median = medianOf(sets.map(({ index }) => index));
    expect(median).toBeGreaterThan(lowest - MEDIAN_ERROR * (50 / count) ** 0.5);
    expect(median).toBeLessThan(highest + MEDIAN_ERROR * (50 / count) ** 0.5);
    expect(capableShare(sets)).toBeLessThan(atMost(0.06));
  });
  it.each([50, 75])('has an index near the true one for %d values, and is rarely called capable', (count) => {
    const sets = outcomes(description, count, false);
    const median = medianOf(sets.map(({ index }) => index));
    expect(median).toBeGreaterThan(0.87 - MEDIAN_ERROR);
    expect(median).toBeLessThan(1.2 + MEDIAN_ERROR);
    expect(capableShare(sets)).toBeLessThan(atMost(0.05));
  });
});

it.each([50, 125, 300])('normal values are called capable at most once in twenty for %d values', (count) => {
  const sets = outcomes({ name: 'normal', parameters: { location: 20, scale: 0.01 } }, count, false);
  expect(capableShare(sets)).toBeLessThan(atMost(0.05));
  expect(Math.abs(medianOf(sets.map(({ index }) => index)) - 1)).toBeLessThan(0.03 + MEDIAN_ERROR / 3);
});

it('normal values of 50 with a true index of 2 are called capable in at least three of four sets', () => {
  const sets = outcomes({ name: 'normal', parameters: { location: 20, scale: 0.01 } }, 50, false, 2);
  expect(capableShare(sets)).toBeGreaterThan(0.75 - 3.1 * Math.sqrt((0.75 * 0.25) / SETS));
});

describe('A² of a fit of the true family', () => {
  const statistics = (description: ModelDescription) =>
    simulatedSets(description, 100, 5 * SETS).flatMap((values) => {
      const sample = weightedSample(values.map((value) => Math.max(value, 0.00005)).sort());
      const fit = fitModel(description.name, sample, { boundary: 0 });
      return (fit && goodnessOfFit(fit, sample)) ?? [];
    });

  it.each([
    ['Weibull 1.5', 1.5, 0.002],
    ['lognormal 0.5', 1.5, 0.002],
    ['gamma 3', 1.5, 0.002],
    ['Rayleigh', 1.5, 0.035],
    ['half normal', 2.5, 0.007],
  ] as const)('of %s is above %d no more often than measured', (label, bound, rate) => {
    const found = statistics(BOUNDED[label]!);
    const share = found.filter(({ statistic }) => statistic > bound).length / found.length;
    expect(share).toBeLessThan(rate + 3.1 * Math.sqrt(rate / found.length) + 1 / found.length);
  });
  it.each(['Weibull 1.5', 'lognormal 0.5', 'gamma 3', 'Rayleigh'] as const)('of %s has a p value below 0.05 once in twenty', (label) => {
    const found = statistics(BOUNDED[label]!);
    const share = found.filter(({ pValue }) => pValue! < 0.05).length / found.length;
    expect(Math.abs(share - 0.05)).toBeLessThan(0.012 + 3.1 * Math.sqrt(0.05 / found.length));
  });
});
