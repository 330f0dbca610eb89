import type { CharacteristicSummary, ProbabilityPlotAnswer } from '@sinebar/contracts';
import type { Ruler } from '../control/ruler.ts';
import { rulerPane, type Labels } from '../control/ruler-pane.ts';
import { label, vertical } from '../drawing/lines.ts';
import { mark } from '../drawing/marks.ts';
import { discs, polyline } from '../drawing/paths.ts';
import { linearScale } from '../drawing/scale.ts';
import { group, path, type Drawing } from '../drawing/shapes.ts';
import { isOut, markOf, statusOf } from '../drawing/value-status.ts';
import { textsIn, type Locale } from '../language/texts.ts';
import { texts } from '../texts.ts';

/** Percent of values on the axis, and the quantiles of the standard normal distribution at which they stand. */
const PERCENTS: readonly (readonly [percent: number, quantile: number])[] = [
  [0.1, -3.0902],
  [2, -2.0537],
  [16, -0.9945],
  [50, 0],
  [84, 0.9945],
  [98, 2.0537],
  [99.9, 3.0902],
];
const FEW_PERCENTS = [0.1, 16, 50, 84, 99.9];
/** Quantiles that the axis shows at least, and a margin beyond the outermost. */
const MIN_REACH = 2.4;
const MARGIN = 0.2;

export interface ProbabilityInput {
  plotted: ProbabilityPlotAnswer;
  limits: CharacteristicSummary['limits'];
  ruler: Ruler;
  plot: number;
  height: number;
  labels?: Labels | undefined;
}

/** Measured values against the quantiles of a normal distribution: normal values lie on the line. */
export function probability({ plotted, limits, ruler, plot, height, labels = 'none' }: ProbabilityInput, locale: Locale): Drawing {
  const { formats, language } = locale;
  const reach = Math.max(MIN_REACH, ...plotted.points.map(({ quantile }) => Math.abs(quantile))) + MARGIN;
  const x = linearScale([-reach, reach], [0, plot]);
  const { top, bottom, clipped } = ruler;
  const judged = plotted.points.map(({ value, quantile }) => ({ x: x(quantile), y: clipped(value), status: statusOf(value, limits) }));
  const percents = PERCENTS.filter(([percent, quantile]) => Math.abs(quantile) < reach && (plot > 180 || FEW_PERCENTS.includes(percent)));
  const inside = judged.filter(({ status }) => !isOut(status)).map((point) => [point.x, point.y] as const);
  const under = [
    percents.map(([percent, quantile]) =>
      group([
        vertical({ x: x(quantile), y1: top, y2: bottom, kind: 'grid' }),
        vertical({ x: x(quantile), y1: bottom, y2: bottom + 4, kind: 'tick' }),
        label({ x: x(quantile), y: bottom + 16, anchor: 'middle', kind: 'axis' }, formats.number(percent)),
      ]),
    ),
    vertical({ x: 0, y1: top, y2: bottom, kind: 'tick' }),
  ];
  const over = [
    plotted.line && path('fit', polyline(fittedLine(plotted.line, reach, ruler, x))),
    path('dots', discs(inside, 1.4)),
    judged.filter(({ status }) => isOut(status)).map(({ status, ...at }) => mark({ name: markOf(status), ...at, size: 7 })),
  ];
  const title = textsIn(texts, language).probabilityLabel(formats.count(plotted.count));
  return rulerPane({ ruler, plot, height, label: title, labels, under, over }, locale);
}

/** Both ends of the line, cut where it leaves the axis. */
function fittedLine(
  line: { slope: number; intercept: number },
  reach: number,
  ruler: Ruler,
  x: (quantile: number) => number,
): [number, number][] {
  const ends = [-reach, reach].map((quantile) => {
    const value = line.intercept + line.slope * quantile;
    const inside = Math.max(ruler.y.from, Math.min(value, ruler.y.to));
    const at = line.slope === 0 ? quantile : (inside - line.intercept) / line.slope;
    return [x(at), ruler.y(inside)] as [number, number];
  });
  return ends;
}
