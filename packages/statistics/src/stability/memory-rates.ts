import type { CusumSettings, EwmaSettings } from '../charts/memory-charts.ts';
import { normalCdf } from '../distributions.ts';

/** Number of states that stand for the values of a chart between its limits. */
const STATES = 101;

/** Rates of the settings that were used; they are few, and a rate takes a million multiplications. */
const rates = new Map<string, number>();
const MAX_RATES = 100;

function remembered(key: string, compute: () => number): number {
  let rate = rates.get(key);
  if (rate !== undefined) return rate;
  if (rates.size >= MAX_RATES) rates.clear();
  rate = compute();
  rates.set(key, rate);
  return rate;
}

/**
 * Signals of a stable normal process per point of an EWMA chart: the inverse of the mean number of points up to a signal.
 * Brook and Evans (1972), for limits that have settled: 1/560 for λ = 0.2 and three standard deviations.
 */
export function ewmaSignalRate(settings: EwmaSettings): number {
  return remembered(`ewma ${settings.lambda} ${settings.width}`, () => computeEwmaRate(settings));
}

function computeEwmaRate({ lambda, width }: EwmaSettings): number {
  const limit = width * Math.sqrt(lambda / (2 - lambda));
  const step = (2 * limit) / STATES;
  const middle = (state: number) => -limit + (state + 0.5) * step;
  const reach = (from: number, edge: number) => normalCdf((edge - (1 - lambda) * from) / lambda);
  const transition = (from: number, to: number) => reach(middle(from), middle(to) + step / 2) - reach(middle(from), middle(to) - step / 2);
  return 1 / meanRunLengths(transition)[(STATES - 1) / 2]!;
}

/** Computes the rate of signals of both sums of a CUSUM chart, as {@link ewmaSignalRate}: 1/168 for k = 0.5 and h = 4. */
export function cusumSignalRate(settings: CusumSettings): number {
  return remembered(`cusum ${settings.k} ${settings.h}`, () => computeCusumRate(settings));
}

function computeCusumRate({ k, h }: CusumSettings): number {
  // The first state stands for 0 and is half as wide as the others.
  const width = (2 * h) / (2 * STATES - 1);
  const transition = (from: number, to: number) => {
    const start = from * width - k;
    const upper = normalCdf(to * width + width / 2 - start);
    return to === 0 ? upper : upper - normalCdf(to * width - width / 2 - start);
  };
  return 2 / meanRunLengths(transition)[0]!;
}

/** Solves (I − Q)·L = 1: the mean number of points up to a signal, by the state from which they start. */
function meanRunLengths(transition: (from: number, to: number) => number): Float64Array {
  const rows = Array.from({ length: STATES }, (_, from) =>
    Float64Array.from({ length: STATES + 1 }, (__, to) => (to === STATES ? 1 : (from === to ? 1 : 0) - transition(from, to))),
  );
  // The matrix is diagonally dominant, so no rows need to be exchanged.
  for (let pivot = 0; pivot < STATES; pivot++) {
    const row = rows[pivot]!;
    for (let other = 0; other < STATES; other++) {
      const factor = other === pivot ? 0 : rows[other]![pivot]! / row[pivot]!;
      if (factor === 0) continue;
      for (let column = pivot; column <= STATES; column++) rows[other]![column]! -= factor * row[column]!;
    }
  }
  return Float64Array.from(rows, (row, i) => row[STATES]! / row[i]!);
}
