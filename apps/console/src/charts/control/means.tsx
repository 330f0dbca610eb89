import type { ReactNode } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import { linearScale } from '../drawing/scale';
import { texts } from '../texts';
import { GroupPoints } from '../groups/group-points';
import { Density, isDense, Points, Rings } from './measured';
import { NoteMarks, type ShownNote } from '../drawing/note-marks';
import type { Ruler } from './ruler';
import { AXIS_WIDTH, RulerPane, type Labels } from './ruler-pane';
import type { ControlLimits, ShownSeries } from './shown-series';
import { haveSteps, LimitSteps, StageLines, steppedRuler } from './steps';
import { TimeAxis, ticksOfSeries } from './time-axis';

interface JudgedPointsProps {
  shown: ShownSeries;
  ruler: Ruler;
  /** Limits of a subgroup of the usual size. */
  limits?: ControlLimits | undefined;
  plot: number;
  height: number;
  labels?: Labels;
  /** Whether the dates are written below, where no chart on the same axis has them. */
  hasDates?: boolean;
  notes?: readonly ShownNote[];
  children?: (x: (position: number) => number) => ReactNode;
}

export interface MeansProps extends JudgedPointsProps {
  name: string;
  /** Says what belongs together, such as `5` values. */
  subgroups: string;
}

/** Means of subgroups with their control limits, which are steps where sizes differ or stages follow each other. */
export function Means({ name, subgroups, ...drawn }: MeansProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  return <JudgedPoints label={t.meansLabel(formats.count(drawn.shown.count), subgroups, name)} {...drawn} />;
}

export interface CountsProps extends JudgedPointsProps {
  name: string;
  /** Name of the chart, such as `p`. */
  chart: string;
}

/** Shares, numbers or rates of what was counted, with the limits that follow from the size of each sample. */
export function Counts({ name, chart, ...drawn }: CountsProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  return <JudgedPoints label={t.countsLabel(chart, formats.count(drawn.shown.count), name)} {...drawn} />;
}

/** Points with their control limits, and rings around those beyond them. */
function JudgedPoints({
  label,
  shown,
  ruler: given,
  limits,
  plot,
  height,
  labels = 'full',
  hasDates = false,
  notes = [],
  children,
}: JudgedPointsProps & { label: string }) {
  const formats = useFormats();
  const x = linearScale([0, shown.count], [AXIS_WIDTH, AXIS_WIDTH + plot]);
  const dense = isDense(shown, plot);
  const hasSteps = haveSteps(shown.entries);
  const ruler = hasSteps ? steppedRuler(given) : given;
  return (
    <RulerPane
      ruler={ruler}
      plot={plot}
      height={height}
      label={label}
      hasAxis
      labels={labels}
      under={() => (
        <>
          <TimeAxis ticks={ticksOfSeries(shown, plot, formats)} x={x} top={ruler.top} bottom={ruler.bottom} isWritten={hasDates} />
          {dense && <Density entries={shown.entries} left={AXIS_WIDTH} width={plot} y={ruler.clipped} />}
          {hasSteps && <LimitSteps shown={shown} points={shown.entries} usual={limits} x={x} y={ruler.clipped} isDense={dense} />}
          <StageLines stages={shown.stages} x={x} top={ruler.top} bottom={ruler.bottom} />
        </>
      )}
      over={() => (
        <>
          {!dense && !shown.slots && <Points entries={shown.entries} x={x} y={ruler.clipped} radius={1.9} />}
          {shown.slots && <GroupPoints shown={shown} x={x} y={ruler.clipped} plot={plot} />}
          {!dense && (
            <Rings
              hits={shown.hits.filter(({ rule }) => rule.endsWith('1'))}
              valueAt={(position) => shown.entries[Math.floor(position)]?.mean}
              x={x}
              y={ruler.clipped}
              size={11}
            />
          )}
          <NoteMarks notes={notes} x={x} top={ruler.top} bottom={ruler.bottom} />
          {children?.(x)}
        </>
      )}
    />
  );
}
