import { horizontal, label, vertical } from '../drawing/lines.ts';
import { c, crisp } from '../drawing/paths.ts';
import { group, path, shapesOf, type Drawing } from '../drawing/shapes.ts';
import { textsIn, type Locale } from '../language/texts.ts';
import { texts } from '../texts.ts';
import { density } from './measured.ts';
import type { Ruler } from './ruler.ts';
import { AXIS_WIDTH, LABELS_WIDTH, pointScale } from './ruler-pane.ts';
import type { ShownSeries } from './shown-series.ts';
import { limitSteps, stageLines } from './steps.ts';
import { ticksOfSeries, timeAxis } from './time-axis.ts';

/** The points of a chart from `start` up to `end`, counted from the first of all. */
export interface View {
  readonly start: number;
  readonly end: number;
}

export interface OverviewInput {
  shown: ShownSeries;
  /** Points in view, and those of the baseline, counted as the points of `shown`. */
  view: View;
  baseline?: View | undefined;
  /** Says what the baseline is. */
  baselineText?: string | undefined;
  /** Name and number of all points. */
  total: readonly [name: string, count: string];
  ruler: (top: number, bottom: number) => Ruler;
  plot: number;
  height: number;
}

/** All points in small, with the part in view; a bracket shows the baseline. */
export function overview(input: OverviewInput, locale: Locale): Drawing {
  const { shown, view, baseline, baselineText = '', total, ruler: rulerFor, plot, height } = input;
  const t = textsIn(texts, locale.language);
  const [top, bottom] = [4, height - 44];
  const right = AXIS_WIDTH + plot;
  const ruler = rulerFor(top, bottom);
  const x = pointScale(shown.count, plot);
  const [from, to] = [x(view.start), x(view.end)];
  const middle = (top + bottom) / 2;
  const lines = ruler.lines.filter(({ kind }) => kind === 'control' || kind === 'mean');
  const shapes = shapesOf([
    path('window', `M${c(from)} ${top}H${c(to)}V${bottom}H${c(from)}z`),
    timeAxis({ ticks: ticksOfSeries(shown, plot, locale.formats), x, top, bottom, isWritten: true }, locale),
    density({ entries: shown.entries, left: AXIS_WIDTH, width: plot, y: ruler.clipped }),
    shown.stages.length > 0 || shown.decimals !== undefined
      ? limitSteps({ shown, points: shown.entries, isDense: true }, { x, y: ruler.clipped })
      : lines.map(({ value, kind }) => horizontal({ x1: AXIS_WIDTH, x2: right, y: ruler.y(value), kind })),
    stageLines({ stages: shown.stages, x, top, bottom }, locale),
    horizontal({ x1: AXIS_WIDTH, x2: right, y: bottom, kind: 'tick' }),
    [from, to].map((edge) =>
      group([
        vertical({ x: edge, y1: top - 4, y2: bottom + 4, kind: 'edge' }),
        path('handle', `M${crisp(edge) - 3} ${middle - 8}h6v16h-6z`),
      ]),
    ),
    label(
      {
        x: Math.max(AXIS_WIDTH + 20, Math.min((from + to) / 2, right - 20)),
        y: bottom + 30,
        kind: 'label',
        anchor: 'middle',
        isOnLines: true,
      },
      t.inView,
    ),
    baseline && [
      path('bracket', bracket(x(baseline.start), x(baseline.end), bottom + 21)),
      label({ x: Math.min(x(baseline.start), right - 260), y: bottom + 43, kind: 'control' }, baselineText),
    ],
    label({ x: right + 23, y: top + 12, kind: 'label' }, total[0]),
    label({ x: right + LABELS_WIDTH, y: top + 12, kind: 'label', anchor: 'end' }, total[1]),
  ]);
  return { width: right + LABELS_WIDTH, height, label: t.overviewLabel, shapes };
}

function bracket(from: number, to: number, y: number): string {
  return `M${crisp(from)} ${y}v5H${crisp(to)}v-5M${c((from + to) / 2)} ${y + 5}v5`;
}
