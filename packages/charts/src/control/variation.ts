import { horizontal, vertical } from '../drawing/lines.ts';
import { linearScale } from '../drawing/scale.ts';
import { group, shapesOf, type Drawing } from '../drawing/shapes.ts';
import { textsIn, type Locale } from '../language/texts.ts';
import { texts } from '../texts.ts';
import { density, isDense, points, rings } from './measured.ts';
import { rulerOf, type LimitLine } from './ruler.ts';
import { AXIS_WIDTH, axisTexts, axisTick, LABELS_WIDTH, lineLabels, pointScale } from './ruler-pane.ts';
import type { ControlLimits, ShownSeries } from './shown-series.ts';
import { haveSteps, limitSteps, stageLines } from './steps.ts';
import { ticksOfSeries, timeAxis } from './time-axis.ts';

export interface VariationInput {
  /** The drawn figure: moving range, range or standard deviation. */
  name: string;
  shown: ShownSeries;
  limits?: ControlLimits | undefined;
  decimals: number;
  plot: number;
  height: number;
  hasLabels?: boolean | undefined;
}

/** Moving ranges, ranges or standard deviations with their mean and control limit, on the axis of time. */
export function variation({ name, shown, limits, decimals, plot, height, hasLabels = false }: VariationInput, locale: Locale): Drawing {
  const { formats, language } = locale;
  const t = textsIn(texts, language);
  const right = AXIS_WIDTH + plot;
  const [top, bottom] = [4, height - 20];
  const lines = limits && limits.upper > 0 ? linesOf(limits, decimals + 1, t) : [];
  const largest = Math.max(0, ...shown.variation.map(({ maximum }) => maximum));
  // Where most subgroups have one value, the usual limits are 0, and others stand at the points.
  const upper = Math.max(limits?.upper ?? 0, ...shown.variation.map((entry) => entry.limits?.upper ?? 0));
  const most = upper > 0 ? Math.min(Math.max(largest, upper * 1.1), upper * 1.8) : largest || 1;
  const ruler = rulerOf({ lines: [], extremes: [0, most], decimals, top, bottom, tickDistance: 13 });
  const y = linearScale([0, most], [bottom, top]);
  const x = pointScale(shown.count, plot);
  const plane = { x, y: (value: number) => Math.max(top, Math.min(y(value), bottom)) };
  const ticks = ruler.ticks.values.filter((tick) => tick >= 0 && tick <= most);
  const dense = isDense(shown, plot);
  const shapes = shapesOf([
    axisTexts(ticks, ruler.decimals, formats).map((text, i) => {
      const tick = ticks[i]!;
      return group([horizontal({ x1: AXIS_WIDTH, x2: right, y: y(tick), kind: tick === 0 ? 'tick' : 'grid' }), axisTick(y(tick), text)]);
    }),
    vertical({ x: AXIS_WIDTH - 1, y1: top, y2: bottom, kind: 'tick' }),
    timeAxis({ ticks: ticksOfSeries(shown, plot, formats), x, top, bottom, isWritten: true }, locale),
    dense && density({ entries: shown.variation, left: AXIS_WIDTH, width: plot, y: plane.y }),
    haveSteps(shown.variation)
      ? limitSteps({ shown, points: pointsWithLimits(shown), usual: limits, isDense: dense }, plane)
      : lines.map(({ value, kind }) => horizontal({ x1: AXIS_WIDTH, x2: right, y: y(value), kind })),
    stageLines({ stages: shown.stages, x, top, bottom }, locale),
    !dense && points(shown.variation, plane, 1.9),
    rings(shown.variationHits, largestByPlace(shown), plane, dense ? 8 : 11),
    hasLabels &&
      lineLabels(
        { ruler: { ...ruler, y, lines }, right, edge: right + LABELS_WIDTH, hasNames: true, low: top + 6, high: bottom - 4 },
        formats,
      ),
  ]);
  return { width: right + (hasLabels ? LABELS_WIDTH : 0), height, label: t.variationLabel(name), shapes };
}

function linesOf({ upper, centerLine, lower }: ControlLimits, decimals: number, names: { control: string; mean: string }): LimitLine[] {
  const line = (value: number, kind: 'control' | 'mean') => ({ value, kind, name: names[kind], decimals });
  return [line(upper, 'control'), line(centerLine, 'mean'), ...(lower > 0 ? [line(lower, 'control')] : [])];
}

/** All points in view; one without a variation has the limits of its stage, or the usual ones. */
function pointsWithLimits({ entries, variation, stages }: ShownSeries) {
  const own = new Map(variation.map(({ position, limits }) => [position, limits]));
  return entries.map(({ position }) => {
    const limits = own.get(position) ?? stages.findLast((stage) => stage.position <= position)?.chart?.variation;
    return limits ? { position, limits } : { position };
  });
}

/** Finds the largest variation at a place; a hit within a bucket is its largest. */
function largestByPlace({ variation }: ShownSeries): (position: number) => number | undefined {
  return (position) => variation.findLast((entry) => entry.position <= position)?.maximum;
}
