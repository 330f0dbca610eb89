import type { ReactNode } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import { Label } from '../drawing/figure';
import { Mark } from '../drawing/marks';
import { linearScale } from '../drawing/scale';
import { texts } from '../texts';
import { GroupPoints } from '../groups/group-points';
import { Density, isDense, OutOfTolerance, Points, Rings, Warnings } from './measured';
import { NoteMarks, type ShownNote } from '../drawing/note-marks';
import type { Ruler } from './ruler';
import { AXIS_WIDTH, RulerPane, type Labels } from './ruler-pane';
import type { ShownSeries } from './shown-series';
import { haveSteps, LimitSteps, StageLines, steppedRuler } from './steps';
import { TimeAxis, ticksOfSeries } from './time-axis';

/** A value that the reader left out, drawn in its place. */
export interface ExcludedValue {
  readonly position: number;
  readonly value: number;
  readonly reason: string;
}

export interface IndividualsProps {
  name: string;
  shown: ShownSeries;
  ruler: Ruler;
  plot: number;
  height: number;
  labels: Labels;
  excluded?: readonly ExcludedValue[];
  notes?: readonly ShownNote[];
  children?: (x: (position: number) => number) => ReactNode;
}

/** Values one by one, or their density where they are many, with what stands out; a chart below on the same axis has the dates. */
export function Individuals({ name, shown, ruler: given, plot, height, labels, excluded = [], notes = [], children }: IndividualsProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const x = linearScale([0, shown.count], [AXIS_WIDTH, AXIS_WIDTH + plot]);
  const hasSteps = haveSteps(shown.entries);
  const ruler = hasSteps ? steppedRuler(given) : given;
  const { clipped } = ruler;
  const dense = isDense(shown, plot);
  const ticks = ticksOfSeries(shown, plot, formats);
  const valueAt = (position: number) => shown.entries[Math.floor(position)]?.mean;
  return (
    <RulerPane
      ruler={ruler}
      plot={plot}
      height={height}
      label={t.individualsLabel(formats.count(shown.count), name)}
      hasAxis
      labels={labels}
      under={() => (
        <>
          <TimeAxis ticks={ticks} x={x} top={ruler.top} bottom={ruler.bottom} isWritten={false} />
          {dense && <Density entries={shown.entries} left={AXIS_WIDTH} width={plot} y={clipped} />}
          {hasSteps && <LimitSteps shown={shown} points={shown.entries} x={x} y={clipped} />}
          <StageLines stages={shown.stages} x={x} top={ruler.top} bottom={ruler.bottom} />
        </>
      )}
      over={() => (
        <>
          {!dense && !shown.slots && <Points entries={shown.entries} x={x} y={clipped} />}
          {shown.slots && <GroupPoints shown={shown} x={x} y={clipped} plot={plot} />}
          {!dense && <Rings hits={shown.hits} valueAt={valueAt} x={x} y={clipped} size={plot / shown.count > 12 ? 17 : 12} />}
          {!dense && <Warnings entries={shown.entries} x={x} y={clipped} size={9} />}
          <OutOfTolerance values={shown.outOfTolerance} x={x} y={clipped} size={dense ? 8 : 11} />
          <Excluded values={excluded} x={x} ruler={ruler} />
          <NoteMarks notes={notes} x={x} top={ruler.top} bottom={ruler.bottom} />
          {children?.(x)}
        </>
      )}
    />
  );
}

/** Width of a character of a reason, px. */
const CHARACTER = 6;

/** Crosses on excluded values; the reason stands beside where it has room. */
function Excluded({ values, x, ruler }: { values: readonly ExcludedValue[]; x: (position: number) => number; ruler: Ruler }) {
  const t = useTexts(texts);
  return (
    <>
      {values.map(({ position, value, reason }, i) => {
        const [at, y] = [x(position), ruler.clipped(value)];
        const text = reason === '' ? t.excluded : t.excludedFor(reason);
        const before = values[i - 1];
        const room = at - (before ? x(before.position) + 8 : AXIS_WIDTH) - 12;
        return (
          <g key={position}>
            <Mark name="excluded" x={at} y={y} size={11} />
            {text.length * CHARACTER < room && (
              <Label x={at - 8} y={y + 4} kind="excluded" anchor="end" isOnLines>
                {text}
              </Label>
            )}
          </g>
        );
      })}
    </>
  );
}
