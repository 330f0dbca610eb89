import type { CharacteristicSummary } from '@sinebar/contracts';
import type { Ruler } from '../control/ruler.ts';
import { AXIS_WIDTH, rulerPane, type Labels } from '../control/ruler-pane.ts';
import { isOfCounts } from '../control/shown-series.ts';
import { label, vertical } from '../drawing/lines.ts';
import { c, polyline } from '../drawing/paths.ts';
import { ticksOf } from '../drawing/scale.ts';
import { group, path, type Drawing, type Path } from '../drawing/shapes.ts';
import { barRoleOf, statusOf } from '../drawing/value-status.ts';
import { textsIn, type Locale } from '../language/texts.ts';
import { texts } from '../texts.ts';
import { modelDensity } from './model-density.ts';

export interface HistogramInput {
  summary: CharacteristicSummary;
  ruler: Ruler;
  plot: number;
  height: number;
  hasAxis?: boolean | undefined;
  labels?: Labels | undefined;
}

/** Values counted by classes beside the axis of values, with the curve of the model that counts. */
export function histogram(input: HistogramInput, locale: Locale): Drawing {
  const { summary, ruler, plot, height, hasAxis = false, labels = 'none' } = input;
  const { formats, language } = locale;
  const t = textsIn(texts, language);
  const left = hasAxis ? AXIS_WIDTH : 0;
  const { histogram: classes, counts, count, limits } = summary;
  const most = Math.max(1, ...(classes?.counts ?? []));
  const scale = (plot - 8) / most;
  const { bottom, top } = ruler;
  const ticks = ticksOf(0, most, Math.max(1, Math.floor(plot / 52)), 1).values.filter((tick) => tick * scale < plot);
  const density = densityOf(summary);
  const under = [vertical({ x: left, y1: top, y2: bottom, kind: 'tick' }), classes && bars({ classes, limits, ruler, left, scale })];
  const outside = { x: left + plot, anchor: 'end', kind: 'out', isOnLines: true } as const;
  const over = [
    density && classes && curve({ expected: (value) => count * widthOf(classes) * density(value), ruler, left, scale, most: plot }),
    counts.aboveTolerance > 0 && label({ ...outside, y: top + 14 }, t.above(formats.count(counts.aboveTolerance))),
    counts.belowTolerance > 0 && label({ ...outside, y: bottom - 6 }, t.below(formats.count(counts.belowTolerance))),
    ticks.map((tick) => {
      const x = left + tick * scale;
      return group([
        vertical({ x, y1: bottom, y2: bottom + 4, kind: 'tick' }),
        label({ x, y: bottom + 16, anchor: tick === 0 ? 'start' : 'middle', kind: 'axis' }, formats.count(tick)),
      ]);
    }),
  ];
  return rulerPane({ ruler, plot, height, label: t.histogramLabel(formats.count(count)), hasAxis, labels, under, over }, locale);
}

type Classes = NonNullable<CharacteristicSummary['histogram']>;

function widthOf({ edges }: Classes): number {
  return edges[1]! - edges[0]!;
}

interface Bars {
  classes: Classes;
  limits: CharacteristicSummary['limits'];
  ruler: Ruler;
  left: number;
  scale: number;
}

function bars({ classes: { edges, counts }, limits, ruler, left, scale }: Bars): Path[] {
  return counts.flatMap((count, i) => {
    const [low, high] = [edges[i]!, edges[i + 1]!];
    if (count === 0 || high < ruler.y.from || low > ruler.y.to) return [];
    const [lower, upper] = [ruler.clipped(low), ruler.clipped(high)];
    const width = c(Math.max(count * scale, 1.5));
    const gap = lower - upper > 2.4 ? 0.4 : 0;
    const outline = `M${c(left + 1)} ${c(upper + gap)}h${width}V${c(lower - gap)}h-${width}z`;
    return [path(barRoleOf(statusOf((low + high) / 2, limits)), outline)];
  });
}

/** Number of points of the fitted curve. */
const CURVE_POINTS = 120;

interface Curve {
  /** Values that a class would hold around a value. */
  expected: (value: number) => number;
  ruler: Ruler;
  left: number;
  scale: number;
  most: number;
}

/** The density of the model, as many values as were counted. */
function curve({ expected, ruler, left, scale, most }: Curve): Path[] {
  const { from, to } = ruler.y;
  const line = polyline(
    Array.from({ length: CURVE_POINTS + 1 }, (_, i) => {
      const value = from + ((to - from) * i) / CURVE_POINTS;
      return [left + 1 + Math.min(scale * expected(value), most), ruler.y(value)] as const;
    }),
  );
  return [path('paperEdge', line), path('fit', line)];
}

/** The model of the values; none for counts, nor where a model that is not normal is named without its parameters. */
function densityOf(summary: CharacteristicSummary) {
  const { mean, standardDeviation: s, capability, chart } = summary;
  if (capability?.model) return modelDensity(capability.model);
  if (mean === undefined || s === undefined || s === 0 || chart?.scores || isOfCounts(summary)) return undefined;
  return modelDensity({ name: 'normal', parameters: { location: mean, scale: s } });
}
