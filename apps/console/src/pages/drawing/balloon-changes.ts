import { freePoint } from '@sinebar/charts';
import { STAMP_KEYS, type DrawingPoint } from '@sinebar/client';
import { cellField } from '../../quality/editing/cells';
import { STAMP_KEY_LIST, type BalloonRow } from './use-balloons';

/** Texts of cells of characteristic and key. */
export type CellTexts = readonly (readonly [field: string, text: string])[];

/** The end of a balloon that is moved. */
export type Handle = 'balloon' | 'target';

/** Digits behind the point of stored fractions: less than a pixel of a drawing of 10,000. */
const DIGITS = 5;
/** Way from the target of a new balloon to the balloon, as fractions. */
const NEW_OFFSET = { x: -0.04, y: -0.06 };

/** Moves a balloon or its target; both stay on the drawing. */
export function moved(uuid: string, handle: Handle, { x, y }: DrawingPoint): CellTexts {
  const [keyX, keyY] = handle === 'balloon' ? [STAMP_KEYS.x, STAMP_KEYS.y] : [STAMP_KEYS.targetX, STAMP_KEYS.targetY];
  return [
    [cellField(uuid, keyX), fraction(x)],
    [cellField(uuid, keyY), fraction(y)],
  ];
}

/** Gives a characteristic a balloon with a target near a point, where nothing else is, and the next number where it has none. */
export function added(uuid: string, near: DrawingPoint, rows: readonly BalloonRow[]): CellTexts {
  const taken = rows.flatMap(({ stamp }) => (stamp === undefined ? [] : [stamp, ...(stamp.target ? [stamp.target] : [])]));
  const target = freePoint(near, taken);
  const balloon = freePoint({ x: inside(target.x + NEW_OFFSET.x), y: inside(target.y + NEW_OFFSET.y) }, [...taken, target]);
  const hasNumber = rows.find((row) => row.uuid === uuid)?.number !== '';
  return [
    [cellField(uuid, STAMP_KEYS.isShown), '1'],
    ...moved(uuid, 'balloon', balloon),
    ...moved(uuid, 'target', target),
    ...(hasNumber ? [] : [[cellField(uuid, STAMP_KEYS.caption), String(nextNumber(rows))] as const]),
  ];
}

/** Takes a characteristic its balloon. */
export function removed(uuid: string): CellTexts {
  return STAMP_KEY_LIST.map((key) => [cellField(uuid, key), '']);
}

/** Numbers all balloons from 1 in the order of the plan. */
export function numbered(rows: readonly BalloonRow[]): CellTexts {
  return rows.filter(({ stamp }) => stamp !== undefined).map(({ uuid }, i) => [cellField(uuid, STAMP_KEYS.caption), String(i + 1)]);
}

function nextNumber(rows: readonly BalloonRow[]): number {
  const numbers = rows.filter(({ stamp }) => stamp !== undefined).map(({ number }) => Math.floor(Number(number)));
  return Math.max(0, ...numbers.filter((number) => Number.isFinite(number))) + 1;
}

function inside(value: number): number {
  return Math.min(Math.max(value, 0), 1);
}

function fraction(value: number): string {
  return String(Number(inside(value).toFixed(DIGITS)));
}
