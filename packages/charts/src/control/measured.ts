import { label } from '../drawing/lines.ts';
import { mark } from '../drawing/marks.ts';
import { c, columnsOf, crisp, discs, polyline, type Column } from '../drawing/paths.ts';
import { group, path, type Group, type Path } from '../drawing/shapes.ts';
import { markOf } from '../drawing/value-status.ts';
import { textsIn, type Locale } from '../language/texts.ts';
import { texts } from '../texts.ts';
import { AXIS_WIDTH } from './ruler-pane.ts';
import type { ShownEntry, ShownHit, ShownSeries, ShownValue } from './shown-series.ts';

/** Width below which single points are not distinguished any more, px. */
const POINT_PITCH = 3;

/** Whether points lie so close that only their density is drawn. */
export function isDense({ count, isSingle }: Pick<ShownSeries, 'count' | 'isSingle'>, plot: number): boolean {
  return !isSingle || count > plot / POINT_PITCH;
}

/** Where positions and values of a chart lie, px. */
export interface Plane {
  readonly x: (position: number) => number;
  readonly y: (value: number) => number;
}

interface Density {
  entries: readonly Column[];
  left: number;
  width: number;
  y: Plane['y'];
}

/** Many values: a grey vertical from the smallest to the largest per 2 px, and the mean as a black line. */
export function density({ entries, left, width, y }: Density): Path[] {
  const columns = columnsOf(entries, Math.max(1, Math.min(Math.floor(width / 2), Math.ceil(entries.length / 3))));
  const means = columnsOf(entries, Math.max(1, Math.min(Math.floor(width / 4), Math.ceil(entries.length / 8))));
  const x = (index: number, count: number) => left + ((index + 0.5) * width) / count;
  const trace = polyline(means.map(({ mean }, i) => [x(i, means.length), y(mean)]));
  return [ranges(columns, (index) => x(index, columns.length), y), path('paperEdge', trace), path('trace', trace)];
}

/** A vertical from the smallest to the largest value of each column. */
export function ranges(columns: readonly Column[], x: (index: number) => number, y: Plane['y']): Path {
  return path('range', columns.map(({ minimum, maximum }, i) => `M${crisp(x(i))} ${c(y(maximum))}V${c(y(minimum) + 0.6)}`).join(''));
}

/** Few values: dots and a thin line. */
export function points(entries: readonly (Column & { position: number })[], { x, y }: Plane, radius = 2): Path[] {
  const places = entries.map(({ position, mean }) => [x(position + 0.5), y(mean)] as const);
  return [path('thinTrace', polyline(places)), path('dots', discs(places, radius))];
}

/** Half circles on values beyond a warning limit. */
export function warnings(entries: readonly ShownEntry[], { x, y }: Plane, size: number): Group[] {
  return entries
    .filter(({ status }) => status === 'inWarning')
    .map(({ position, mean }) => mark({ name: 'warning', x: x(position + 0.5), y: y(mean), size }));
}

/** Triangles on values out of tolerance, at most one for each square of 2 px. */
export function outOfTolerance(values: readonly ShownValue[], { x, y }: Plane, size: number): Group[] {
  const drawn = new Map<string, ShownValue>();
  for (const value of values) {
    const square = `${Math.round(x(value.position) / 2)},${Math.round(y(value.value) / 2)}`;
    if (!drawn.has(square)) drawn.set(square, value);
  }
  return [...drawn.values()].map(({ position, value, status }) => mark({ name: markOf(status), x: x(position), y: y(value), size }));
}

/** Rings around points that break a rule. */
export function rings(
  hits: readonly ShownHit[],
  valueAt: (position: number) => number | undefined,
  { x, y }: Plane,
  size: number,
): Group[] {
  return [...new Set(hits.map(({ position }) => position))].flatMap((position) => {
    const value = valueAt(position);
    return value === undefined ? [] : [mark({ name: 'rule', x: x(position), y: y(value), size })];
  });
}

/** A value that the reader left out, drawn in its place. */
export interface ExcludedValue {
  readonly position: number;
  /** Absent where the size of its sample is not known; then it stands at the lower edge. */
  readonly value?: number;
  readonly reason: string;
}

/** Distance of a cross from the lower edge, px. */
const EDGE = 7;
/** Width of a character of a reason, px. */
const CHARACTER = 6;

/** Crosses on excluded values; the reason stands beside where it has room. @param bottom lower edge of the plot, px */
export function excludedValues(values: readonly ExcludedValue[], { x, y }: Plane, bottom: number, { language }: Locale): Group[] {
  const t = textsIn(texts, language);
  return values.map(({ position, value, reason }, i) => {
    const at = { x: x(position), y: value === undefined ? bottom - EDGE : y(value) };
    const text = reason === '' ? t.excluded : t.excludedFor(reason);
    const before = values[i - 1];
    const room = at.x - (before ? x(before.position) + 8 : AXIS_WIDTH) - 12;
    return group([
      mark({ name: 'excluded', ...at, size: 11 }),
      text.length * CHARACTER < room && label({ x: at.x - 8, y: at.y + 4, kind: 'excluded', anchor: 'end', isOnLines: true }, text),
    ]);
  });
}
