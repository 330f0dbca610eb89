import { describe, expect, it } from '@jest/globals';
import { size } from '@sinebar/testing/size';
import fc from 'fast-check';
import { indexValues, type Index } from '../capability/indices.ts';
import type { ModelName } from './fitted-model.ts';
import { fitModel } from './fits.ts';
import { evaluateCapability, type CapabilityInput } from './model-capability.ts';
import { MODEL_REQUESTS } from './model-choice.ts';
import { fittedModel } from './model-functions.ts';
import { modelIntervals } from './model-intervals.ts';
import { indicesOfPercentiles } from './indices-of-model.ts';
import { MODELS_OF_R } from './models-of-r.fixture.ts';
import { randomNumbers } from './sample/random-numbers.ts';
import { BOUNDED, simulatedSets, upperLimitFor } from './simulated-values.fixture.ts';
import { weightedSample } from './sample/weighted-sample.ts';

const evaluate = (values: Float64Array, options: Partial<CapabilityInput> = {}) =>
  evaluateCapability({ values, limits: {}, convention: 'aiagVda', confidence: 0.95, request: 'auto', ...options });

const ROUNDNESS = simulatedSets(BOUNDED['Weibull 1.5']!, 200, 1)[0]!;
const LIMITS = { lowerBoundary: 0, upperTolerance: 0.08 };

describe('indicesOfPercentiles', () => {
  const limits = { lowerTolerance: 0, upperTolerance: 10 };
  it('divides by the distances of the percentiles', () => {
    const { p, pl, pu, pk } = indicesOfPercentiles({ low: 1, median: 3, high: 8 }, limits);
    expect(p).toBeCloseTo(10 / 7, 12);
    expect(pl).toBeCloseTo(3 / 2, 12);
    expect(pu).toBeCloseTo(7 / 5, 12);
    expect(pk).toBeCloseTo(7 / 5, 12);
  });
  it('equals the indices of a normal distribution with its percentiles', () => {
    const given = { lowerTolerance: 1, upperTolerance: 10 };
    const found = indicesOfPercentiles({ low: 5 - 3, median: 5, high: 5 + 3 }, given);
    const normal = indexValues(5, 1, given);
    expect(found.pk).toBeCloseTo(normal.pk!, 12);
    expect(found.p).toBeCloseTo(normal.p!, 12);
  });
  it('is negative where the median is beyond a limit', () => {
    expect(indicesOfPercentiles({ low: 8, median: 12, high: 14 }, limits).pk).toBeCloseTo(-1, 12);
  });
  it('has none where percentiles are equal', () => expect(indicesOfPercentiles({ low: 3, median: 3, high: 3 }, limits)).toEqual({}));
  it('has none where limits are crossed', () => {
    expect(indicesOfPercentiles({ low: 1, median: 3, high: 8 }, { lowerTolerance: 2, upperTolerance: 0 })).toEqual({});
  });
});

