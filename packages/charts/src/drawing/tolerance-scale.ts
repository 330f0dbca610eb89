import type { CharacteristicSummary } from '@sinebar/contracts';

/** The limits of a characteristic; all are absolute values. */
export type Limits = Readonly<Omit<CharacteristicSummary['limits'], 'sources'>>;

/** Places values in their tolerance: 0 at nominal, −1 and 1 at the tolerance limits. */
export interface ToleranceScale {
  readonly ratio: (value: number) => number;
  /** The value at a ratio. */
  readonly value: (ratio: number) => number;
  /** Ends that are tolerance limits; the others are natural boundaries or open. */
  readonly walls: readonly (-1 | 1)[];
  /** Value at which bars begin: nominal, or the natural boundary. */
  readonly base: number;
}

/** Makes the scale of a tolerance; undefined without any tolerance limit. */
export function toleranceScale(limits: Limits): ToleranceScale | undefined {
  const { nominal, lowerTolerance, upperTolerance } = limits;
  const lower = lowerTolerance ?? limits.lowerBoundary;
  const upper = upperTolerance ?? limits.upperBoundary;
  const walls = [...(lowerTolerance === undefined ? [] : [-1 as const]), ...(upperTolerance === undefined ? [] : [1 as const])];
  if (walls.length === 0) return undefined;
  const isBounded = walls.length === 1 && lower !== undefined && upper !== undefined;
  if (isBounded) return scaleOf({ middle: (lower + upper) / 2, half: (upper - lower) / 2, walls, base: walls[0] === 1 ? -1 : 1 });
  if (lower !== undefined && upper !== undefined) {
    const isInside = nominal !== undefined && nominal > lower && nominal < upper;
    if (!isInside) return scaleOf({ middle: (lower + upper) / 2, half: (upper - lower) / 2, walls, base: 0 });
    return scaleOf({ middle: nominal, half: upper - nominal, lowerHalf: nominal - lower, walls, base: 0 });
  }
  const wall = lower ?? upper!;
  const middle = nominal ?? 0;
  const half = Math.abs(wall - middle);
  return half === 0 ? undefined : scaleOf({ middle, half, walls, base: 0 });
}

interface Shape {
  middle: number;
  half: number;
  lowerHalf?: number;
  walls: readonly (-1 | 1)[];
  base: number;
}

function scaleOf({ middle, half, lowerHalf = half, walls, base }: Shape): ToleranceScale | undefined {
  if (!(half > 0) || !(lowerHalf > 0)) return undefined;
  return {
    ratio: (value) => (value - middle) / (value < middle ? lowerHalf : half),
    value: (ratio) => middle + ratio * (ratio < 0 ? lowerHalf : half),
    walls,
    base,
  };
}
