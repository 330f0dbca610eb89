import { describe, expect, it } from '@jest/globals';
import { momentsOf } from '../descriptive/moments.ts';
import { isOutdated } from './kept-model.ts';
import { chooseModel, keptModelOf } from './model-choice.ts';
import { fittedModel } from './model-functions.ts';

const WEIBULL = fittedModel({ name: 'weibull', parameters: { shape: 1.5, scale: 0.05, threshold: 0 } });
const drawn = (count: number, offset = 10) =>
  Float64Array.from({ length: count }, (_, i) => offset + WEIBULL.quantile((((i * 37) % count) + 0.5) / count));
const choose = (values: Float64Array, limits = {}) => chooseModel({ values, limits, request: 'auto' });
const kept = (values: Float64Array, limits = {}) => keptModelOf(choose(values, limits), values.length);
const moments = (values: Float64Array) => momentsOf(values)!;

describe('a kept model', () => {
  const model = kept(drawn(200));

  it('is outdated after a tenth more or fewer values', () => {
    const outdated = [180, 181, 200, 219, 220].map((count) => isOutdated(model, { ...moments(drawn(200)), count }));
    expect(outdated).toEqual([true, false, false, false, true]);
  });
  it('is outdated after each of few values', () => {
    expect(isOutdated(kept(drawn(20)), moments(drawn(20)))).toBe(false);
    expect(isOutdated(kept(drawn(20)), { ...moments(drawn(20)), count: 21 })).toBe(true);
  });
  it('is outdated by a value that it excludes', () => {
    const { threshold } = model.fit!.parameters;
    expect(isOutdated(model, { ...moments(drawn(200)), minimum: threshold! - 0.001 })).toBe(true);
  });
  it('is not outdated by a value at its natural boundary, but by one beyond it', () => {
    const bounded = kept(drawn(200, 0), { lowerBoundary: 0 });
    expect(isOutdated(bounded, { ...moments(drawn(200, 0)), minimum: 0 })).toBe(false);
    expect(isOutdated(bounded, { ...moments(drawn(200, 0)), minimum: -0.001 })).toBe(true);
  });
  it('is outdated without a fit', () => {
    const equal = new Float64Array(30).fill(7);
    expect(isOutdated(kept(equal), moments(equal))).toBe(true);
  });

  it('is taken with its candidates and notes, whatever the values', () => {
    const values = drawn(210);
    const { fit, candidates, isCompared, notes } = chooseModel({ values, limits: {}, request: 'auto', chosen: model });
    expect({ fit, candidates, isCompared, notes }).toEqual({
      fit: model.fit,
      candidates: model.candidates,
      isCompared: true,
      notes: model.notes,
    });
    expect(choose(values).fit?.parameters).not.toEqual(model.fit?.parameters);
  });
  it('is compared with the values again', () => {
    const halves = Float64Array.of(...drawn(100), ...drawn(100, 11));
    const { isRejected, notes } = chooseModel({ values: halves, limits: {}, request: 'auto', chosen: model });
    expect(isRejected).toBe(true);
    expect(notes).toEqual(['No model fits these values: the indices are those of the nearest one.']);
    expect(kept(halves).notes).toEqual([]);
  });
});
