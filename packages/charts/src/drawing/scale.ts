/** Maps values to pixels along one direction. */
export interface Scale {
  readonly from: number;
  readonly to: number;
  (value: number): number;
  /** The value at a pixel. */
  invert: (pixel: number) => number;
}

/** Makes a linear scale from the values `from` to `to` onto the pixels `start` to `end`. */
export function linearScale([from, to]: readonly [number, number], [start, end]: readonly [number, number]): Scale {
  const span = to - from || 1;
  const pixel = (value: number) => start + ((value - from) / span) * (end - start);
  const invert = (at: number) => from + ((at - start) / (end - start || 1)) * span;
  return Object.assign(pixel, { from, to, invert });
}

/** Round numbers between two values, at a distance of 1, 2 or 5 times a power of ten. */
export interface Ticks {
  readonly values: readonly number[];
  /** Decimal places that tell the ticks apart. */
  readonly decimals: number;
}

/** Finds at most `most` ticks from `from` to `to`; at least `leastStep` apart. */
export function ticksOf(from: number, to: number, most: number, leastStep = 0): Ticks {
  const span = to - from;
  if (!(span > 0) || !Number.isFinite(span) || most < 1) return { values: Number.isFinite(from) ? [from] : [], decimals: 0 };
  const { step, exponent } = roundStep(Math.max(span / most, leastStep));
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  const decimals = Math.max(0, -exponent);
  const values = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => rounded((first + i) * step, decimals));
  return { values, decimals };
}

function roundStep(least: number): { step: number; exponent: number } {
  const exponent = Math.floor(Math.log10(least));
  for (const factor of [1, 2, 5]) {
    const step = factor * 10 ** exponent;
    if (step >= least * (1 - 1e-9)) return { step, exponent };
  }
  return { step: 10 ** (exponent + 1), exponent: exponent + 1 };
}

/** Removes the error of a multiplication; zero has no sign. */
function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(Math.min(decimals, 20))) + 0;
}
