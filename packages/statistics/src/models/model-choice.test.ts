import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { andersonDarling } from '../normality/anderson-darling.ts';
import { sortValues } from '../descriptive/quantiles.ts';
import type { ModelDescription } from './fitted-model.ts';
import { chooseModel, MODEL_REQUESTS, refusalOfModel, type ModelChoiceInput } from './model-choice.ts';
import { fittedModel } from './model-functions.ts';
import { randomNumbers } from './sample/random-numbers.ts';

function drawn(description: ModelDescription, count: number, seed = 1, decimals = 4): Float64Array {
  const random = randomNumbers(seed);
  const model = fittedModel(description);
  return Float64Array.from({ length: count }, () => Math.round(model.quantile(random()) * 10 ** decimals) / 10 ** decimals);
}

const choose = (values: Float64Array, options: Partial<ModelChoiceInput> = {}) =>
  chooseModel({ values, limits: {}, request: 'auto', ...options });

const NORMAL: ModelDescription = { name: 'normal', parameters: { location: 20, scale: 0.01 } };
const ROUNDNESS: ModelDescription = { name: 'weibull', parameters: { shape: 1.5, scale: 0.02, threshold: 0 } };
const SKEWED: ModelDescription = { name: 'weibull', parameters: { shape: 1.5, scale: 0.05, threshold: 10 } };
const ABOVE_0 = { limits: { lowerBoundary: 0 } };

