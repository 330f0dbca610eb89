import type { Limits } from '../drawing/tolerance-scale.ts';

/** Most digits after the decimal sign that a figure is shown with. */
export const MAX_DECIMALS = 10;
/** Digits of a figure that has neither decimal places of its own nor a tolerance. */
const SIGNIFICANT = 4;
/** Shown parts of a tolerance: smaller ones do not matter for what it judges. */
const PARTS_OF_TOLERANCE = 100;

export interface Measured {
  limits: Limits;
  /** Values and limits as numbers or as they were written. */
  values: readonly (string | number | undefined)[];
  /** Text of the attribute K2022 of the characteristic, its decimal places. */
  places?: string | undefined;
}

/**
 * Digits after the decimal sign of all figures of a characteristic: those of K2022, else a hundredth of the tolerance, else four
 * significant digits. Without K2022 never more than its values and limits were written with.
 */
export function shownDecimals({ limits, values, places }: Measured): number {
  const given = places === undefined || places.trim() === '' ? Number.NaN : Number(places);
  if (Number.isInteger(given) && given >= 0) return Math.min(given, MAX_DECIMALS);
  const written = decimalsOf([...values, ...Object.values(limits)]);
  const tolerance = toleranceOf(limits);
  const wanted = tolerance === undefined ? significantDecimals(values) : decimalsFor(tolerance / PARTS_OF_TOLERANCE);
  return Math.min(written, wanted);
}

/** Width of the tolerance; of a limit on one side only, its distance from nominal. */
function toleranceOf(limits: Limits): number | undefined {
  const lower = limits.lowerTolerance ?? limits.lowerBoundary ?? limits.nominal;
  const upper = limits.upperTolerance ?? limits.upperBoundary ?? limits.nominal;
  if (lower === undefined || upper === undefined) return undefined;
  return upper > lower ? upper - lower : undefined;
}

/** Digits that show four significant ones of the largest value, and at least two of the spread of all. */
function significantDecimals(values: readonly (string | number | undefined)[]): number {
  const numbers = values
    .filter((value) => value !== undefined && value !== '')
    .map(Number)
    .filter(Number.isFinite);
  if (numbers.length === 0) return 0;
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const largest = Math.max(Math.abs(least), Math.abs(most));
  const ofSize = largest === 0 ? 0 : SIGNIFICANT - 1 - Math.floor(Math.log10(largest));
  return Math.max(0, ofSize, most > least ? decimalsFor((most - least) / 10) : 0);
}

/** Digits after the decimal sign that show a step of this size. */
function decimalsFor(step: number): number {
  // A thousandth that was computed is a little larger or smaller.
  return Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
}

/** Digits after the decimal sign with which all of these texts or numbers can be shown as they were measured. */
export function decimalsOf(values: readonly (string | number | undefined)[]): number {
  const counts = values.map((value) => (value === undefined ? 0 : decimalsIn(String(value))));
  return Math.min(Math.max(0, ...counts), MAX_DECIMALS);
}

function decimalsIn(text: string): number {
  const [, fraction = '', exponent = '0'] = /^\s*[+-]?\d*(?:\.(\d*))?(?:e([+-]?\d+))?\s*$/i.exec(text) ?? [];
  return Math.max(0, fraction.length - Number(exponent));
}
