/** Distributions of a second implementation: sums and halved intervals, slow and without any cleverness. */

const sum = (terms: readonly number[]) => terms.reduce((total, term) => total + term, 0);

/** The argument at which a growing function reaches a value, between two ends. */
export function invert(f: (x: number) => number, value: number, low: number, high: number): number {
  let [from, to] = [low, high];
  for (let i = 0; i < 200; i++) {
    const middle = (from + to) / 2;
    if (f(middle) < value) from = middle;
    else to = middle;
  }
  return (from + to) / 2;
}

/** 1 − Φ(z): a series near 0, a continued fraction far from it. */
export function normalSurvival(z: number): number {
  if (z < 0) return 1 - normalSurvival(-z);
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z > 4) {
    let fraction = z;
    for (let k = 200; k > 0; k--) fraction = z + k / fraction;
    return density / fraction;
  }
  let [term, series] = [z, z];
  for (let k = 1; term > 1e-18 * series; k++) {
    term *= (z * z) / (2 * k + 1);
    series += term;
  }
  return 0.5 - density * series;
}

export const normalCdf = (z: number) => normalSurvival(-z);

export function normalQuantile(probability: number): number {
  if (probability > 0.5) return -normalQuantile(1 - probability);
  return invert(normalCdf, probability, -40, 0);
}

/** ln Γ(x) by Stirling's series, after the recurrence has made x large. */
export function logGamma(x: number): number {
  let [shifted, logs] = [x, 0];
  for (; shifted < 30; shifted++) logs += Math.log(shifted);
  const series = 1 / (12 * shifted) - 1 / (360 * shifted ** 3) + 1 / (1260 * shifted ** 5);
  return (shifted - 0.5) * Math.log(shifted) - shifted + 0.5 * Math.log(2 * Math.PI) + series - logs;
}

/** P(X ≤ x) of the gamma distribution with scale 1, by its series. */
export function gammaCdf(x: number, shape: number): number {
  if (x <= 0) return 0;
  let [term, series] = [1 / shape, 1 / shape];
  for (let k = 1; term > 1e-17 * series; k++) {
    term *= x / (shape + k);
    series += term;
  }
  return Math.min(1, series * Math.exp(shape * Math.log(x) - x - logGamma(shape)));
}

export const chiSquareCdf = (x: number, freedom: number) => gammaCdf(x / 2, freedom / 2);
export const chiSquareQuantile = (probability: number, freedom: number) =>
  invert((x) => chiSquareCdf(x, freedom), probability, 0, 20 * freedom + 200);

/** I_x(a, b), by its series on the side of the smaller tail. */
function betaCdf(x: number, a: number, b: number): number {
  if (x > (a + 1) / (a + b + 2)) return 1 - betaCdf(1 - x, b, a);
  let [term, series] = [1, 1];
  for (let k = 0; term > 1e-17 * series; k++) {
    term *= ((a + b + k) / (a + 1 + k)) * x;
    series += term;
  }
  return (series / a) * Math.exp(a * Math.log(x) + b * Math.log(1 - x) + logGamma(a + b) - logGamma(a) - logGamma(b));
}

export const fSurvival = (f: number, numerator: number, denominator: number) =>
  betaCdf(denominator / (denominator + numerator * f), denominator / 2, numerator / 2);
export const studentTwoSided = (t: number, freedom: number) => betaCdf(freedom / (freedom + t * t), freedom / 2, 0.5);

/** P(X = k) for all k, each from the one before, of the binomial distribution. */
export function binomialShares(trials: number, chance: number): number[] {
  if (chance >= 1) return [...Array<number>(trials).fill(0), 1];
  const shares = [(1 - chance) ** trials];
  for (let k = 0; k < trials; k++) shares.push(shares[k]! * ((trials - k) / (k + 1)) * (chance / (1 - chance)));
  return shares;
}

/** The same of the Poisson distribution, as far as it counts. */
export function poissonShares(mean: number): number[] {
  const shares = [Math.exp(-mean)];
  for (let k = 0; k < mean + 40 * Math.sqrt(mean) + 60; k++) shares.push((shares[k]! * mean) / (k + 1));
  return shares;
}

/** The smallest k with P(X ≤ k) ≥ probability. */
export function binomialQuantile(probability: number, trials: number, chance: number): number {
  let below = 0;
  return binomialShares(trials, chance).findIndex((share) => (below += share) >= probability);
}

/** P(R > range) of the range of `size` normal values, by Simpson's rule: all are between some x and x + range. */
export function rangeSurvival(range: number, size: number): number {
  const width = 0.05;
  const terms = Array.from({ length: 361 }, (_, i) => {
    const x = -9 + i * width;
    const inside = normalCdf(x + range) - normalCdf(x);
    return (i % 2 ? 4 : 2) * Math.exp((-x * x) / 2) * inside ** (size - 1);
  });
  return 1 - (size * (width / 3) * sum(terms)) / Math.sqrt(2 * Math.PI);
}
