import type { CharacteristicSummary } from '@sinebar/client';
import { useFormats, useTexts } from '../../design/language/language';
import { Label, Vertical } from '../drawing/figure';
import { c, polyline } from '../drawing/paths';
import { ticksOf } from '../drawing/scale';
import type { Ruler } from '../control/ruler';
import { AXIS_WIDTH, RulerPane, type Labels } from '../control/ruler-pane';
import { isOfCounts } from '../control/shown-series';
import { statusOf, barClassOf } from '../small/value-status';
import { texts } from '../texts';
import { modelDensity } from './model-density';
import styles from '../drawing/drawing.module.css';

export interface HistogramProps {
  summary: CharacteristicSummary;
  ruler: Ruler;
  plot: number;
  height: number;
  hasAxis?: boolean;
  labels?: Labels;
}

/** Values counted by classes beside the axis of values, with the curve of the model that counts. */
export function Histogram({ summary, ruler, plot, height, hasAxis = false, labels = 'none' }: HistogramProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const left = hasAxis ? AXIS_WIDTH : 0;
  const { histogram, counts, count, limits } = summary;
  const most = Math.max(1, ...(histogram?.counts ?? []));
  const scale = (plot - 8) / most;
  const { bottom, top } = ruler;
  const ticks = ticksOf(0, most, Math.max(1, Math.floor(plot / 52)), 1).values.filter((tick) => tick * scale < plot);
  return (
    <RulerPane
      ruler={ruler}
      plot={plot}
      height={height}
      label={t.histogramLabel(formats.count(count))}
      hasAxis={hasAxis}
      labels={labels}
      under={() => (
        <>
          <Vertical x={left} y1={top} y2={bottom} kind="tick" />
          {histogram && <Bars histogram={histogram} limits={limits} ruler={ruler} left={left} scale={scale} />}
        </>
      )}
      over={() => (
        <>
          <Curve summary={summary} ruler={ruler} left={left} scale={scale} most={plot} />
          {counts.aboveTolerance > 0 && (
            <Label x={left + plot} y={top + 14} anchor="end" kind="out" isOnLines>
              {t.above(formats.count(counts.aboveTolerance))}
            </Label>
          )}
          {counts.belowTolerance > 0 && (
            <Label x={left + plot} y={bottom - 6} anchor="end" kind="out" isOnLines>
              {t.below(formats.count(counts.belowTolerance))}
            </Label>
          )}
          {ticks.map((tick) => (
            <g key={tick}>
              <Vertical x={left + tick * scale} y1={bottom} y2={bottom + 4} kind="tick" />
              <Label x={left + tick * scale} y={bottom + 16} anchor={tick === 0 ? 'start' : 'middle'} kind="axis">
                {formats.count(tick)}
              </Label>
            </g>
          ))}
        </>
      )}
    />
  );
}

interface BarsProps {
  histogram: NonNullable<CharacteristicSummary['histogram']>;
  limits: CharacteristicSummary['limits'];
  ruler: Ruler;
  left: number;
  scale: number;
}

function Bars({ histogram: { edges, counts }, limits, ruler, left, scale }: BarsProps) {
  return (
    <>
      {counts.map((count, i) => {
        const [low, high] = [edges[i]!, edges[i + 1]!];
        if (count === 0 || high < ruler.y.from || low > ruler.y.to) return null;
        const [lower, upper] = [ruler.clipped(low), ruler.clipped(high)];
        const width = c(Math.max(count * scale, 1.5));
        const gap = lower - upper > 2.4 ? 0.4 : 0;
        return (
          <path
            key={i}
            className={barClassOf(statusOf((low + high) / 2, limits))}
            d={`M${c(left + 1)} ${c(upper + gap)}h${width}V${c(lower - gap)}h-${width}z`}
          />
        );
      })}
    </>
  );
}

/** Number of points of the fitted curve. */
const CURVE_POINTS = 120;

/** The density of the model, as many values as were counted. */
function Curve({
  summary,
  ruler,
  left,
  scale,
  most,
}: {
  summary: CharacteristicSummary;
  ruler: Ruler;
  left: number;
  scale: number;
  most: number;
}) {
  const { count, histogram } = summary;
  const density = densityOf(summary);
  if (density === undefined || histogram === undefined) return null;
  const width = histogram.edges[1]! - histogram.edges[0]!;
  const { from, to } = ruler.y;
  const points = Array.from({ length: CURVE_POINTS + 1 }, (_, i) => {
    const value = from + ((to - from) * i) / CURVE_POINTS;
    const expected = count * width * density(value);
    return [left + 1 + Math.min(scale * expected, most), ruler.y(value)] as const;
  });
  return (
    <>
      <path className={styles.paperEdge} d={polyline(points)} />
      <path className={styles.fit} d={polyline(points)} />
    </>
  );
}

/** The model of the values; none for counts, nor where a model that is not normal is named without its parameters. */
function densityOf(summary: CharacteristicSummary) {
  const { mean, standardDeviation: s, capability, chart } = summary;
  if (capability?.model) return modelDensity(capability.model);
  if (mean === undefined || s === undefined || s === 0 || chart?.scores || isOfCounts(summary)) return undefined;
  return modelDensity({ name: 'normal', parameters: { location: mean, scale: s } });
}
