import { useFormats, useTexts } from '../../design/language/language';
import { Vertical } from '../drawing/figure';
import { c, crisp } from '../drawing/paths';
import { texts } from '../texts';
import type { Ruler } from './ruler';
import type { ControlLimits, ShownSeries, ShownStage } from './shown-series';
import styles from '../drawing/drawing.module.css';

export interface StepsProps {
  /** Value of the line at each point, from the first one in view; the line has a gap where there is none. */
  values: readonly (number | undefined)[];
  /** Positions at which the values begin, and the end of the last one; without them, each is one point. */
  edges?: readonly number[];
  x: (position: number) => number;
  y: (value: number) => number;
  kind?: 'control' | 'mean';
  /** Whether the points are too close for dashes. */
  isDense?: boolean;
}

/** A line that has its own value at each point, drawn as steps. */
export function Steps({ values, edges, x, y, kind = 'control', isDense = false }: StepsProps) {
  let path = '';
  let before: number | undefined;
  const at = (index: number) => c(x(edges ? edges[index]! : index));
  values.forEach((value, index) => {
    if (value === before) return;
    if (before !== undefined) path += `H${at(index)}`;
    if (value !== undefined) path += before === undefined ? `M${at(index)} ${crisp(y(value))}` : `V${crisp(y(value))}`;
    before = value;
  });
  if (before !== undefined) path += `H${at(values.length)}`;
  return path === '' ? null : <path className={isDense ? styles.denseSteps : styles[kind]} d={path} />;
}

interface LimitStepsProps {
  shown: ShownSeries;
  /** The drawn points, of the values or of their variation. */
  points: readonly { readonly position: number; readonly limits?: ControlLimits }[];
  /** Limits of points without their own, where there are no stages. */
  usual?: ControlLimits | undefined;
  x: (position: number) => number;
  y: (value: number) => number;
  isDense?: boolean;
}

const LINES_OF_LIMITS = [
  ['upper', 'control'],
  ['centerLine', 'mean'],
  ['lower', 'control'],
] as const;

/** Whether limits are drawn as steps. */
export function haveSteps(points: LimitStepsProps['points']): boolean {
  return points.some(({ limits }) => limits !== undefined);
}

/** Control limits and centre line as steps. */
export function LimitSteps({ shown, points, usual, x, y, isDense = false }: LimitStepsProps) {
  const edges = [...points.map(({ position }) => position), shown.count];
  const others = shown.stages.length > 0 ? undefined : usual;
  return (
    <>
      {LINES_OF_LIMITS.map(([line, kind]) => (
        <Steps
          key={line}
          values={points.map(({ limits = others }) => limits?.[line])}
          edges={edges}
          x={x}
          y={y}
          kind={kind}
          isDense={isDense && kind === 'control'}
        />
      ))}
    </>
  );
}

/** Leaves control limits and centre line to the steps of the chart. */
export function steppedRuler(ruler: Ruler): Ruler {
  return {
    ...ruler,
    lines: ruler.lines.map((line) => (line.kind === 'control' || line.kind === 'mean' ? { ...line, isStepped: true } : line)),
  };
}

interface StageLinesProps {
  stages: readonly ShownStage[];
  x: (position: number) => number;
  top: number;
  bottom: number;
}

/** Width within which the pointer finds a line, px. */
const GRIP = 9;

/** A thin line where a stage begins; its tool tip says when and why. */
export function StageLines({ stages, x, top, bottom }: StageLinesProps) {
  const write = useStageText();
  return (
    <>
      {stages
        .filter(({ isBeginning }) => isBeginning)
        .map((stage) => (
          <g key={stage.position}>
            <title>{write(stage)}</title>
            <Vertical x={x(stage.position)} y1={top} y2={bottom} kind="event" />
            <rect x={c(x(stage.position) - GRIP / 2)} y={c(top)} width={GRIP} height={c(bottom - top)} fillOpacity={0} />
          </g>
        ))}
    </>
  );
}

/** Says when a stage begins and why. */
export function useStageText(): (stage: ShownStage) => string {
  const formats = useFormats();
  const t = useTexts(texts);
  return ({ from, reason = '' }) => {
    const begins = t.stageFrom(formats.dayTime(from));
    return reason === '' ? begins : `${begins}: ${reason}`;
  };
}
