import { c } from '../drawing/paths.ts';

/** Groups that have a colour and a shape of their own; their slots are 0 to 6. */
export const SLOTS = 7;

/** The slot of all other groups, which share a small grey dot. */
export const OTHERS = 7;

type Shape = (x: number, y: number, radius: number) => string;

const disc: Shape = (x, y, r) => `M${c(x - r)} ${c(y)}a${c(r)} ${c(r)} 0 1 0 ${c(2 * r)} 0a${c(r)} ${c(r)} 0 1 0-${c(2 * r)} 0z`;
const square: Shape = (x, y, r) => rectangle(x, y, 0.9 * r, 0.9 * r);
const diamond: Shape = (x, y, r) => `M${c(x - r)} ${c(y)}l${c(r)} ${c(-r)}l${c(r)} ${c(r)}l${c(-r)} ${c(r)}z`;

function rectangle(x: number, y: number, halfWidth: number, halfHeight: number): string {
  return `M${c(x - halfWidth)} ${c(y - halfHeight)}h${c(2 * halfWidth)}v${c(2 * halfHeight)}h${c(-2 * halfWidth)}z`;
}

/** Shapes by slot; inner outlines are holes. */
const SHAPES: readonly Shape[] = [
  disc,
  square,
  (x, y, r) => diamond(x, y, 1.3 * r),
  (x, y, r) =>
    rectangle(x, y, 1.25 * r, 0.45 * r) + rectangle(x, y - 0.85 * r, 0.45 * r, 0.4 * r) + rectangle(x, y + 0.85 * r, 0.45 * r, 0.4 * r),
  (x, y, r) => rectangle(x, y, 1.1 * r, 1.1 * r) + rectangle(x, y, 0.5 * r, 0.5 * r),
  (x, y, r) => rectangle(x, y, 1.5 * r, 0.5 * r),
  (x, y, r) => diamond(x, y, 1.5 * r) + diamond(x, y, 0.75 * r),
  (x, y, r) => disc(x, y, 0.6 * r),
];

/** A path of the shapes of one slot at points; its fill rule has to be `evenodd`. @param radius px */
export function shapesPath(slot: number, points: readonly (readonly [number, number])[], radius: number): string {
  const shape = SHAPES[slot] ?? SHAPES[OTHERS]!;
  return points.map(([x, y]) => shape(x, y, radius)).join('');
}
