import { horizontal } from '../drawing/lines.ts';
import { mark } from '../drawing/marks.ts';
import { polyline } from '../drawing/paths.ts';
import { path, type Drawing } from '../drawing/shapes.ts';
import { textsIn, type Locale } from '../language/texts.ts';
import { texts } from '../texts.ts';
import { isDense, points } from './measured.ts';
import { rulerOf, type LimitLine } from './ruler.ts';
import { AXIS_WIDTH, pointScale, rulerPane, type Labels } from './ruler-pane.ts';
import type { ShownMemory } from './shown-memory.ts';
import { stageLines, steps } from './steps.ts';
import { ticksOfSeries, timeAxis } from './time-axis.ts';

/** Decimals of sums in standard deviations. */
const SUM_DECIMALS = 1;
/** Spans of the limits that points may lie beyond them: a drift is drawn to its end. */
const BEYOND = 6;

export interface MemoryInput {
  name: string;
  shown: ShownMemory;
  /** Decimal places that values were measured with. */
  decimals: number;
  plot: number;
  height: number;
  labels: Labels;
}

/** EWMA or CUSUM: points that remember the ones before them, between limits that may differ from point to point. */
export function memory({ name, shown, decimals, plot, height, labels }: MemoryInput, locale: Locale): Drawing {
  const { formats, language } = locale;
  const t = textsIn(texts, language);
  const { type, curves, lower, upper, centerLine, beyond, entries, count, stages } = shown;
  const isEwma = type === 'ewma';
  const places = isEwma ? decimals + 1 : SUM_DECIMALS;
  const all = curves.flat();
  const ruler = rulerOf({
    lines: linesOf(shown, places, isEwma ? t.target : '0', t.control),
    extremes: all.length === 0 ? undefined : [Math.min(...all), Math.max(...all)],
    decimals: isEwma ? decimals : SUM_DECIMALS,
    top: 8,
    bottom: height - 22,
    mostBeyond: BEYOND,
  });
  const { top, bottom } = ruler;
  const x = pointScale(count, plot);
  const plane = { x, y: ruler.clipped };
  const dense = isDense({ count, isSingle: true }, plot);
  const under = [
    timeAxis({ ticks: ticksOfSeries(shown, plot, formats), x, top, bottom, isWritten: true }, locale),
    horizontal({ x1: AXIS_WIDTH, x2: AXIS_WIDTH + plot, y: ruler.y(centerLine), kind: 'mean' }),
    [upper, lower].map((values) => steps({ values }, plane)),
    stageLines({ stages, x, top, bottom }, locale),
  ];
  const over = [
    curves.map((curve) =>
      dense
        ? path('trace', polyline(curve.map((value, position) => [x(position + 0.5), plane.y(value)])))
        : points(
            curve.map((mean, position) => ({ ...entries[position]!, mean })),
            plane,
            1.9,
          ),
    ),
    beyond.map(({ position, value }) => mark({ name: 'rule', x: x(position + 0.5), y: plane.y(value), size: dense ? 8 : 11 })),
  ];
  const label = t.memoryLabel(type.toUpperCase(), formats.count(count), name);
  return rulerPane({ ruler, plot, height, label, hasAxis: true, labels, under, over }, locale);
}

/** Target and the newest limits, whose values stand at the edge. */
function linesOf({ lower, upper, centerLine }: ShownMemory, decimals: number, target: string, control: string): LimitLine[] {
  const line = (value: number | undefined): LimitLine[] =>
    value === undefined ? [] : [{ value, kind: 'control', name: control, decimals, isStepped: true }];
  return [...line(upper.at(-1)), { value: centerLine, kind: 'mean', name: target, decimals, isStepped: true }, ...line(lower.at(-1))];
}
