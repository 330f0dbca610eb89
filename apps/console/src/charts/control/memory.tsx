import type { ReactNode } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import { Horizontal } from '../drawing/figure';
import { Mark } from '../drawing/marks';
import { polyline } from '../drawing/paths';
import { linearScale } from '../drawing/scale';
import { texts } from '../texts';
import { isDense, Points } from './measured';
import { rulerOf, type LimitLine } from './ruler';
import { AXIS_WIDTH, RulerPane, type Labels } from './ruler-pane';
import type { ShownMemory } from './shown-memory';
import { Steps } from './steps';
import { TimeAxis, ticksOfSeries } from './time-axis';
import styles from '../drawing/drawing.module.css';

/** Decimals of sums in standard deviations. */
const SUM_DECIMALS = 1;
/** Spans of the limits that points may lie beyond them: a drift is drawn to its end. */
const BEYOND = 6;

export interface MemoryProps {
  name: string;
  shown: ShownMemory;
  /** Decimal places that values were measured with. */
  decimals: number;
  plot: number;
  height: number;
  labels: Labels;
  children?: (x: (position: number) => number) => ReactNode;
}

/** EWMA or CUSUM: points that remember the ones before them, between limits that may differ from point to point. */
export function Memory({ name, shown, decimals, plot, height, labels, children }: MemoryProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const { type, curves, lower, upper, centerLine, beyond, entries, count } = shown;
  const x = linearScale([0, count], [AXIS_WIDTH, AXIS_WIDTH + plot]);
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
  const dense = isDense({ count, isSingle: true }, plot);
  return (
    <RulerPane
      ruler={ruler}
      plot={plot}
      height={height}
      label={t.memoryLabel(type.toUpperCase(), formats.count(count), name)}
      hasAxis
      labels={labels}
      under={() => (
        <>
          <TimeAxis ticks={ticksOfSeries(shown, plot, formats)} x={x} top={ruler.top} bottom={ruler.bottom} isWritten />
          <Horizontal x1={AXIS_WIDTH} x2={AXIS_WIDTH + plot} y={ruler.y(centerLine)} kind="mean" />
          <Steps values={upper} x={x} y={ruler.clipped} />
          <Steps values={lower} x={x} y={ruler.clipped} />
        </>
      )}
      over={() => (
        <>
          {curves.map((curve, i) =>
            dense ? (
              <path
                key={i}
                className={styles.trace}
                d={polyline(curve.map((value, position) => [x(position + 0.5), ruler.clipped(value)]))}
              />
            ) : (
              <Points
                key={i}
                entries={curve.map((mean, position) => ({ ...entries[position]!, mean }))}
                x={x}
                y={ruler.clipped}
                radius={1.9}
              />
            ),
          )}
          {beyond.map(({ position, value }) => (
            <Mark key={position} name="rule" x={x(position + 0.5)} y={ruler.clipped(value)} size={dense ? 8 : 11} />
          ))}
          {children?.(x)}
        </>
      )}
    />
  );
}

/** Target and the newest limits, whose values stand at the edge. */
function linesOf({ lower, upper, centerLine }: ShownMemory, decimals: number, target: string, control: string): LimitLine[] {
  const line = (value: number | undefined): LimitLine[] =>
    value === undefined ? [] : [{ value, kind: 'control', name: control, decimals, isStepped: true }];
  return [...line(upper.at(-1)), { value: centerLine, kind: 'mean', name: target, decimals, isStepped: true }, ...line(lower.at(-1))];
}
