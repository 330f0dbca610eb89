import { vertical } from '../drawing/lines.ts';
import { c, crisp, rounded } from '../drawing/paths.ts';
import { area, group, path, type Drawn, type Group } from '../drawing/shapes.ts';
import { textsIn, type Locale } from '../language/texts.ts';
import { texts } from '../texts.ts';
import type { Plane } from './measured.ts';
import type { Ruler } from './ruler.ts';
import type { ControlLimits, ShownSeries, ShownStage } from './shown-series.ts';

interface Steps {
  /** Value of the line at each point, from the first one in view; the line has a gap where there is none. */
  values: readonly (number | undefined)[];
  /** Positions at which the values begin, and the end of the last one; without them, each is one point. */
  edges?: readonly number[];
  kind?: 'control' | 'mean';
  /** Whether the points are too close for dashes. */
  isDense?: boolean;
}

/** A line that has its own value at each point, drawn as steps. */
export function steps({ values, edges, kind = 'control', isDense = false }: Steps, { x, y }: Plane): Drawn {
  let line = '';
  let before: number | undefined;
  const at = (index: number) => c(x(edges ? edges[index]! : index));
  values.forEach((value, index) => {
    if (value === before) return;
    if (before !== undefined) line += `H${at(index)}`;
    if (value !== undefined) line += before === undefined ? `M${at(index)} ${crisp(y(value))}` : `V${crisp(y(value))}`;
    before = value;
  });
  if (before !== undefined) line += `H${at(values.length)}`;
  return line !== '' && path(isDense ? 'denseSteps' : kind, line);
}

interface LimitSteps {
  shown: ShownSeries;
  /** The drawn points, of the values or of their variation. */
  points: readonly { readonly position: number; readonly limits?: ControlLimits }[];
  /** Limits of points without their own, where there are no stages. */
  usual?: ControlLimits | undefined;
  isDense?: boolean;
}

const LINES_OF_LIMITS = [
  ['upper', 'control'],
  ['centerLine', 'mean'],
  ['lower', 'control'],
] as const;

/** Whether limits are drawn as steps. */
export function haveSteps(points: LimitSteps['points']): boolean {
  return points.some(({ limits }) => limits !== undefined);
}

/** Control limits and centre line as steps. */
export function limitSteps({ shown, points, usual, isDense = false }: LimitSteps, plane: Plane): Drawn {
  const edges = [...points.map(({ position }) => position), shown.count];
  const others = shown.stages.length > 0 ? undefined : usual;
  return LINES_OF_LIMITS.map(([line, kind]) => {
    const values = points.map(({ limits = others }) => limits?.[line]);
    return steps({ values, edges, kind, isDense: isDense && kind === 'control' }, plane);
  });
}

/** Leaves control limits and centre line to the steps of the chart. */
export function steppedRuler(ruler: Ruler): Ruler {
  return {
    ...ruler,
    lines: ruler.lines.map((line) => (line.kind === 'control' || line.kind === 'mean' ? { ...line, isStepped: true } : line)),
  };
}

interface StageLines {
  stages: readonly ShownStage[];
  x: Plane['x'];
  top: number;
  bottom: number;
}

/** Width within which the pointer finds a line, px. */
const GRIP = 9;

/** A thin line where a stage begins; its tool tip says when and why. */
export function stageLines({ stages, x, top, bottom }: StageLines, locale: Locale): Group[] {
  return stages
    .filter(({ isBeginning }) => isBeginning)
    .map((stage) => {
      const at = x(stage.position);
      const grip = area(rounded(at - GRIP / 2), rounded(top), GRIP, rounded(bottom - top));
      return group([vertical({ x: at, y1: top, y2: bottom, kind: 'event' }), grip], { title: stageText(stage, locale) });
    });
}

/** Says when a stage begins and why. */
export function stageText({ from, reason = '' }: ShownStage, { language, formats }: Locale): string {
  const begins = textsIn(texts, language).stageFrom(formats.dayTime(from));
  return reason === '' ? begins : `${begins}: ${reason}`;
}
