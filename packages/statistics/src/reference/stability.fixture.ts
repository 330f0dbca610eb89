/** The verdict of a second implementation: as the definition reads, with sums over all points for each cut. */
import type { RunRule } from '../charts/rule-settings.ts';
import { deviationOf, measured, meanOfAll, movingRanges, rangeOf, sigmaWithin, spreadLimits, type Values } from './charts.fixture.ts';
import { mean, sum } from './descriptive.fixture.ts';
import { binomialQuantile, chiSquareCdf, rangeSurvival, studentTwoSided } from './distributions.fixture.ts';
import { chanceOfRun, hits, runs } from './rules.fixture.ts';

/** Usual lengths of the rules of Nelson. */
const LENGTHS: Readonly<Partial<Record<RunRule, number>>> = {
  nelson1: 1,
  nelson2: 9,
  nelson3: 6,
  nelson4: 14,
  nelson5: 3,
  nelson6: 5,
  nelson7: 15,
  nelson8: 8,
};

interface Point {
  readonly index: number;
  /** Difference from the centre line in standard deviations of a value. */
  readonly z: number;
  readonly weight: number;
}

export interface ReferenceVerdict {
  readonly isFarLocation: boolean;
  readonly isFarVariation: boolean;
  readonly rules: readonly RunRule[];
  readonly isStep: boolean;
  /** The better fit of a step and a hinge. */
  readonly change: { readonly kind: 'step' | 'drift'; readonly index: number; readonly squares: number };
}

const weighted = (points: readonly Point[], of: (point: Point, i: number) => number) =>
  sum(points.map((point, i) => point.weight * of(point, i))) / sum(points.map(({ weight }) => weight));
const squaresAround = (points: readonly Point[]) =>
  sum(points.map(({ z, weight }) => weight * (z - weighted(points, (point) => point.z)) ** 2));

function stepsOf(points: readonly Point[]) {
  const clipped = points.map((point) => {
    const most = 4 / Math.sqrt(point.weight);
    return { ...point, z: Math.min(most, Math.max(-most, point.z)) };
  });
  const cuts = points.slice(3, points.length - 2).map((_, i) => i + 3);
  const steps = cuts.map((cut) => {
    const [before, behind] = [clipped.slice(0, cut), clipped.slice(cut)];
    const height = Math.abs(weighted(behind, ({ z }) => z) - weighted(before, ({ z }) => z));
    const error = Math.sqrt(1 / sum(before.map(({ weight }) => weight)) + 1 / sum(behind.map(({ weight }) => weight)));
    return {
      significance: height / error,
      height,
      index: points[cut]!.index,
      squares: squaresAround(points.slice(0, cut)) + squaresAround(points.slice(cut)),
    };
  });
  const largest = steps.reduce((a, b) => (b.significance > a.significance ? b : a));
  return { isStep: largest.significance > 4 && largest.height >= 1, best: steps.reduce((a, b) => (b.squares < a.squares ? b : a)) };
}

function hingeOf(points: readonly Point[]) {
  const hinges = points.slice(0, points.length - 2).map(({ index }, cut) => {
    const x = points.map((_, i) => Math.max(0, i - cut));
    const [mx, mz] = [weighted(points, (_, i) => x[i]!), weighted(points, ({ z }) => z)];
    const slope = weighted(points, ({ z }, i) => (x[i]! - mx) * (z - mz)) / weighted(points, (_, i) => (x[i]! - mx) ** 2);
    return { index, squares: sum(points.map(({ z, weight }, i) => weight * (z - mz - slope * (x[i]! - mx)) ** 2)) };
  });
  return hinges.reduce((a, b) => (b.squares < a.squares ? b : a));
}

/** The mean without the points farthest out: one, or three of 200 and more. */
function centerOf(points: readonly { readonly value: number; readonly weight: number }[]): number {
  const center = (some: typeof points) => sum(some.map(({ value, weight }) => weight * value)) / sum(some.map(({ weight }) => weight));
  let kept = points;
  for (let left = points.length >= 200 ? 3 : 1; left > 0; left--) {
    const from = center(kept);
    const farthest = kept.reduce((far, point) => (Math.abs(point.value - from) > Math.abs(far.value - from) ? point : far));
    kept = kept.filter((point) => point !== farthest);
  }
  return center(kept);
}

function brokenRules(deviations: readonly (number | undefined)[], rules: readonly RunRule[]): RunRule[] {
  const count = measured(deviations).length;
  return rules.filter((rule) => {
    const found = hits(deviations, rule, LENGTHS[rule]!);
    return (rule === 'nelson1' ? found.length : runs(found)) > binomialQuantile(1 - 0.02 / rules.length, count, chanceOf(rule));
  });
}

