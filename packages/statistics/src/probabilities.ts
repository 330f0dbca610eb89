/** Tail probabilities of distributions, from the incomplete beta and gamma functions of stdlib; exact also where they are tiny. */
import { chiSquareQuantile, gammaTail, normalCdf } from './distributions.ts';
import { libraries } from './libraries.ts';

/** I_x(a, b), the regularised incomplete beta function. */
function betaCdf(x: number, a: number, b: number): number {
  return libraries().betainc(x, a, b);
}

/** P(|T| ≥ |t|) of Student's t; Φ for infinitely many degrees of freedom. */
export function studentTwoSided(t: number, degreesOfFreedom: number): number {
  if (!Number.isFinite(t)) return 0;
  if (degreesOfFreedom > 1e7) return 2 * normalCdf(-Math.abs(t));
  return betaCdf(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5);
}

/** P(F ≥ f) of the F distribution. */
export function fSurvival(f: number, numerator: number, denominator: number): number {
  if (!(f > 0)) return 1;
  return Number.isFinite(f) ? betaCdf(denominator / (denominator + numerator * f), denominator / 2, numerator / 2) : 0;
}

/** P(X ≥ x) of χ². */
export function chiSquareSurvival(x: number, degreesOfFreedom: number): number {
  if (!(x > 0)) return 1;
  return Number.isFinite(x) ? gammaTail(x / 2, degreesOfFreedom / 2, 'upper') : 0;
}

/** P(X ≤ x) of χ². */
export function chiSquareCdf(x: number, degreesOfFreedom: number): number {
  if (!(x > 0)) return 0;
  return Number.isFinite(x) ? gammaTail(x / 2, degreesOfFreedom / 2, 'lower') : 1;
}

/** Probabilities of a count at most, and at least, as large as `count`. */
export interface CountTails {
  readonly lower: number;
  readonly upper: number;
}

/** P(X ≤ count) and P(X ≥ count) of the binomial distribution. @param count 0 to `trials` */
export function binomialTails(count: number, trials: number, chance: number): CountTails {
  return {
    lower: count >= trials || chance <= 0 ? 1 : chance >= 1 ? 0 : betaCdf(1 - chance, trials - count, count + 1),
    upper: count <= 0 || chance >= 1 ? 1 : chance <= 0 ? 0 : betaCdf(chance, count, trials - count + 1),
  };
}

/** P(X ≤ count) and P(X ≥ count) of the Poisson distribution. */
export function poissonTails(count: number, mean: number): CountTails {
  if (!(mean > 0)) return { lower: 1, upper: count <= 0 ? 1 : 0 };
  return { lower: gammaTail(mean, count + 1, 'upper'), upper: count <= 0 ? 1 : gammaTail(mean, count, 'lower') };
}

/** The exact interval of a share (Clopper and Pearson 1934). */
export function binomialInterval(count: number, trials: number, confidence: number): [number, number] {
  const alpha = (1 - confidence) / 2;
  return [
    count <= 0 ? 0 : betaQuantile(alpha, count, trials - count + 1),
    count >= trials ? 1 : betaQuantile(1 - alpha, count + 1, trials - count),
  ];
}

/** The exact interval of the mean of a Poisson distribution of which `count` was seen (Garwood 1936). */
export function poissonInterval(count: number, confidence: number): [number, number] {
  const alpha = (1 - confidence) / 2;
  return [count <= 0 ? 0 : chiSquareQuantile(alpha, 2 * count) / 2, chiSquareQuantile(1 - alpha, 2 * count + 2) / 2];
}

/** Halves the interval until its ends are neighbouring doubles. */
function betaQuantile(probability: number, a: number, b: number): number {
  let [low, high] = [0, 1];
  for (let i = 0; i < 1100; i++) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    if (betaCdf(middle, a, b) < probability) low = middle;
    else high = middle;
  }
  return high;
}

/** The points of a sum over the normal distribution: its first, its last, and their distance. The error is below 1e-13. */
const RANGE_FROM = -14;
const RANGE_TO = 8;
const RANGE_STEP = 1 / 8;

/**
 * P(R ≥ range) of the range of `size` standard normal values: n ∫ φ(x) (Q(x)ⁿ⁻¹ − (Q(x) − Q(x + range))ⁿ⁻¹) dx with Q = 1 − Φ.
 * @param size at least 2
 */
export function rangeSurvival(range: number, size: number): number {
  if (!(range > 0)) return 1;
  let sum = 0;
  for (let x = RANGE_FROM; x <= RANGE_TO; x += RANGE_STEP) {
    const above = normalCdf(-x);
    const share = normalCdf(-x - range) / above;
    sum += Math.exp(-(x * x) / 2) * above ** (size - 1) * -Math.expm1((size - 1) * Math.log1p(-share));
  }
  return Math.min(1, (size * sum * RANGE_STEP) / Math.sqrt(2 * Math.PI));
}
