import type { ReactNode } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import { linearScale } from '../drawing/scale';
import { texts } from '../texts';
import { Density, isDense, Points, Rings } from './measured';
import type { Ruler } from './ruler';
import { AXIS_WIDTH, RulerPane, type Labels } from './ruler-pane';
import type { ControlLimits, ShownSeries } from './shown-series';
import { Steps } from './steps';
import { TimeAxis, ticksOfSeries } from './time-axis';

export interface MeansProps {
  name: string;
  shown: ShownSeries;
  ruler: Ruler;
  /** Says what belongs together, such as `5` values. */
  subgroups: string;
  /** Limits of a subgroup of the usual size. */
  limits?: ControlLimits | undefined;
  plot: number;
  height: number;
  labels?: Labels;
  children?: (x: (position: number) => number) => ReactNode;
}

/** Means of subgroups with their control limits, which are steps where the sizes differ. */
export function Means({ name, shown, ruler: given, subgroups, limits, plot, height, labels = 'full', children }: MeansProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const x = linearScale([0, shown.count], [AXIS_WIDTH, AXIS_WIDTH + plot]);
  const dense = isDense(shown, plot);
  const hasSteps = limits !== undefined && shown.entries.some((entry) => entry.limits !== undefined);
  const ruler = hasSteps
    ? { ...given, lines: given.lines.map((line) => (line.kind === 'control' ? { ...line, isStepped: true } : line)) }
    : given;
  return (
    <RulerPane
      ruler={ruler}
      plot={plot}
      height={height}
      label={t.meansLabel(formats.count(shown.count), subgroups, name)}
      hasAxis
      labels={labels}
      under={() => (
        <>
          <TimeAxis ticks={ticksOfSeries(shown, plot)} x={x} top={ruler.top} bottom={ruler.bottom} isWritten={false} />
          {dense && <Density entries={shown.entries} left={AXIS_WIDTH} width={plot} y={ruler.clipped} />}
          {hasSteps &&
            (['upper', 'lower'] as const).map((side) => (
              <Steps
                key={side}
                values={shown.entries.map((entry) => (entry.limits ?? limits)[side])}
                x={x}
                y={ruler.clipped}
                isDense={dense}
              />
            ))}
        </>
      )}
      over={() => (
        <>
          {!dense && <Points entries={shown.entries} x={x} y={ruler.clipped} radius={1.9} />}
          {!dense && (
            <Rings
              hits={shown.hits.filter(({ rule }) => rule.endsWith('1'))}
              valueAt={(position) => shown.entries[Math.floor(position)]?.mean}
              x={x}
              y={ruler.clipped}
              size={11}
            />
          )}
          {children?.(x)}
        </>
      )}
    />
  );
}
