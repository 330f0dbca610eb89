import type { Moments } from '../descriptive/moments.ts';
import { chiSquareQuantile, gammaTail, normalCdf, normalQuantile } from '../distributions.ts';
import { findZero } from './optimization.ts';

/** Limits between, below or above which a share of all values lies, with a confidence; for normal values. */
export interface ToleranceInterval {
  readonly content: number;
  readonly confidence: number;
  readonly twoSided: { readonly factor: number; readonly lower: number; readonly upper: number };
  /** Each bound for itself: the share lies above `lower`, or below `upper`. */
  readonly oneSided: { readonly factor: number; readonly lower: number; readonly upper: number };
}

export const DEFAULT_CONTENT = 0.99;
export const DEFAULT_CONFIDENCE = 0.95;

/** Normal scores beyond which the integrals vanish. */
const SCORE_REACH = 7;

const MAX_STEP = 1e9;

/**
 * Computes mean ± factor · s for normal values (ISO 16269-6).
 * @param content 0 to 1, excluded: the share of all values
 * @param confidence 0 to 1, excluded
 * @returns undefined below two values, and where the spread is 0 or not defined
 */
export function toleranceInterval(
  moments: Pick<Moments, 'count' | 'mean' | 'standardDeviation'>,
  content = DEFAULT_CONTENT,
  confidence = DEFAULT_CONFIDENCE,
): ToleranceInterval | undefined {
  const { count, mean, standardDeviation } = moments;
  if (count < 2 || !standardDeviation) return undefined;
  const around = (factor: number) => ({ factor, lower: mean - factor * standardDeviation, upper: mean + factor * standardDeviation });
  const twoSided = around(twoSidedFactor(count, content, confidence));
  const oneSided = around(oneSidedFactor(count, content, confidence));
  const bounds = [twoSided.lower, twoSided.upper, oneSided.lower, oneSided.upper];
  return bounds.every(Number.isFinite) ? { content, confidence, twoSided, oneSided } : undefined;
}

/**
 * The factor k with P(a share `content` lies within mean ± k·s) = `confidence` (Wald and Wolfowitz 1946, without their approximation):
 * the mean over the error z/√n of the mean of P(χ² ≥ ν·r(z)²/k²), where r is the half width that contains the share.
 */
function twoSidedFactor(count: number, content: number, confidence: number): number {
  const degrees = count - 1;
  // The integrand is the same on both sides of 0.
  const points = integrationPoints(0, count);
  const halfWidths = points.map(({ score }) => halfWidthOf(content, score / Math.sqrt(count)));
  const excess = (factor: number) => meanOver(points, (i) => chiSquareAbove((halfWidths[i]! / factor) ** 2, degrees)) - confidence;
  // The approximation of Howe (1969) is close to the factor.
  return zeroNear(
    excess,
    normalQuantile((1 + content) / 2) * Math.sqrt(((1 + 1 / count) * degrees) / chiSquareQuantile(1 - confidence, degrees)),
  );
}

/** The factor k with P(a share `content` lies below mean + k·s) = `confidence`: the quantile of a noncentral t distribution by √n. */
function oneSidedFactor(count: number, content: number, confidence: number): number {
  const degrees = count - 1;
  const quantile = normalQuantile(content);
  const points = integrationPoints(-SCORE_REACH, count);
  const distances = points.map(({ score }) => quantile - score / Math.sqrt(count));
  const excess = (factor: number) =>
    meanOver(points, (i) => {
      const ratio = distances[i]! / factor;
      // A negative factor, of a small content or confidence, turns the comparison around.
      if (factor < 0) return ratio > 0 ? 1 - chiSquareAbove(ratio * ratio, degrees) : 0;
      return ratio > 0 ? chiSquareAbove(ratio * ratio, degrees) : 1;
    }) - confidence;
  const near = quantile + (normalQuantile(confidence) * Math.hypot(1, quantile / Math.SQRT2)) / Math.sqrt(count);
  return zeroNear(excess, near);
}

/** Finds the zero of a growing function in steps that double, from a value close to it. */
function zeroNear(f: (x: number) => number, near: number): number {
  const isBelow = f(near) < 0;
  let step = Math.max(Math.abs(near), 0.1) / 50;
  let to = isBelow ? near + step : near - step;
  while (f(to) < 0 === isBelow && step < MAX_STEP) {
    step *= 2;
    to = isBelow ? to + step : to - step;
  }
  return findZero(f, [near, to], 1e-11);
}

/** The half width r with Φ(shift + r) − Φ(shift − r) = `content`. */
function halfWidthOf(content: number, shift: number): number {
  const inside = (half: number) => normalCdf(half - shift) - normalCdf(-half - shift) - content;
  const central = normalQuantile((1 + content) / 2);
  return findZero(inside, [central, central + shift + 1], 1e-14);
}

/** P(χ²/ν ≥ ratio). */
function chiSquareAbove(ratio: number, degrees: number): number {
  return gammaTail((ratio * degrees) / 2, degrees / 2, 'upper');
}

interface IntegrationPoint {
  readonly score: number;
  readonly weight: number;
}

/**
 * Normal scores at equal distances, with the normal density as weights, which sum to 1.
 * Sums of smooth functions over them have the digits of a double; few values have functions that are less smooth.
 */
function integrationPoints(from: number, count: number): IntegrationPoint[] {
  const width = count < 5 ? 0.05 : count < 20 ? 0.1 : 0.2;
  const steps = Math.round((SCORE_REACH - from) / width);
  const points = Array.from({ length: steps + 1 }, (_, i) => {
    const score = from + i * width;
    return { score, weight: Math.exp((-score * score) / 2) * (i === 0 ? 0.5 : 1) };
  });
  const total = points.reduce((sum, { weight }) => sum + weight, 0);
  return points.map(({ score, weight }) => ({ score, weight: weight / total }));
}

function meanOver(points: readonly IntegrationPoint[], term: (index: number) => number): number {
  return points.reduce((sum, { weight }, i) => sum + weight * term(i), 0);
}