describe('evaluateCapability', () => {
  const { capability, model } = evaluate(ROUNDNESS, { limits: LIMITS });

  it('has the index of the model as the one that counts', () => {
    const { from, ...index } = capability!.pk!;
    expect(from).toBe('model');
    expect(index).toEqual(capability!.model!.pk);
    expect(index.name).toBe('Ppk');
  });
  it('has the normal indices beside it', () => {
    expect(capability!.normal.overall.pk!.value).toBeGreaterThan(capability!.pk!.value);
  });
  it('has the indices of its percentiles', () => {
    const { percentiles, p, pk } = capability!.model!;
    expect(pk!.value).toBeCloseTo((0.08 - percentiles.median) / (percentiles.high - percentiles.median), 12);
    expect(p!.value).toBeCloseTo(0.08 / (percentiles.high - percentiles.low), 12);
  });
  it('has an index and a criterion of every candidate', () => {
    const { candidates } = capability!.model!;
    expect(candidates.length).toBe(6);
    for (const { pk } of candidates) expect(pk).toBeGreaterThan(0);
    expect(candidates.find(({ name }) => name === model!.name)!.pk).toBeCloseTo(capability!.pk!.value, 12);
  });
  it('expects the share of the model beyond the limit', () => {
    const { expectedPartsPerMillion } = capability!.model!;
    expect(expectedPartsPerMillion).toEqual({
      above: fittedModel(model!).survival(0.08) * 1e6,
      total: fittedModel(model!).survival(0.08) * 1e6,
    });
  });
  it('takes in the doubt about the model', () => {
    const flatness = Float64Array.from(MODELS_OF_R.find(({ name }) => name === 'flatness, Weibull')!.values);
    const [gamma, weibull, asked] = (['auto', 'weibull', 'gamma'] as const).map(
      (request) => evaluate(flatness, { limits: LIMITS, request }).capability!.pk!,
    );
    expect(gamma!.value).toBe(asked!.value);
    expect(gamma!.lower).toBe(asked!.lower);
    expect(gamma!.upper).toBe(weibull!.upper);
    expect(weibull!.upper).toBeGreaterThan(asked!.upper!);
  });
  it('says who chose the model', () => {
    const chosenBy = (options: Partial<CapabilityInput>) => evaluate(ROUNDNESS, { limits: LIMITS, ...options }).capability!.model?.chosenBy;
    expect(chosenBy({})).toBe('auto');
    expect(chosenBy({ request: 'gamma', requestedBy: 'evaluation' })).toBe('evaluation');
    expect(chosenBy({ request: 'gamma', requestedBy: 'request' })).toBe('request');
    expect(chosenBy({ request: 'normal', requestedBy: 'request' })).toBeUndefined();
  });
  it('has the spread within beside the overall one', () => {
    const within = { sigma: 0.01, degreesOfFreedom: 190 };
    const { normal } = evaluate(ROUNDNESS, { limits: LIMITS, within, convention: 'minitab' }).capability!;
    expect(normal.within!.sigma).toBe(0.01);
    expect(normal.within!.pk!.name).toBe('Cpk');
    expect(normal.overall.pk!.name).toBe('Ppk');
  });
  it('changes names only with the convention', () => {
    const minitab = evaluate(ROUNDNESS, { limits: LIMITS, convention: 'minitab' }).capability!;
    expect(minitab.pk!.value).toBe(capability!.pk!.value);
    expect(minitab.pk!.lower).toBe(capability!.pk!.lower);
  });
  it('mirrors every index with the values', () => {
    const mirrored = evaluate(
      ROUNDNESS.map((value) => -value),
      { limits: { lowerTolerance: -0.08, upperBoundary: 0 } },
    ).capability!;
    expect(mirrored.pk!.value).toBeCloseTo(capability!.pk!.value, 6);
    expect(mirrored.pk!.lower).toBeCloseTo(capability!.pk!.lower!, 5);
    expect(mirrored.model!.pl!.value).toBeCloseTo(capability!.model!.pu!.value, 6);
    expect(mirrored.model!.expectedPartsPerMillion!.below).toBeCloseTo(capability!.model!.expectedPartsPerMillion!.above!, 3);
  });

  it('is negative where most values are beyond the limit', () => {
    const values = Float64Array.from({ length: 100 }, (_, i) => (i < 30 ? 1 + i / 100 : 3 + (i % 7) / 100));
    const { pk } = evaluate(values, { limits: { upperTolerance: 2 } }).capability!;
    expect(pk!.value).toBeLessThan(0);
    expect(pk!.lower).toBeLessThan(pk!.value);
  });
  it('has no index of equal values', () => {
    const { capability: none, model: noModel } = evaluate(new Float64Array(30).fill(5), { limits: { upperTolerance: 2 } });
    expect(none).toBeUndefined();
    expect(noModel).toBeUndefined();
  });
  it('has the normal index of two values', () => {
    const { pk, model: noModel } = evaluate(Float64Array.of(1, 2), { limits: { upperTolerance: 4 } }).capability!;
    expect(pk!.from).toBe('normal');
    expect(noModel).toBeUndefined();
  });
  it('has a model and no capability without a tolerance', () => {
    const { capability: none, model: fitted } = evaluate(ROUNDNESS, { limits: { lowerBoundary: 0 } });
    expect(none).toBeUndefined();
    expect(fitted?.name).toBe(model!.name);
  });
  it('has the exact normal index of large values', () => {
    const values = Float64Array.from({ length: 30 }, (_, i) => 1e12 + ((i % 13) - 6));
    const mean = values.reduce((sum, value) => sum + (value - 1e12), 0) / 30;
    const sigma = Math.sqrt(values.reduce((sum, value) => sum + (value - 1e12 - mean) ** 2, 0) / 29);
    const { normal } = evaluate(values, { limits: { lowerTolerance: 1e12 - 20, upperTolerance: 1e12 + 20 } }).capability!;
    expect(normal.overall.p!.value / (40 / 6 / sigma)).toBeCloseTo(1, 9);
  });
  it('has finite figures for any values, each within its interval', () => {
    const number = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.double({ noDefaultInfinity: true }));
    fc.assert(
      fc.property(
        fc.array(number, { minLength: 2, maxLength: 50 }),
        fc.constantFrom(...MODEL_REQUESTS),
        fc.constantFrom({ upperTolerance: 20 }, { lowerBoundary: 0, upperTolerance: 20 }, { lowerTolerance: 3, upperTolerance: 9 }),
        (numbers, request, limits) => {
          const found = evaluate(Float64Array.from(numbers), { request, limits }).capability;
          if (!found) return;
          const { p, pk, pl, pu, candidates = [], percentiles, expectedPartsPerMillion } = found.model ?? {};
          const indices = [found.pk, p, pk, pl, pu].filter((index): index is Index & { name: string } => index !== undefined);
          for (const { value, lower, upper } of indices) {
            expect(Number.isFinite(value)).toBe(true);
            expect(lower ?? value).toBeLessThanOrEqual(value);
            expect(upper ?? value).toBeGreaterThanOrEqual(value);
            expect(Number.isFinite(lower ?? 0) && Number.isFinite(upper ?? 0)).toBe(true);
          }
          const others = [...candidates.flatMap((each) => [each.aicc, each.pk ?? 0]), ...Object.values({ ...percentiles })];
          for (const figure of [...others, ...Object.values({ ...expectedPartsPerMillion })]) expect(Number.isFinite(figure)).toBe(true);
        },
      ),
      {
        numRuns: 200,
        examples: [[[0, 1.830265036510792e-17, 1e-323, 28], 'lognormal', { lowerBoundary: 0, upperTolerance: 20 }]],
      },
    );
  });
});

