import type { CharacteristicSummary, ProbabilityPlotAnswer } from '@sinebar/client';
import { useFormats, useTexts } from '../../design/language/language';
import { Label, Vertical } from '../drawing/figure';
import { Mark } from '../drawing/marks';
import { discs, polyline } from '../drawing/paths';
import { linearScale } from '../drawing/scale';
import type { Ruler } from '../control/ruler';
import { RulerPane, type Labels } from '../control/ruler-pane';
import { isOut, markOf, statusOf } from '../small/value-status';
import { texts } from '../texts';
import styles from '../drawing/drawing.module.css';

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

export interface ProbabilityProps {
  plotted: ProbabilityPlotAnswer;
  limits: CharacteristicSummary['limits'];
  ruler: Ruler;
  plot: number;
  height: number;
  labels?: Labels;
}

/** Measured values against the quantiles of a normal distribution: normal values lie on the line. */
export function Probability({ plotted, limits, ruler, plot, height, labels = 'none' }: ProbabilityProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const reach = Math.max(MIN_REACH, ...plotted.points.map(({ quantile }) => Math.abs(quantile))) + MARGIN;
  const x = linearScale([-reach, reach], [0, plot]);
  const { top, bottom, clipped } = ruler;
  const judged = plotted.points.map(({ value, quantile }) => ({ x: x(quantile), y: clipped(value), status: statusOf(value, limits) }));
  const percents = PERCENTS.filter(([percent, quantile]) => Math.abs(quantile) < reach && (plot > 180 || FEW_PERCENTS.includes(percent)));
  return (
    <RulerPane
      ruler={ruler}
      plot={plot}
      height={height}
      label={t.probabilityLabel(formats.count(plotted.count))}
      labels={labels}
      under={() => (
        <>
          {percents.map(([percent, quantile]) => (
            <g key={percent}>
              <Vertical x={x(quantile)} y1={top} y2={bottom} kind="grid" />
              <Vertical x={x(quantile)} y1={bottom} y2={bottom + 4} kind="tick" />
              <Label x={x(quantile)} y={bottom + 16} anchor="middle" kind="axis">
                {formats.number(percent)}
              </Label>
            </g>
          ))}
          <Vertical x={0} y1={top} y2={bottom} kind="tick" />
        </>
      )}
      over={() => (
        <>
          {plotted.line && <path className={styles.fit} d={polyline(fittedLine(plotted.line, reach, ruler, x))} />}
          <path
            className={styles.dots}
            d={discs(
              judged.filter(({ status }) => !isOut(status)).map((point) => [point.x, point.y]),
              1.4,
            )}
          />
          {judged
            .filter(({ status }) => isOut(status))
            .map((point, i) => (
              <Mark key={i} name={markOf(point.status)} x={point.x} y={point.y} size={7} />
            ))}
        </>
      )}
    />
  );
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
