import { horizontal, wall } from '../drawing/lines.ts';
import { mark } from '../drawing/marks.ts';
import { c, polyline } from '../drawing/paths.ts';
import { linearScale, type Scale } from '../drawing/scale.ts';
import { circle, path, shapesOf, type Drawing, type Drawn } from '../drawing/shapes.ts';
import { toleranceScale, type Limits } from '../drawing/tolerance-scale.ts';
import { markOf, statusOf } from '../drawing/value-status.ts';
import { textsIn, type Locale } from '../language/texts.ts';
import { texts } from './small-texts.ts';

export interface SparklineInput {
  /** The last values, oldest first. */
  values: readonly number[];
  limits: Limits;
  width?: number | undefined;
  height?: number | undefined;
}

/** The last values of a row between thin lines at the tolerance limits. */
export function sparkline({ values, limits, width = 120, height = 20 }: SparklineInput, { language }: Locale): Drawing | undefined {
  if (values.length === 0) return undefined;
  const edges = { top: 1, bottom: height - 1 };
  const scale = scaleOf(values, limits, { margin: 0.12, ...edges });
  const y = clipped(scale, edges);
  const x = linearScale([0, Math.max(values.length - 1, 1)], [2, width - 6]);
  const { lowerTolerance, upperTolerance, nominal } = limits;
  const shapes = shapesOf([
    [lowerTolerance, upperTolerance].map((limit) => limit !== undefined && horizontal({ x1: 0, x2: width, y: y(limit), kind: 'ruler' })),
    nominal !== undefined && horizontal({ x1: 0, x2: width, y: y(nominal), kind: 'grid' }),
    course({ values, limits, x, scale, edges, size: 8, role: 'thinTrace' }),
  ]);
  return { width, height, label: textsIn(texts, language).sparkline, shapes };
}

/** The last values of one characteristic between its walls, with a mark on the newest. */
export function smallMultiple(input: SparklineInput & { name: string }, { language }: Locale): Drawing | undefined {
  const { name, values, limits, width = 264, height = 108 } = input;
  if (values.length === 0) return undefined;
  const edges = { top: 4, bottom: height - 3 };
  const scale = scaleOf(values, limits, { margin: 0.35, ...edges });
  const y = clipped(scale, edges);
  const plot = width - 2;
  const x = linearScale([0, Math.max(values.length - 1, 1)], [4, plot - 10]);
  const { lowerTolerance, upperTolerance, nominal } = limits;
  const shapes = shapesOf([
    upperTolerance !== undefined && wall({ x: 0, y: y(upperTolerance), width: plot, side: 'above' }),
    lowerTolerance !== undefined && wall({ x: 0, y: y(lowerTolerance), width: plot, side: 'below' }),
    nominal !== undefined && horizontal({ x1: 0, x2: plot, y: y(nominal), kind: 'nominal' }),
    course({ values, limits, x, scale, edges, size: 11, role: 'trace' }),
  ]);
  return { width, height, label: textsIn(texts, language).multiple(name), shapes };
}

interface Course {
  values: readonly number[];
  limits: Limits;
  x: Scale;
  scale: Scale;
  /** Between them values are drawn where they lie; what lies outside is drawn at the nearer one, px. */
  edges: Edges;
  size: number;
  role: 'trace' | 'thinTrace';
}

function course({ values, limits, x, scale, edges, size, role }: Course): Drawn {
  const y = clipped(scale, edges);
  const last = values.length - 1;
  const arrows = clippedRuns(values.slice(0, last).map(scale), edges);
  const status = statusOf(values[last]!, limits);
  const newest = { x: x(last), y: y(values[last]!) };
  return [
    path(role, polyline(values.map((value, i) => [x(i), y(value)]))),
    arrows.length > 0 && path('clipped', arrows.map(({ at, edge }) => arrow(x(at), edges[edge], edge)).join('')),
    status === 'inLimits' ? circle('dots', newest.x, newest.y, 2) : mark({ name: markOf(status), ...newest, size }),
  ];
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

/** Shows the whole tolerance and a margin beyond its walls; without a tolerance, the values. */
function scaleOf(values: readonly number[], limits: Limits, { margin, top, bottom }: Edges & { margin: number }): Scale {
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
