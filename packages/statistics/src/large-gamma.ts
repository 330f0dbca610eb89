/**
 * Tails of gamma distributions of a large shape, by the uniform expansion of Temme (1979) with the coefficients of DiDonato and Morris
 * (1986). `@stdlib/math-base-special-gammainc` stops its sum too early where the value exceeds 1,000 and is close to the shape, and
 * misses by up to 2 %.
 */

export const MIN_LARGE_SHAPE = 500;

/** The expansion holds where the square of its argument is about twice ln(value / shape) − value / shape + 1. */
const MAX_ARGUMENT = 0.5;

/** Coefficients of the powers of the argument, for each power of 1 / shape. */
const COEFFICIENTS: readonly (readonly number[])[] = [
  [-1 / 3, 1 / 12, -2 / 135, 1 / 864, 1 / 2835, -139 / 777_600, 3.91926317852244e-5, -2.18544851067999e-6, -1.85406221071516e-6],
  [-1 / 540, -1 / 288, 1 / 378, -9.9022633744856e-4, 2.05761316872428e-4, -4.01877572016461e-7],
  [4.13359788359788e-3, -2.68132716049383e-3, 7.71604938271605e-4],
];

/** P(X > x) = 1 − Φ(score) + correction, and P(X < x) = Φ(score) − correction, of the gamma distribution with scale 1. */
export interface LargeShapeTails {
  readonly score: number;
  readonly correction: number;
}

/** @returns undefined where the shape is not large, or the value is not near it */
export function largeShapeTails(x: number, shape: number): LargeShapeTails | undefined {
  if (!(shape >= MIN_LARGE_SHAPE)) return undefined;
  const distance = (x - shape) / shape;
  const argument = Math.sign(distance) * Math.sqrt(2 * Math.max(0, distance - Math.log1p(distance)));
  if (!(Math.abs(argument) <= MAX_ARGUMENT)) return undefined;
  let sum = 0;
  for (const powers of COEFFICIENTS.toReversed()) {
    sum = powers.reduceRight((value, coefficient) => value * argument + coefficient, 0) + sum / shape;
  }
  const density = Math.exp((-shape * argument * argument) / 2) / Math.sqrt(2 * Math.PI * shape);
  return { score: argument * Math.sqrt(shape), correction: density * sum };
}
