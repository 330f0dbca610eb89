import { useFormats, useTexts } from '../../design/language/language';
import { Figure, Horizontal, Label, Vertical } from '../drawing/figure';
import { linearScale } from '../drawing/scale';
import { texts } from '../texts';
import { Density, isDense, Points, Rings } from './measured';
import { rulerOf, type LimitLine } from './ruler';
import { AXIS_WIDTH, LABELS_WIDTH, LineLabels } from './ruler-pane';
import type { ControlLimits, ShownSeries } from './shown-series';
import { haveSteps, LimitSteps, StageLines } from './steps';
import { TimeAxis, ticksOfSeries } from './time-axis';

export interface VariationProps {
  /** The drawn figure: moving range, range or standard deviation. */
  name: string;
  shown: ShownSeries;
  limits?: ControlLimits;
  decimals: number;
  plot: number;
  height: number;
  hasLabels?: boolean;
  children?: (x: (position: number) => number) => React.ReactNode;
}

/** Moving ranges, ranges or standard deviations with their mean and control limit, on the axis of time. */
export function Variation({ name, shown, limits, decimals, plot, height, hasLabels = false, children }: VariationProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const right = AXIS_WIDTH + plot;
  const x = linearScale([0, shown.count], [AXIS_WIDTH, right]);
  const [top, bottom] = [4, height - 20];
  const lines: LimitLine[] =
    limits && limits.upper > 0
      ? [
          { value: limits.upper, kind: 'control', name: t.control, decimals: decimals + 1 },
          { value: limits.centerLine, kind: 'mean', name: t.mean, decimals: decimals + 1 },
          ...(limits.lower > 0 ? [{ value: limits.lower, kind: 'control' as const, name: t.control, decimals: decimals + 1 }] : []),
        ]
      : [];
  const largest = Math.max(0, ...shown.variation.map(({ maximum }) => maximum));
  // Where most subgroups have one value, the usual limits are 0, and others stand at the points.
  const upper = Math.max(limits?.upper ?? 0, ...shown.variation.map((entry) => entry.limits?.upper ?? 0));
  const most = upper > 0 ? Math.min(Math.max(largest, upper * 1.1), upper * 1.8) : largest || 1;
  const ruler = rulerOf({ lines: [], extremes: [0, most], decimals, top, bottom, tickDistance: 13 });
  const y = linearScale([0, most], [bottom, top]);
  const clipped = (value: number) => Math.max(top, Math.min(y(value), bottom));
  const ticks = ruler.ticks.values.filter((tick) => tick >= 0 && tick <= most);
  const dense = isDense(shown, plot);
  const hasSteps = haveSteps(shown.variation);
  const largestAt = largestByPlace(shown);
  return (
    <Figure width={right + (hasLabels ? LABELS_WIDTH : 0)} height={height} label={t.variationLabel(name)}>
      {ticks.map((tick) => (
        <g key={tick}>
          <Horizontal x1={AXIS_WIDTH} x2={right} y={y(tick)} kind={tick === 0 ? 'tick' : 'grid'} />
          <Horizontal x1={AXIS_WIDTH - 4} x2={AXIS_WIDTH} y={y(tick)} kind="tick" />
          <Label x={AXIS_WIDTH - 8} y={y(tick) + 4} anchor="end" kind="axis">
            {formats.number(tick, ruler.decimals)}
          </Label>
        </g>
      ))}
      <Vertical x={AXIS_WIDTH - 1} y1={top} y2={bottom} kind="tick" />
      <TimeAxis ticks={ticksOfSeries(shown, plot, formats)} x={x} top={top} bottom={bottom} isWritten />
      {dense && <Density entries={shown.variation} left={AXIS_WIDTH} width={plot} y={clipped} />}
      {hasSteps ? (
        <LimitSteps shown={shown} points={pointsWithLimits(shown)} usual={limits} x={x} y={clipped} isDense={dense} />
      ) : (
        lines.map(({ value, kind }, i) => <Horizontal key={i} x1={AXIS_WIDTH} x2={right} y={y(value)} kind={kind} />)
      )}
      <StageLines stages={shown.stages} x={x} top={top} bottom={bottom} />
      {!dense && <Points entries={shown.variation} x={x} y={clipped} radius={1.9} />}
      <Rings hits={shown.variationHits} valueAt={largestAt} x={x} y={clipped} size={dense ? 8 : 11} />
      {children?.(x)}
      {hasLabels && (
        <LineLabels ruler={{ ...ruler, y, lines }} right={right} edge={right + LABELS_WIDTH} hasNames low={top + 6} high={bottom - 4} />
      )}
    </Figure>
  );
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
