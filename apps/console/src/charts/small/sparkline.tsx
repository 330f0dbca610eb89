import { useTexts } from '../../design/language/language';
import { Figure, Horizontal, Wall } from '../drawing/figure';
import { Mark } from '../drawing/marks';
import { c, polyline } from '../drawing/paths';
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
  const edges = { top: 1, bottom: height - 1 };
  const scale = scaleOf(values, limits, { margin: 0.12, ...edges });
  const y = clipped(scale, edges);
  return (
    <Figure width={width} height={height} label={t.sparkline}>
      <Limits limits={limits} draw={(value, i) => <Horizontal key={i} x1={0} x2={width} y={y(value)} kind="ruler" />} />
      {limits.nominal !== undefined && <Horizontal x1={0} x2={width} y={y(limits.nominal)} kind="grid" />}
      <Course
        values={values}
        limits={limits}
        x={linearScale([0, Math.max(values.length - 1, 1)], [2, width - 6])}
        scale={scale}
        edges={edges}
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
  const edges = { top: 4, bottom: height - 3 };
  const scale = scaleOf(values, limits, { margin: 0.35, ...edges });
  const y = clipped(scale, edges);
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
        scale={scale}
        edges={edges}
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
  scale: Scale;
  /** Between them values are drawn where they lie; what lies outside is drawn at the nearer one, px. */
  edges: Edges;
  size: number;
  className: string | undefined;
}

function Course({ values, limits, x, scale, edges, size, className }: CourseProps) {
  const y = clipped(scale, edges);
  const last = values.length - 1;
  const arrows = clippedRuns(values.slice(0, last).map(scale), edges);
  const status = statusOf(values[last]!, limits);
  return (
    <>
      <path className={className} d={polyline(values.map((value, i) => [x(i), y(value)]))} />
      {arrows.length > 0 && <path className={styles.clipped} d={arrows.map(({ at, edge }) => arrow(x(at), edges[edge], edge)).join('')} />}
      {status === 'inLimits' ? (
        <circle className={styles.dots} cx={x(last)} cy={y(values[last]!)} r={2} />
      ) : (
        <Mark name={markOf(status)} x={x(last)} y={y(values[last]!)} size={size} />
      )}
    </>
  );
}

interface Edges {
  readonly top: number;
  readonly bottom: number;
}

/** Middles of the runs of points that lie outside, and the edge at which they are drawn. @param points px from the top */
function clippedRuns(points: readonly number[], { top, bottom }: Edges): { at: number; edge: keyof Edges }[] {
  const edgeOf = (point = top) => (point < top ? 'top' : point > bottom ? 'bottom' : undefined);
  const runs: { at: number; edge: keyof Edges }[] = [];
  let start = 0;
  points.forEach((point, i) => {
    const edge = edgeOf(point);
    if (edge !== edgeOf(points[i - 1])) start = i;
    if (edge !== undefined && edge !== edgeOf(points[i + 1])) runs.push({ at: (start + i) / 2, edge });
  });
  return runs;
}

/** Half the width of an arrow, and its height, px. */
const ARROW = { half: 2.5, height: 4 };

/** An arrow at an edge that points to where the values lie. */
function arrow(x: number, y: number, edge: keyof Edges): string {
  const foot = edge === 'top' ? ARROW.height : -ARROW.height;
  return `M${c(x)} ${c(y)}l${-ARROW.half} ${foot}h${2 * ARROW.half}z`;
}

function Limits({ limits, draw }: { limits: DrawnLimits; draw: (value: number, index: number) => React.ReactNode }) {
  return <>{[limits.lowerTolerance, limits.upperTolerance].filter((limit) => limit !== undefined).map(draw)}</>;
}

/** Shows the whole tolerance and a margin beyond its walls; without a tolerance, the values. */
function scaleOf(values: readonly number[], limits: DrawnLimits, { margin, top, bottom }: Edges & { margin: number }): Scale {
  const tolerance = toleranceScale(limits);
  const ends = tolerance
    ? ([-1, 1] as const).map((end) =>
        tolerance.value(tolerance.walls.includes(end) || tolerance.base !== end ? end * (1 + margin) : end * 1.05),
      )
    : [Math.min(...values), Math.max(...values)];
  return linearScale([ends[0]!, ends[1]!], [bottom, top]);
}

/** Draws what lies outside at the nearer edge. */
function clipped(scale: Scale, { top, bottom }: Edges): (value: number) => number {
  return (value) => Math.max(top, Math.min(scale(value), bottom));
}
