import { c, crisp, hatching, rounded } from './paths.ts';
import { path, type Path, type Text } from './shapes.ts';

/** Kinds of lines that mean something: black is demanded, grey measured, blue computed. */
export type LineKind =
  'tolerance' | 'warning' | 'control' | 'mean' | 'nominal' | 'grid' | 'tick' | 'ruler' | 'leader' | 'event' | 'cursor' | 'edge';

export function horizontal({ x1, x2, y, kind }: { x1: number; x2: number; y: number; kind: LineKind }): Path {
  return path(kind, `M${c(x1)} ${crisp(y)}H${c(x2)}`);
}

export function vertical({ x, y1, y2, kind }: { x: number; y1: number; y2: number; kind: LineKind }): Path {
  return path(kind, `M${crisp(x)} ${c(y1)}V${c(y2)}`);
}

/** Depth of the hatching behind a wall, px. */
const WALL = 7;

/** A tolerance limit across the chart, hatched on the forbidden side. */
export function wall({ x, y, width, side }: { x: number; y: number; width: number; side: 'above' | 'below' }): Path[] {
  const edge = crisp(y);
  return [
    path('hatch', hatching(x, side === 'above' ? edge - WALL : edge, width, WALL)),
    horizontal({ x1: x, x2: x + width, y, kind: 'tolerance' }),
  ];
}

interface UprightWall {
  x: number;
  y1: number;
  y2: number;
  side: 'left' | 'right';
  depth?: number;
}

/** A tolerance limit from top to bottom, hatched on the forbidden side. */
export function uprightWall({ x, y1, y2, side, depth = WALL }: UprightWall): Path[] {
  const edge = crisp(x);
  return [path('hatch', hatching(side === 'left' ? edge - depth : edge, y1, depth, y2 - y1)), vertical({ x, y1, y2, kind: 'tolerance' })];
}

export type TextKind =
  'axis' | 'strong' | 'label' | 'soft' | 'out' | 'excluded' | 'tolerance' | 'control' | 'mean' | 'warning' | 'nominal' | 'note';

interface Label {
  x: number;
  y: number;
  kind: TextKind;
  anchor?: Text['anchor'];
  isStrong?: boolean;
  /** Whether it stands on lines, so that an edge in the colour of the paper keeps it readable. */
  isOnLines?: boolean;
}

const TEXT_ROLES: Record<TextKind, string> = {
  axis: 'axisText',
  strong: 'strongText',
  label: 'labelText',
  soft: 'softText',
  out: 'outText',
  excluded: 'excludedText',
  tolerance: 'labelText',
  control: 'computedText',
  mean: 'computedText',
  warning: 'noteText',
  nominal: 'softText',
  note: 'noteText',
};

export function label({ x, y, kind, anchor = 'start', isStrong = false, isOnLines = false }: Label, text: string): Text {
  const role = `${TEXT_ROLES[kind]}${isStrong ? ' heavy' : ''}${isOnLines ? ' halo' : ''}`;
  return { kind: 'text', x: rounded(x), y: rounded(y), role, anchor, text };
}