describe('chooseModel', () => {
  it('takes normal where the test does not reject it, without a comparison', () => {
    const { fit, candidates } = choose(drawn(NORMAL, 200));
    expect(fit?.name).toBe('normal');
    expect(candidates).toEqual([]);
  });
  it.each([
    [60, 0.06, 0.39, 5],
    [60, 0.41, 1, 0],
    [100, 0.06, 0.39, 0],
  ])('takes normal of %d values with a p value of %d to %d, and doubts it with %d models', (count, lowest, highest, models) => {
    const isBetween = (values: Float64Array) => {
      const { pValue } = andersonDarling(sortValues(values.slice()))!;
      return pValue > lowest && pValue < highest;
    };
    const seeds = Array.from({ length: 200 }, (_, seed) => seed);
    const values = seeds.map((seed) => drawn(NORMAL, count, seed, 6)).find(isBetween)!;
    const { fit, candidates, isCompared } = choose(values);
    expect(fit?.name).toBe('normal');
    expect(candidates).toHaveLength(models);
    expect(isCompared).toBe(models > 0);
  });
  it('takes the smallest criterion where the test rejects normal', () => {
    const { fit, candidates, isCompared } = choose(drawn(SKEWED, 250));
    expect(fit?.name).toBe('weibull');
    expect(isCompared).toBe(true);
    expect(candidates.map(({ name }) => name).sort()).toEqual(['lognormal', 'lognormalMirrored', 'normal', 'weibull', 'weibullMirrored']);
    expect(candidates[0]).toBe(fit);
  });
  it('compares the models that begin at a natural boundary', () => {
    const { fit, candidates } = choose(drawn(ROUNDNESS, 400), ABOVE_0);
    expect(fit?.parameters.threshold).toBe(0);
    expect(candidates.map(({ name }) => name).sort()).toEqual(['foldedNormal', 'gamma', 'lognormal', 'normal', 'rayleigh', 'weibull']);
  });
  it('mirrors them at an upper boundary', () => {
    const above = choose(drawn(ROUNDNESS, 400), ABOVE_0);
    const below = choose(
      drawn(ROUNDNESS, 400).map((value) => 5 - value),
      { limits: { upperBoundary: 5 } },
    );
    expect(below.fit?.name).toBe(`${above.fit?.name}Mirrored`);
    expect(below.fit?.logLikelihood).toBeCloseTo(above.fit!.logLikelihood, 4);
    expect(below.fit?.parameters.threshold).toBe(-5);
  });
  it('takes normal between two boundaries, and says so', () => {
    const { fit, notes } = choose(drawn(ROUNDNESS, 400), { limits: { lowerBoundary: 0, upperBoundary: 1 } });
    expect(fit?.name).toBe('normal');
    expect(notes).toEqual(['There are natural boundaries on both sides, so the normal model is used.']);
  });
  it('takes normal where a value is beyond the boundary, and says so', () => {
    const { fit, notes } = choose(Float64Array.of(...drawn(ROUNDNESS, 400), -0.001), ABOVE_0);
    expect(fit?.name).toBe('normal');
    expect(notes).toEqual(['A value is beyond the natural boundary, so the normal model is used.']);
  });
  it('takes normal below 25 values, and says so', () => {
    const { fit, notes } = choose(drawn(SKEWED, 24));
    expect(fit?.name).toBe('normal');
    expect(notes).toEqual(['24 values are few: below 25 the model is not chosen by them.']);
  });
  it('takes folded normal below 25 values above a boundary', () => {
    expect(choose(drawn(ROUNDNESS, 24), ABOVE_0).fit?.name).toBe('foldedNormal');
  });
  it('fits what is asked for also to few values', () => {
    expect(choose(drawn(SKEWED, 20), { request: 'lognormal' }).fit?.name).toBe('lognormal');
  });
  it('takes the outliers in only where Student is asked for', () => {
    const values = drawn({ name: 'student', parameters: { location: 5, scale: 0.01, degreesOfFreedom: 3 } }, 300, 4);
    expect(choose(values).candidates.map(({ name }) => name)).not.toContain('student');
    const { fit } = choose(values, { request: 'student' });
    expect(fit?.name).toBe('student');
    expect(fit?.parameters.degreesOfFreedom).toBeGreaterThan(2);
    expect(fit?.parameters.degreesOfFreedom).toBeLessThan(6);
  });
  it('says that a model could not be fitted, and takes normal', () => {
    const { fit, notes } = choose(Float64Array.of(1, 1, 2, 2), { request: 'student' });
    expect(fit?.name).toBe('normal');
    expect(notes).toContain('The Student model could not be fitted to these values, so the normal model is used.');
  });
  it.each(['gamma', 'foldedNormal', 'rayleigh'] as const)('chooses another model than %s without a boundary, and says so', (request) => {
    const { fit, notes } = choose(drawn(SKEWED, 250), { request });
    expect(fit?.name).toBe('weibull');
    expect(notes[0]).toMatch(/^The .+ model needs a natural boundary\. The values choose another one\.$/);
  });
  it('says when no model fits', () => {
    const halves = Float64Array.of(...drawn(NORMAL, 100), ...drawn(NORMAL, 100, 2).map((value) => value + 1));
    const { isRejected, notes } = choose(halves);
    expect(isRejected).toBe(true);
    expect(notes).toContain('No model fits these values: the indices are those of the nearest one.');
  });

  describe('with a model that was kept', () => {
    /** Values whose test of normality has a p value between two bounds. */
    function valuesBetween(lowest: number, highest: number): Float64Array {
      for (let seed = 1; seed < 2000; seed++) {
        const values = drawn({ name: 'weibull', parameters: { shape: 2.2, scale: 0.05, threshold: 10 } }, 120, seed, 6);
        const pValue = andersonDarling(sortValues(values.slice()))!.pValue;
        if (pValue > lowest && pValue < highest) return values;
      }
      throw new Error('There are no such values.');
    }

    it('keeps the family while the p value is not above 0.15', () => {
      const values = valuesBetween(0.06, 0.14);
      expect(choose(values).fit?.name).toBe('normal');
      expect(choose(values, { kept: 'weibull' }).fit?.name).toBe('weibull');
    });
    it('goes back to normal above it, and says so', () => {
      const { fit, notes } = choose(valuesBetween(0.16, 0.5), { kept: 'weibull' });
      expect(fit?.name).toBe('normal');
      expect(notes).toEqual(['The model changed from Weibull to normal.']);
    });
    it('keeps normal while the p value is not below 0.05', () => {
      const { fit, notes } = choose(valuesBetween(0.051, 0.14), { kept: 'normal' });
      expect(fit?.name).toBe('normal');
      expect(notes).toEqual([]);
    });
    it('leaves normal below it, and says so', () => {
      const { fit, notes } = choose(valuesBetween(0.001, 0.03), { kept: 'normal' });
      expect(fit?.name).not.toBe('normal');
      expect(notes[0]).toMatch(/^The model changed from normal to /);
    });
    it('changes the family only for a criterion that is better by 4', () => {
      const values = drawn(ROUNDNESS, 150, 7);
      const { candidates } = choose(values, ABOVE_0);
      for (const { name, aicc } of candidates.filter(({ name }) => name !== 'normal')) {
        const { fit } = choose(values, { ...ABOVE_0, kept: name });
        expect(fit?.name).toBe(aicc < candidates[0]!.aicc + 4 ? name : candidates[0]!.name);
      }
    });
    it('changes the index by less than a percent when a value moves a little', () => {
      const values = valuesBetween(0.045, 0.0499);
      const before = choose(values);
      const moved = values.slice();
      // The smallest value moves towards the others until the test does not reject any more.
      const smallest = moved.indexOf(Math.min(...moved));
      while (andersonDarling(sortValues(moved.slice()))!.pValue < 0.05) moved[smallest]! -= 0.0002;
      const after = choose(moved, { kept: before.fit!.name });
      expect(after.fit?.name).toBe(before.fit?.name);
      const high = (fit: typeof before.fit) => fittedModel(fit!).quantile(0.99865) - fittedModel(fit!).quantile(0.5);
      expect(high(after.fit) / high(before.fit)).toBeCloseTo(1, 1);
    });
  });

  describe('with a coarse gauge', () => {
    const values = drawn(ROUNDNESS, 300, 3, 2);
    it('spreads values within their step, at the boundary above it', () => {
      const { sample } = choose(values, ABOVE_0);
      expect(sample.values.length).toBe(300);
      expect(sample.values[0]).toBeGreaterThan(0);
      expect(sample.values.filter((value) => value < 0.005)).toHaveLength(values.filter((value) => value === 0).length);
    });
    it('is nearly the model of the exact values', () => {
      const exact = choose(drawn(ROUNDNESS, 300, 3, 9), ABOVE_0);
      const coarse = choose(values, { ...ABOVE_0, request: 'weibull' });
      const wanted = exact.candidates.find(({ name }) => name === 'weibull')!;
      expect(fittedModel(coarse.fit!).quantile(0.99865) / fittedModel(wanted).quantile(0.99865)).toBeCloseTo(1, 1);
    });
    it('has the same answer again', () => expect(choose(values, ABOVE_0)).toEqual(choose(values.slice(), ABOVE_0)));
    it('says when the step is larger than the standard deviation', () => {
      const { notes } = choose(drawn(NORMAL, 100, 1, 1).map((value, i) => (i < 3 ? value + 0.1 : value)));
      expect(notes).toContain('The gauge is too coarse: its step is larger than the standard deviation.');
    });
  });
  it('counts a value at the boundary as half a step', () => {
    const { sample } = choose(Float64Array.of(...drawn(ROUNDNESS, 100), 0), ABOVE_0);
    expect(sample.values[0]).toBe(0.00005);
  });
  it('draws 20,000 of more values, evenly, and says so', () => {
    const many = Float64Array.from({ length: 60_000 }, (_, i) => i);
    const { sample, drawn: count, notes } = choose(many, { request: 'normal' });
    expect(count).toBe(20_000);
    expect(sample.count).toBe(20_000);
    expect(sample.values.every((value, i) => Math.floor(value / 3) === i)).toBe(true);
    expect(notes[0]).toBe('The model is fitted to 20000 of 60000 values, drawn evenly.');
  });

  it.each([
    ['no values', []],
    ['one value', [3]],
    ['equal values', new Array<number>(30).fill(3)],
    ['values at the boundary only', new Array<number>(30).fill(0)],
    ['missing values only', [NaN, NaN]],
  ])('has no model of %s', (_, numbers) => {
    for (const request of MODEL_REQUESTS) {
      expect(choose(Float64Array.from(numbers), { ...ABOVE_0, request }).fit).toBeUndefined();
    }
  });
  it('leaves out missing values', () => {
    const values = drawn(ROUNDNESS, 100);
    const withMissing = Float64Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? values[i / 2]! : NaN));
    expect(choose(withMissing, ABOVE_0).fit).toEqual(choose(values, ABOVE_0).fit);
  });
  it('has finite figures for any values and any request', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.integer({ min: 0, max: 20 }), fc.double({ noDefaultInfinity: true })), { minLength: 2, maxLength: 60 }),
        fc.constantFrom(...MODEL_REQUESTS),
        fc.constantFrom({}, { lowerBoundary: 0 }, { upperBoundary: 20 }, { lowerBoundary: 0, upperBoundary: 20 }),
        (numbers, request, limits) => {
          const { fit, goodness } = choose(Float64Array.from(numbers), { request, limits });
          if (!fit) return;
          const figures = [
            fit.aicc,
            fit.logLikelihood,
            ...Object.values<number>({ ...fit.parameters }),
            ...Object.values<number>({ ...goodness }),
          ];
          for (const figure of figures) expect(Number.isFinite(figure)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('refusalOfModel', () => {
  it.each(['gamma', 'foldedNormal', 'rayleigh'] as const)('refuses %s without a boundary', (request) => {
    expect(refusalOfModel(request, {})).toMatch(/^The .+ model needs a natural boundary\.$/);
    expect(refusalOfModel(request, { lowerBoundary: 0 })).toBeUndefined();
    expect(refusalOfModel(request, { upperBoundary: 1 })).toBeUndefined();
  });
  it.each(['auto', 'normal', 'lognormal', 'weibull', 'student', 'weibullMirrored'] as const)('allows %s', (request) => {
    expect(refusalOfModel(request, {})).toBeUndefined();
  });
});
