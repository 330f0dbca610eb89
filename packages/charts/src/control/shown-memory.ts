import type { CharacteristicSeries } from '@sinebar/contracts';
import type { ShownEntry, ShownStage, ViewTimes } from './shown-series.ts';

export type MemoryChartAnswer = NonNullable<CharacteristicSeries['memory']>;

/** A chart that remembers earlier points, ready to be drawn: a curve for each of its sums. */
export interface ShownMemory {
  readonly type: MemoryChartAnswer['type'];
  /** Curves by position; the sum below the target is drawn downwards. */
  readonly curves: readonly (readonly number[])[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  readonly centerLine: number;
  /** Positions of the points beyond a limit, with the value that is. */
  readonly beyond: readonly { readonly position: number; readonly value: number }[];
  /** The points for the axis of time. */
  readonly entries: readonly ShownEntry[];
  readonly count: number;
  /** The newest stage, with which the chart begins, where its first point is in view. */
  readonly stages: readonly ShownStage[];
}

/** Prepares the points of the chart between two times. @param series of the same characteristic, with its stages */
export function shownMemory(
  { type, target, h = 0, points }: MemoryChartAnswer,
  { from, to }: ViewTimes = {},
  series: Pick<CharacteristicSeries, 'stages'> = {},
): ShownMemory {
  const shown = points.filter(({ time }) => {
    const at = time === undefined ? Number.NaN : Date.parse(time);
    return !(from !== undefined && at < from) && !(to !== undefined && at >= to);
  });
  const isEwma = type === 'ewma';
  const centerLine = isEwma ? target : 0;
  const above = shown.map(({ value, above: sum = 0 }) => (isEwma ? (value ?? target) : sum));
  const below = shown.map(({ below: sum = 0 }) => -sum);
  return {
    type,
    curves: isEwma ? [above] : [above, below],
    lower: shown.map(({ lower }) => (isEwma ? (lower ?? target) : -h)),
    upper: shown.map(({ upper }) => (isEwma ? (upper ?? target) : h)),
    centerLine,
    beyond: shown.flatMap(({ isBeyond }, position) => {
      if (!isBeyond) return [];
      const farther = !isEwma && -below[position]! > above[position]! ? below : above;
      return [{ position, value: farther[position]! }];
    }),
    entries: shown.map(({ time, measurementUuid }, position) => ({
      ...(time !== undefined && { from: time, to: time }),
      minimum: above[position]!,
      maximum: above[position]!,
      mean: above[position]!,
      count: 1,
      position,
      measurementUuids: [measurementUuid],
    })),
    count: shown.length,
    stages: shown[0] === points[0] ? beginningOf(series, points.length) : [],
  };
}

/** The newest stage at the first point, unless earlier points of it have been left out. */
function beginningOf({ stages = [] }: Pick<CharacteristicSeries, 'stages'>, points: number): ShownStage[] {
  const stage = stages.at(-1);
  if (stage?.from === undefined || points === 0 || points * (stage.chart?.subgroupSize ?? 1) < stage.count) return [];
  return [{ position: 0, isBeginning: true, from: stage.from, ...(stage.reason !== undefined && { reason: stage.reason }) }];
}
