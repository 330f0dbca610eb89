import { group, path, type Group, type Path } from '../drawing/shapes.ts';
import { OTHERS, shapesPath, SLOTS } from './group-shapes.ts';

interface ShownGroups {
  readonly entries: readonly { readonly group?: number; readonly position: number; readonly count: number; readonly mean: number }[];
  readonly slots?: readonly number[];
  readonly count: number;
}

/** Points in the colours and shapes of their groups; a stretch of several groups has none. @param plot width of the plot, px */
export function groupPoints(
  { entries, slots = [], count }: ShownGroups,
  { x, y }: { x: (position: number) => number; y: (value: number) => number },
  plot: number,
): Group {
  const radius = Math.max(1.8, Math.min(3.2, plot / Math.max(count, 1) / 2));
  const points = Array.from({ length: SLOTS + 1 }, (): [number, number][] => []);
  for (const { group: index, position, count: width, mean } of entries) {
    if (index !== undefined) points[slots[index] ?? OTHERS]!.push([x(position + width / 2), y(mean)]);
  }
  // The others lie below those that are told apart.
  return group(points.map((places, slot) => slotShapes(slot, places, radius)).toReversed(), { role: 'groups' });
}

/** Shapes of one slot at points, in its colour. @param radius px */
export function slotShapes(slot: number, points: readonly (readonly [number, number])[], radius: number): Path {
  return path(slot < SLOTS ? `slot${slot}` : 'others', shapesPath(slot, points, radius), { hasHoles: true });
}
