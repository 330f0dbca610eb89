import { useTexts } from '../../design/language/language';
import { Figure, Horizontal, Wall } from '../drawing/figure';
import { Mark } from '../drawing/marks';
import { polyline } from '../drawing/paths';
import { linearScale, type Scale } from '../drawing/scale';
import { toleranceScale, type DrawnLimits } from '../drawing/tolerance-scale';
import { markOf, statusOf } from './value-status';
import { texts } from './small-texts';
import styles from '../drawing/drawing.module.css';

export interface SparklineProps {
  /** The last values, oldest first. */
  values: readonly number[];
  limits: DrawnLimits;
  width?: number;
  height?: number;
}

/** The last values of a row between thin lines at the tolerance limits. */
export function Sparkline({ values, limits, width = 120, height = 20 }: SparklineProps) {
  const t = useTexts(texts);
  if (values.length === 0) return null;
  const y = scaleOf(values, limits, { margin: 0.12, top: 1, bottom: height - 1 });
  return (
    <Figure width={width} height={height} label={t.sparkline}>
      <Limits limits={limits} draw={(value, i) => <Horizontal key={i} x1={0} x2={width} y={y(value)} kind="ruler" />} />
      {limits.nominal !== undefined && <Horizontal x1={0} x2={width} y={y(limits.nominal)} kind="grid" />}
      <Course
        values={values}
        limits={limits}
        x={linearScale([0, Math.max(values.length - 1, 1)], [2, width - 6])}
        y={y}
        size={8}
        className={styles.thinTrace}
      />
    </Figure>
  );
}

/** The last values of one characteristic between its walls, with a mark on the newest. */
export function SmallMultiple({ name, values, limits, width = 264, height = 108 }: SparklineProps & { name: string }) {
  const t = useTexts(texts);
  if (values.length === 0) return null;
  const y = scaleOf(values, limits, { margin: 0.35, top: 4, bottom: height - 3 });
  const plot = width - 2;
  return (
    <Figure width={width} height={height} label={t.multiple(name)}>
      {limits.upperTolerance !== undefined && <Wall x={0} y={y(limits.upperTolerance)} width={plot} side="above" />}
      {limits.lowerTolerance !== undefined && <Wall x={0} y={y(limits.lowerTolerance)} width={plot} side="below" />}
      {limits.nominal !== undefined && <Horizontal x1={0} x2={plot} y={y(limits.nominal)} kind="nominal" />}
      <Course
        values={values}
        limits={limits}
        x={linearScale([0, Math.max(values.length - 1, 1)], [4, plot - 10])}
        y={y}
        size={11}
        className={styles.trace}
      />
    </Figure>
  );
}

interface CourseProps {
  values: readonly number[];
  limits: DrawnLimits;
  x: Scale;
  y: (value: number) => number;
  size: number;
  className: string | undefined;
}

function Course({ values, limits, x, y, size, className }: CourseProps) {
  const last = values.length - 1;
  const status = statusOf(values[last]!, limits);
  return (
    <>
      <path className={className} d={polyline(values.map((value, i) => [x(i), y(value)]))} />
      {status === 'inLimits' ? (
        <circle className={styles.dots} cx={x(last)} cy={y(values[last]!)} r={2} />
      ) : (
        <Mark name={markOf(status)} x={x(last)} y={y(values[last]!)} size={size} />
      )}
    </>
  );
}

function Limits({ limits, draw }: { limits: DrawnLimits; draw: (value: number, index: number) => React.ReactNode }) {
  return <>{[limits.lowerTolerance, limits.upperTolerance].filter((limit) => limit !== undefined).map(draw)}</>;
}

/** Shows the whole tolerance and a margin beyond its walls; without a tolerance, the values. What lies outside is drawn at the edge. */
function scaleOf(
  values: readonly number[],
  limits: DrawnLimits,
  { margin, top, bottom }: { margin: number; top: number; bottom: number },
): (value: number) => number {
  const tolerance = toleranceScale(limits);
  const ends = tolerance
    ? ([-1, 1] as const).map((end) =>
        tolerance.value(tolerance.walls.includes(end) || tolerance.base !== end ? end * (1 + margin) : end * 1.05),
      )
    : [Math.min(...values), Math.max(...values)];
  const scale = linearScale([ends[0]!, ends[1]!], [bottom, top]);
  return (value) => Math.max(top, Math.min(scale(value), bottom));
}
