import { describe, expect, it } from '@jest/globals';
import { randomNumbers } from '../random.fixture.ts';
import { countOf, mapMeasured } from './measured-values.ts';

const { normal, whole } = randomNumbers(3);

describe('mapMeasured', () => {
  const MANY = 30_000;
  it.each([
    ['few values', Float64Array.from({ length: 1000 }, normal)],
    ['many values of a gauge', Float64Array.from({ length: MANY }, () => 20 + whole(-300, 300) / 1000)],
    ['many computed values', Float64Array.from({ length: MANY }, normal)],
    ['a part of an array', Float64Array.from({ length: MANY }, normal).subarray(1)],
  ])('maps %s', (_, values) => {
    const some = values.map((value, i) => (i % 7 === 0 ? NaN : value));
    expect(mapMeasured(some, (value) => 3 * value + 1)).toEqual(some.map((value) => 3 * value + 1));
  });
  it('maps each value of a gauge about once', () => {
    const values = Float64Array.from({ length: MANY }, () => 20 + whole(-300, 300) / 1000);
    let calls = 0;
    mapMeasured(values, () => ++calls);
    expect(calls).toBeLessThan(MANY / 20);
  });
  it('does not ask for missing values', () => {
    const map = (value: number) => {
      if (Number.isNaN(value)) throw new Error('The value is missing.');
      return value;
    };
    expect(mapMeasured(new Float64Array(30_000).fill(NaN), map)[5]).toBeNaN();
    expect(mapMeasured(Float64Array.of(NaN), map)[0]).toBeNaN();
  });
});

it('countOf leaves out missing values', () => expect(countOf(Float64Array.of(1, NaN, 0, NaN))).toBe(2));
