import { vertical } from '../drawing/lines.ts';
import { c, crisp, discs } from '../drawing/paths.ts';
import { linearScale } from '../drawing/scale.ts';
import { path, type Drawing } from '../drawing/shapes.ts';
import type { Limits } from '../drawing/tolerance-scale.ts';

export interface GroupBoxInput {
  box: {
    readonly lowerQuartile: number;
    readonly median: number;
    readonly upperQuartile: number;
    readonly lowerWhisker: number;
    readonly upperWhisker: number;
    readonly outliers: readonly number[];
  };
  mean: number;
  limits: Limits;
  /** Smallest and largest value that all boxes of a table show. */
  domain: readonly [number, number];
  width: number;
  height: number;
  label: string;
}

/** A lying box plot in a row of a table: quartiles, whiskers to 1.5 interquartile ranges, single values beyond, and the mean. */
export function groupBox({ box, mean, limits, domain, width, height, label }: GroupBoxInput): Drawing {
  const scale = linearScale(domain, [4, width - 4]);
  // What lies far outside stands at the edge.
  const x = (value: number) => scale(Math.max(domain[0], Math.min(value, domain[1])));
  const middle = crisp(height / 2);
  const half = Math.min(7, height / 2 - 4);
  const [low, first, second, third, high] = [box.lowerWhisker, box.lowerQuartile, box.median, box.upperQuartile, box.upperWhisker].map(
    x,
  ) as [number, number, number, number, number];
  // One disc for each half pixel: outliers are up to 200.
  const places = new Set(box.outliers.map((value) => Math.round(x(value) * 2) / 2));
  const spots = [...places].map((place) => [place, middle] as const);
  const tolerance = [limits.lowerTolerance, limits.upperTolerance].filter((limit) => limit !== undefined);
  const walls = tolerance.filter((limit) => limit >= domain[0] && limit <= domain[1]);
  const shapes = [
    ...walls.map((limit) => vertical({ x: x(limit), y1: 0, y2: height, kind: 'tolerance' })),
    path('outline', `M${c(low)} ${middle}H${c(first)}M${c(third)} ${middle}H${c(high)}`),
    path('outline', `M${crisp(low)} ${middle - 4}v8M${crisp(high)} ${middle - 4}v8`),
    path('groupBody', `M${crisp(first)} ${middle - half}H${crisp(third)}v${2 * half}H${crisp(first)}z`),
    path('groupMedian', `M${crisp(second)} ${middle - half}v${2 * half}`),
    path('spots', discs(spots, 1.5)),
    path('outlinedComputed', `M${c(x(mean))} ${middle - 4}l4 4-4 4-4-4z`),
  ];
  return { width, height, label, shapes };
}
