import type { Formats } from '@sinebar/charts';
import type { Limits } from './limits';

/**
 * Tolerance in the shortest form: `±0.050` where both sides are alike, `−0.1 … +0.2` from nominal, `≤ 0.080` with one side only.
 * A side without room is `0`.
 */
export function toleranceText(limits: Limits, decimals: number, formats: Formats): string {
  const { nominal } = limits;
  const lower = limits.lowerTolerance ?? limits.lowerBoundary;
  const upper = limits.upperTolerance ?? limits.upperBoundary;
  const number = (value: number) => formats.number(value, decimals);
  if (lower === undefined && upper === undefined) return '';
  if (lower === undefined) return `≤\u00A0${number(upper ?? 0)}`;
  if (upper === undefined) return `≥\u00A0${number(lower)}`;
  if (nominal === undefined) return `${number(lower)}\u00A0…\u00A0${number(upper)}`;
  const [below, above] = [nominal - lower, upper - nominal];
  if (areEqual(below, above)) return `±${number(above)}`;
  const side = (distance: number) => (distance === 0 ? '0' : formats.signed(distance, decimals));
  return `${side(lower - nominal)}\u00A0…\u00A0${side(above)}`;
}

/** Whether both sides are alike but for the last binary digits. */
function areEqual(below: number, above: number): boolean {
  return Math.abs(below - above) <= 1e-9 * Math.max(Math.abs(below), Math.abs(above));
}
