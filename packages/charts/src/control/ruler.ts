import type { LineKind } from '../drawing/lines.ts';
import { linearScale, ticksOf, type Scale, type Ticks } from '../drawing/scale.ts';

/** A line across a chart with its name and value at the right edge. */
export interface LimitLine {
  readonly value: number;
  readonly kind: Extract<LineKind, 'tolerance' | 'warning' | 'control' | 'mean' | 'nominal'>;
  readonly name: string;
  readonly decimals: number;
  /** Whether the chart draws it itself, as steps; then only its name and value stand at the edge. */
  readonly isStepped?: boolean;
  /** Side on which a tolerance forbids values. */
  readonly side?: 'above' | 'below';
}

/** The axis of values that panes side by side share. */
export interface Ruler {
  readonly y: Scale;
  readonly ticks: Ticks;
  /** Decimal places of the figures on the axis. */
  readonly decimals: number;
  readonly lines: readonly LimitLine[];
  readonly nominal?: number;
  readonly top: number;
  readonly bottom: number;
  /** Pixel of a value, at the edge when it lies outside. */
  readonly clipped: (value: number) => number;
}

export interface RulerInput {
  lines: readonly LimitLine[];
  /** Smallest and largest value. */
  extremes: readonly [number, number] | undefined;
  nominal?: number;
  /** Decimal places that values were measured with. */
  decimals: number;
  top: number;
  bottom: number;
  /** Share of the lines' span that values may take on each side; what lies farther out is drawn at the edge. */
  mostBeyond?: number;
  /** Distance of two ticks, px, at least. */
  tickDistance?: number;
}

const MAX_BEYOND = 0.75;
const MARGIN = 0.06;

export function rulerOf({ lines, extremes, nominal, decimals, top, bottom, mostBeyond, tickDistance = 22 }: RulerInput): Ruler {
  const [low, high] = domainOf(
    lines.map(({ value }) => value),
    extremes,
    mostBeyond,
  );
  const y = linearScale([low, high], [bottom, top]);
  const ticks = ticksOf(low, high, Math.max(2, Math.floor((bottom - top) / tickDistance)), 10 ** -decimals);
  return {
    y,
    ticks,
    decimals: axisDecimals([low, high], decimals, ticks.decimals),
    lines,
    ...(nominal !== undefined && { nominal }),
    top,
    bottom,
    clipped: (value) => Math.max(top, Math.min(y(value), bottom)),
  };
}

/** Holds all lines and the values, but not values so far out that the lines would fall together. */
export function domainOf(
  lines: readonly number[],
  extremes: readonly [number, number] | undefined,
  mostBeyond = MAX_BEYOND,
): readonly [number, number] {
  const [low, high] = extremes ?? [Infinity, -Infinity];
  if (lines.length === 0 && extremes === undefined) return [0, 1];
  const [lowest, highest] = lines.length > 0 ? [Math.min(...lines), Math.max(...lines)] : [low, high];
  const span = highest - lowest;
  const beyond = span > 0 ? span * mostBeyond : Infinity;
  const from = Math.max(Math.min(low, lowest), lowest - beyond);
  const to = Math.min(Math.max(high, highest), highest + beyond);
  const margin = to > from ? (to - from) * MARGIN : Math.max(Math.abs(to) * 0.05, 0.5);
  return [from - margin, to + margin];
}

/** Digits that the axis has room for, besides a sign. */
const AXIS_DIGITS = 5;

/** Decimal places on the axis: those of the values where they have room, else only those of its ticks. */
function axisDecimals(domain: readonly [number, number], measured: number, ofTicks: number): number {
  const whole = Math.max(...domain.map((end) => Math.trunc(Math.abs(end)).toString().length));
  return whole + measured > AXIS_DIGITS ? ofTicks : Math.max(measured, ofTicks);
}
