/** Run rules of a second implementation: each looks at the last `length` points as the rule reads. */
import type { RunRule } from '../charts/rule-settings.ts';
import { normalCdf } from './distributions.fixture.ts';

/** Points in standard deviations from the centre line; undefined for a missing one. */
type Window = readonly (number | undefined)[];
const isBeyond = (side: number, distance: number) => (z: number | undefined) => z !== undefined && z * side > distance;
const steps = (window: Window) => window.slice(1).map((z, i) => Math.sign(z! - window[i]!));

type Pattern = (window: Window, last: number) => boolean;
const mostBeyond =
  (distance: number): Pattern =>
  (window, last) => {
    // A missing point ends a run: only points behind it count.
    const known = window.slice(window.lastIndexOf(undefined) + 1);
    const side = Math.sign(last);
    return isBeyond(side, distance)(last) && known.filter(isBeyond(side, distance)).length >= window.length - 1;
  };
const isWhole = (window: Window) => !window.includes(undefined);

const PATTERNS: Readonly<Record<number, Pattern>> = {
  1: (_, last) => Math.abs(last) > 3,
  2: (window) => [1, -1].some((side) => window.every(isBeyond(side, 0))),
  3: (window) => isWhole(window) && [1, -1].some((side) => steps(window).every((step) => step === side)),
  4: (window) => isWhole(window) && steps(window).every((step, i, all) => step !== 0 && (i === 0 || step === -all[i - 1]!)),
  5: mostBeyond(2),
  6: mostBeyond(1),
  7: (window) => window.every((z) => z !== undefined && Math.abs(z) < 1),
  8: (window) => window.every((z) => z !== undefined && Math.abs(z) > 1) && window.some(isBeyond(1, 0)) && window.some(isBeyond(-1, 0)),
};

const NUMBERS: Readonly<Partial<Record<RunRule, number>>> = {
  westernElectric1: 1,
  westernElectric2: 5,
  westernElectric3: 6,
  westernElectric4: 2,
};
const numberOf = (rule: RunRule) => NUMBERS[rule] ?? Number(rule.replace('nelson', ''));

/** Indices of the points that meet a rule. */
export function hits(points: Window, rule: RunRule, length: number): number[] {
  const number = numberOf(rule);
  return points.flatMap((last, i) => {
    if (last === undefined) return [];
    const isFull = i + 1 >= length;
    // "Two of three" may be met by the first two points.
    const window = isFull
      ? points.slice(i + 1 - length, i + 1)
      : [...Array<undefined>(length - i - 1).fill(undefined), ...points.slice(0, i + 1)];
    return PATTERNS[number]!(window, last) ? [i] : [];
  });
}

/** Hits that do not follow another one. */
export const runs = (indices: readonly number[]) => indices.filter((index) => !indices.includes(index - 1)).length;

/** How often chance begins a run of the usual length, per point: all sequences of zones, or of orders, of one point more. */
export function chanceOfRun(rule: RunRule, length: number): number {
  const number = numberOf(rule);
  const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));
  if (number === 1) return 2 * normalCdf(-3);
  if (number === 3) return 2 * (1 / factorial(length) - 1 / factorial(length + 1));
  if (number === 4) return 2 * (alternatingOrders(length) / factorial(length) - alternatingOrders(length + 1) / factorial(length + 1));
  // Zones that the rule tells apart, with a point within each.
  const edges = number === 2 ? [0] : number === 5 ? [-2, 2] : [-1, 1];
  const zones = [-Infinity, ...edges].map((from, i) => {
    const to = edges[i] ?? Infinity;
    const point = from === -Infinity ? to - 1 : to === Infinity ? from + 1 : 0;
    return { point, share: (to === Infinity ? 1 : normalCdf(to)) - (from === -Infinity ? 0 : normalCdf(from)) };
  });
  let chance = 0;
  const extend = (points: readonly number[], share: number): void => {
    if (points.length <= length) for (const zone of zones) extend([...points, zone.point], share * zone.share);
    else {
      const met = hits(points, rule, length);
      if (met.includes(length) && !met.includes(length - 1)) chance += share;
    }
  };
  if (number !== 7) extend([], 1);
  else chance = zones[1]!.share ** length * (1 - zones[1]!.share);
  return chance;
}

/** The number of orders that go up and down in turn, beginning upwards (Entringer 1966). */
function alternatingOrders(n: number): number {
  let row = [1];
  for (let i = 1; i < n + 1; i++) {
    const next = [0];
    for (const value of [...row].reverse()) next.push(next.at(-1)! + value);
    row = next;
  }
  return row.at(-1)!;
}
