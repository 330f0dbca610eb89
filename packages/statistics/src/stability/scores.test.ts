import { describe, expect, it } from '@jest/globals';
import { normalQuantile } from '../distributions.ts';
import type { FittedModel } from '../models/fitted-model.ts';
import { verdictScores, withoutFarthest } from './scores.ts';

const list = (...values: number[]) => Float64Array.from(values);

/** Exponential values above a threshold, which is the smallest one; both parameters by maximum likelihood. */
function exponential(values: Float64Array): FittedModel {
  const measured = values.filter((value) => !Number.isNaN(value));
  const threshold = Math.min(...measured) - 0.01;
  const scale = measured.reduce((sum, value) => sum + value - threshold, 0) / measured.length;
  const survival = (value: number) => (value > threshold ? Math.exp(-(value - threshold) / scale) : 1);
  return {
    name: 'weibull',
    parameters: { shape: 1, scale, threshold },
    cdf: (value) => 1 - survival(value),
    survival,
    score: (value) => (value > threshold ? -normalQuantile(survival(value)) : -1e6),
    quantile: (probability) => threshold - scale * Math.log(1 - probability),
    valueAt: () => NaN,
  };
}

describe('withoutFarthest', () => {
  const distance = (value: number) => Math.abs(value);
  it('leaves out the value farthest out, on either side', () => {
    expect(withoutFarthest(list(1, -9, 3, 8), distance)).toEqual(list(1, 3, 8));
    expect(withoutFarthest(list(1, -7, 3, 8), distance)).toEqual(list(1, -7, 3));
  });
  it('leaves out three of 200', () => {
    const values = Float64Array.from({ length: 200 }, (_, i) => (i === 3 ? -9 : i === 70 ? 8 : i === 199 ? 7 : i / 200));
    expect(withoutFarthest(values, distance)).toEqual(values.filter((_, i) => ![3, 70, 199].includes(i)));
  });
  it('leaves out one of 199', () => expect(withoutFarthest(new Float64Array(199), distance)).toHaveLength(198));
  it('skips missing values', () => expect(withoutFarthest(list(NaN, 1, 5, NaN, 2), distance)).toEqual(list(1, 2)));
  it('keeps a single value', () => expect(withoutFarthest(list(5), distance)).toEqual(list(5)));
});

describe('verdictScores', () => {
  const values = Float64Array.from({ length: 100 }, (_, i) => -Math.log(1 - (i + 0.5) / 100));

  it('do not let a value hide itself', () => {
    const far = values.with(50, 25);
    const all = exponential(far);
    const scores = verdictScores(far, all, { fit: exponential });
    expect(scores[50]).toBeGreaterThan(6);
    expect(scores[50]).toBeGreaterThan(all.score(25) + 0.5);
  });
  it('are those of a fit without the farthest value', () => {
    const far = values.with(50, 25);
    const refitted = exponential(far.filter((value) => value !== 25));
    expect(verdictScores(far, exponential(far), { fit: exponential })).toEqual(far.map((value) => refitted.score(value)));
  });
  it('are the smaller ones of both fits on the side of an estimated threshold', () => {
    // The smallest value is the farthest one, and lies below the threshold of the fit without it.
    const low = values.with(0, -3);
    const all = exponential(low);
    expect(verdictScores(low, all, { fit: exponential })[0]).toBe(-1e6);
    const scores = verdictScores(low, all, { fit: exponential, estimatedThreshold: 'below' });
    expect(scores[0]).toBe(all.score(-3));
    expect(scores.every((score, i) => score >= 0 || Math.abs(score) <= Math.abs(all.score(low[i]!)) + 1e-12)).toBe(true);
  });
  it('are missing where values are', () =>
    expect(verdictScores(values.with(3, NaN), exponential(values), { fit: exponential })[3]).toBeNaN());
  it('are those of the model where no other fit is found', () => {
    const model = exponential(values);
    expect(verdictScores(values, model, { fit: () => undefined })).toEqual(values.map((value) => model.score(value)));
  });
});
