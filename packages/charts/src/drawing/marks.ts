import { rounded } from './paths.ts';
import { circle, group, path, type Group, type Shape } from './shapes.ts';

/** Glyphs of 12 by 12 units; a triangle points away from the tolerance. */
export const GLYPHS = {
  disc: [circle(undefined, 6, 6, 3.75)],
  halfDisc: [circle('hollow', 6, 6, 4.25), path(undefined, 'M6 1.75a4.25 4.25 0 0 1 0 8.5z')],
  up: [path(undefined, 'M6 .75 11.5 10.5H.5z')],
  down: [path(undefined, 'M6 11.25 11.5 1.5H.5z')],
  right: [path(undefined, 'M11.25 6 1.5 .5v11z')],
  left: [path(undefined, 'M.75 6 10.5 .5v11z')],
  dash: [path(undefined, 'M1.5 4.75h9v2.5h-9z')],
  square: [path(undefined, 'M2.25 2.25h7.5v7.5h-7.5z')],
  cross: [path('cross', 'M2.5 2.5l7 7M9.5 2.5l-7 7')],
  ring: [circle('hollow', 6, 6, 4)],
} as const satisfies Record<string, readonly Shape[]>;

/** Shapes of single values; the tip of a triangle points away from the tolerance. */
export type MarkName = keyof typeof MARKS;

const MARKS = {
  point: ['pointMark', 'disc'],
  warning: ['warningMark', 'halfDisc'],
  above: ['outMark', 'up'],
  below: ['outMark', 'down'],
  right: ['outMark', 'right'],
  left: ['outMark', 'left'],
  excluded: ['excludedMark', 'cross'],
  rule: ['ruleMark', 'ring'],
} as const satisfies Record<string, readonly [role: string, glyph: keyof typeof GLYPHS]>;

/** A shape on a point of a chart; `size` is its width in pixels. */
export function mark({ name, x, y, size }: { name: MarkName; x: number; y: number; size: number }): Group {
  const [role, glyph] = MARKS[name];
  const origin = { x: rounded(x - size / 2), y: rounded(y - size / 2), scale: rounded(size / 12) };
  return group(GLYPHS[glyph], { role, origin });
}
