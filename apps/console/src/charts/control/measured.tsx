import { Mark } from '../drawing/marks';
import { c, columnsOf, crisp, discs, polyline, type Column } from '../drawing/paths';
import { markOf } from '../small/value-status';
import type { ShownEntry, ShownHit, ShownSeries, ShownValue } from './shown-series';
import styles from '../drawing/drawing.module.css';

/** Width below which single points are not distinguished any more, px. */
const POINT_PITCH = 3;

/** Whether points lie so close that only their density is drawn. */
export function isDense({ count, isSingle }: Pick<ShownSeries, 'count' | 'isSingle'>, plot: number): boolean {
  return !isSingle || count > plot / POINT_PITCH;
}

interface DensityProps {
  entries: readonly Column[];
  left: number;
  width: number;
  y: (value: number) => number;
}

/** Many values: a grey vertical from the smallest to the largest per 2 px, and the mean as a black line. */
export function Density({ entries, left, width, y }: DensityProps) {
  const columns = columnsOf(entries, Math.max(1, Math.min(Math.floor(width / 2), Math.ceil(entries.length / 3))));
  const means = columnsOf(entries, Math.max(1, Math.min(Math.floor(width / 4), Math.ceil(entries.length / 8))));
  const x = (index: number, count: number) => left + ((index + 0.5) * width) / count;
  const verticals = columns.map(({ minimum, maximum }, i) => `M${crisp(x(i, columns.length))} ${c(y(maximum))}V${c(y(minimum) + 0.6)}`);
  const trace = polyline(means.map(({ mean }, i) => [x(i, means.length), y(mean)]));
  return (
    <>
      <path className={styles.range} d={verticals.join('')} />
      <path className={styles.paperEdge} d={trace} />
      <path className={styles.trace} d={trace} />
    </>
  );
}

interface PointsProps {
  entries: readonly (Column & { position: number })[];
  x: (position: number) => number;
  y: (value: number) => number;
  radius?: number;
}

/** Few values: dots and a thin line. */
export function Points({ entries, x, y, radius = 2 }: PointsProps) {
  const points = entries.map(({ position, mean }) => [x(position + 0.5), y(mean)] as const);
  return (
    <>
      <path className={styles.thinTrace} d={polyline(points)} />
      <path className={styles.dots} d={discs(points, radius)} />
    </>
  );
}

/** Half circles on values beyond a warning limit. */
export function Warnings({
  entries,
  x,
  y,
  size = 10,
}: {
  entries: readonly ShownEntry[];
  x: (position: number) => number;
  y: (value: number) => number;
  size?: number;
}) {
  return (
    <>
      {entries
        .filter(({ status }) => status === 'inWarning')
        .map(({ position, mean }) => (
          <Mark key={position} name="warning" x={x(position + 0.5)} y={y(mean)} size={size} />
        ))}
    </>
  );
}

/** Triangles on values out of tolerance, at most one for each square of 2 px. */
export function OutOfTolerance({
  values,
  x,
  y,
  size,
}: {
  values: readonly ShownValue[];
  x: (position: number) => number;
  y: (value: number) => number;
  size: number;
}) {
  const drawn = new Map<string, ShownValue>();
  for (const value of values) {
    const square = `${Math.round(x(value.position) / 2)},${Math.round(y(value.value) / 2)}`;
    if (!drawn.has(square)) drawn.set(square, value);
  }
  return (
    <>
      {[...drawn].map(([square, { position, value, status }]) => (
        <Mark key={square} name={markOf(status)} x={x(position)} y={y(value)} size={size} />
      ))}
    </>
  );
}

/** Rings around points that break a rule. */
export function Rings({
  hits,
  valueAt,
  x,
  y,
  size,
}: {
  hits: readonly ShownHit[];
  valueAt: (position: number) => number | undefined;
  x: (position: number) => number;
  y: (value: number) => number;
  size: number;
}) {
  const positions = [...new Set(hits.map(({ position }) => position))];
  return (
    <>
      {positions.map((position) => {
        const value = valueAt(position);
        return value === undefined ? null : <Mark key={position} name="rule" x={x(position)} y={y(value)} size={size} />;
      })}
    </>
  );
}
