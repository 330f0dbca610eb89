import type { DrawingPoint, Stamp } from '@sinebar/contracts';

/** A balloon as it is drawn, in the unit of the size of the drawing. */
export interface Balloon {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Height of the letters of its number. */
  readonly letterHeight: number;
  /** Line from the edge of the circle to its target; absent without a target, or where it lies in the circle. */
  readonly line?: { readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number };
}

/** Size of a drawing, px or points. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** Radius of a balloon that tells none, as a fraction of the width. */
const USUAL_RADIUS = 0.012;
/** Width of a digit by the height of the letters. */
const DIGIT_WIDTH = 0.6;
/** Width of a number that fits into a circle, by its radius. */
const CHORD = 1.7;
/** Height of short numbers, by the radius. */
const MAX_LETTER_HEIGHT = 1.15;

/**
 * Lays a balloon out on a drawing of some size. A balloon at an edge is moved until its whole circle is on the drawing, and a target beyond
 * the edge is drawn at the edge.
 * @param radii smallest and largest radius that is drawn
 */
export function layBalloon(stamp: Stamp, number: string, size: Size, radii: { min: number; max: number }): Balloon {
  const { width, height } = size;
  const radius = Math.min(Math.max((stamp.radius ?? USUAL_RADIUS) * width, radii.min), radii.max, width / 2, height / 2);
  const x = within(stamp.x * width, radius, width - radius);
  const y = within(stamp.y * height, radius, height - radius);
  const letterHeight = Math.min(MAX_LETTER_HEIGHT, CHORD / (DIGIT_WIDTH * Math.max([...number].length, 1))) * radius;
  return { x, y, radius, letterHeight, ...lineTo(stamp.target, { x, y, radius }, size) };
}

function lineTo(target: DrawingPoint | undefined, { x, y, radius }: DrawingPoint & { radius: number }, { width, height }: Size) {
  if (target === undefined) return {};
  const [x2, y2] = [within(target.x * width, 0, width), within(target.y * height, 0, height)];
  const distance = Math.hypot(x2 - x, y2 - y);
  if (distance <= radius) return {};
  const part = radius / distance;
  return { line: { x1: x + (x2 - x) * part, y1: y + (y2 - y) * part, x2, y2 } };
}

function within(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}

/** Least distance of a new balloon from the others, as a fraction of width and height. */
const SPACING = 0.05;
const DIRECTIONS = 8;
const MAX_RINGS = 12;

/** Finds a point near another one that no balloon is at; the wanted one itself where all are taken. */
export function freePoint(wanted: DrawingPoint, taken: readonly DrawingPoint[]): DrawingPoint {
  const isFree = ({ x, y }: DrawingPoint) => taken.every((other) => Math.hypot(other.x - x, other.y - y) >= SPACING);
  for (let ring = 0; ring <= MAX_RINGS; ring += 1) {
    const steps = ring === 0 ? 1 : DIRECTIONS * ring;
    for (let step = 0; step < steps; step += 1) {
      const angle = (2 * Math.PI * step) / steps;
      const [x, y] = [wanted.x + Math.cos(angle) * ring * SPACING, wanted.y + Math.sin(angle) * ring * SPACING];
      if (x >= 0 && x <= 1 && y >= 0 && y <= 1 && isFree({ x, y })) return { x, y };
    }
  }
  return wanted;
}