describe('intervals of a model', () => {
  const sets = size({ short: 6, long: 50 });

  /** Ppk of samples of the fitted model that are fitted anew: the width that holds 95 % of their logarithms. */
  function bootstrapWidth(name: ModelName, values: Float64Array, upper: number): number {
    const fit = fitModel(name, weightedSample(values.slice().sort()), { boundary: 0 })!;
    const model = fittedModel(fit);
    const random = randomNumbers(5);
    const logarithms = Array.from({ length: 200 }, () => {
      const again = weightedSample(Float64Array.from(values, () => model.quantile(random())).sort());
      const { low, median, high } = percentilesOfFit(fitModel(name, again, { boundary: 0 })!);
      return Math.log(indicesOfPercentiles({ low, median, high }, { upperTolerance: upper }).pk!);
    });
    const mean = logarithms.reduce((sum, each) => sum + each, 0) / 200;
    return 2 * 1.96 * Math.sqrt(logarithms.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 199);
  }

  function percentilesOfFit(fit: { readonly name: ModelName; readonly parameters: { readonly scale: number } }) {
    const model = fittedModel(fit);
    return { low: model.quantile(0.00135), median: model.quantile(0.5), high: model.quantile(0.99865) };
  }

  it.each([
    ['weibull', 'Weibull 1.5'],
    ['gamma', 'gamma 3'],
    ['lognormal', 'lognormal 0.5'],
    ['rayleigh', 'Rayleigh'],
    ['foldedNormal', 'half normal'],
  ] as const)('have the median width of a bootstrap for %s', (name, label) => {
    const upper = upperLimitFor(BOUNDED[label]!, 1.2);
    const ratios = simulatedSets(BOUNDED[label]!, 100, sets).map((values) => {
      const sample = weightedSample(values.map((value) => Math.max(value, 0.00005)).sort());
      const input = { sample, limits: { upperTolerance: upper }, confidence: 0.95, fitOptions: { boundary: 0 } };
      const { pk } = modelIntervals(fitModel(name, sample, input.fitOptions)!, input);
      return Math.log(pk!.upper! / pk!.lower!) / bootstrapWidth(name, sample.values, upper);
    });
    const median = ratios.sort((first, second) => first - second)[Math.floor(ratios.length / 2)]!;
    expect(Math.abs(median - 1)).toBeLessThan(name === 'foldedNormal' ? 0.35 : 0.15);
  });
});
