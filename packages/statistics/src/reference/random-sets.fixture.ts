import { size } from '@sinebar/testing/size';
import type { RandomNumbers } from '../random.fixture.ts';

/** Number of random data sets that are compared with the second implementation. */
export const SETS = size({ short: 40, long: 300 });

/** Values of any unit, some of a coarse gauge, some skewed, some with one far out. */
export function randomValues({ normal, uniform, whole }: RandomNumbers, count: number): number[] {
  const [origin, unit] = [10 ** whole(0, 5), 10 ** whole(-3, 2)];
  const isSkewed = uniform() < 0.3;
  const step = uniform() < 0.3 ? unit / whole(2, 20) : undefined;
  const values = Array.from({ length: count }, () => {
    const value = origin + unit * (isSkewed ? -Math.log(uniform()) : normal());
    return step === undefined ? value : Math.round(value / step) * step;
  });
  if (uniform() < 0.2) values[whole(0, count - 1)] = origin + 8 * unit;
  return values;
}

/** Leaves out one of seven. */
export function withMissing({ uniform }: RandomNumbers, values: readonly number[]): (number | undefined)[] {
  return values.map((value) => (uniform() < 1 / 7 ? undefined : value));
}

/** As this package takes values: NaN for a missing one. */
export const numbersOf = (values: readonly (number | undefined)[]) => Float64Array.from(values, (value) => value ?? NaN);