const chances = new Map<RunRule, number>();
function chanceOf(rule: RunRule): number {
  const chance = chances.get(rule) ?? chanceOfRun(rule, LENGTHS[rule]!);
  chances.set(rule, chance);
  return chance;
}

function changeOf(points: readonly Point[]): Pick<ReferenceVerdict, 'isStep' | 'change'> {
  const { isStep, best } = stepsOf(points);
  const hinge = hingeOf(points);
  const change = hinge.squares < best.squares ? { ...hinge, kind: 'drift' as const } : { ...best, kind: 'step' as const };
  return { isStep, change };
}

/** @param values at least 20 that are not missing */
export function verdictOfValues(values: Values, rules: readonly RunRule[]): ReferenceVerdict {
  const ranges = movingRanges(values);
  const most = 3.267 * mean(ranges);
  const sigma = mean(ranges.filter((range) => range <= most)) / 1.1005;
  const known = measured(values);
  const center = centerOf(known.map((value) => ({ value, weight: 1 })));
  const z = values.map((value) => (value === undefined ? undefined : (value - center) / sigma));
  const points = z.flatMap((one, index) => (one === undefined ? [] : [{ index, z: one, weight: 1 }]));
  const isFar = (distance: number) => studentTwoSided(distance, 0.62 * (known.length - 1)) < 0.02 / (known.length + ranges.length);
  return {
    isFarLocation: isFar(Math.max(...points.map((point) => Math.abs(point.z)))),
    isFarVariation: isFar(Math.max(...ranges) / sigma / Math.SQRT2),
    rules: brokenRules(z, rules),
    ...changeOf(points),
  };
}

/** f(n) of the degrees of freedom of mean standard deviations. */
const FREEDOM_FACTORS = [0, 0, 0.88, 0.92, 0.94, 0.95, 0.96, 0.96, 0.97, 0.97, 0.98];

/** @param groups at least 10 that are not empty, of at most 10 values */
export function verdictOfGroups(
  groups: readonly (readonly number[])[],
  type: 'xbarR' | 'xbarS',
  rules: readonly RunRule[],
): ReferenceVerdict {
  const sigma = sigmaWithin(groups, type === 'xbarR' ? 'rbar' : 'sbar');
  const freedom = sum(groups.map(({ length: n }) => (n < 2 ? 0 : (type === 'xbarR' ? 0.9 : FREEDOM_FACTORS[n]!) * (n - 1))));
  const filled = groups.flatMap((group, index) => (group.length === 0 ? [] : [{ index, value: meanOfAll([group]), weight: group.length }]));
  const center = centerOf(filled);
  const points = filled.map(({ index, value, weight }) => ({ index, z: (value - center) / sigma, weight }));
  const spreads = groups.flatMap((group) => {
    if (group.length < 2) return [];
    const size = group.length;
    return [{ size, spread: (type === 'xbarR' ? rangeOf(group) : deviationOf(group)) / sigma, limits: spreadLimits(type, size, 1) }];
  });
  const survival = (spread: number, size: number) =>
    type === 'xbarR' ? rangeSurvival(spread, size) : 1 - chiSquareCdf((size - 1) * spread ** 2, size - 1);
  const chance = 0.02 / (points.length + spreads.length);
  const beyond = spreads.filter(({ spread, limits: [lower, upper] }) => spread < lower || spread > upper).length;
  const sizes = [...new Set(spreads.map(({ size }) => size))];
  const rateOf = new Map(
    sizes.map((size) => {
      const [lower, upper] = spreadLimits(type, size, 1);
      return [size, survival(upper, size) + (lower > 0 ? 1 - survival(lower, size) : 0)];
    }),
  );
  const rates = spreads.map(({ size }) => rateOf.get(size)!);
  const isVariationBroken = rules.includes('nelson1') && beyond > binomialQuantile(1 - 0.02 / rules.length, spreads.length, mean(rates));
  const deviations = groups.map((_, index) => {
    const point = points.find((one) => one.index === index);
    return point && point.z * Math.sqrt(point.weight);
  });
  return {
    isFarLocation: studentTwoSided(Math.max(...measured(deviations).map(Math.abs)), freedom) < chance,
    isFarVariation: spreads.some(({ spread, size }) => survival(spread, size) < chance),
    rules: [...new Set([...brokenRules(deviations, rules), ...(isVariationBroken ? (['nelson1'] as const) : [])])],
    ...changeOf(points),
  };
}
