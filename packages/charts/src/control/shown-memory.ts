import type { CharacteristicSeries } from '@sinebar/contracts';
import { stagesInView, type ShownEntry, type ShownStage, type ViewTimes } from './shown-series.ts';

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
  /** Stages in view, where there are several. */
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
    stages: stagesInView(series, shown.length, ({ from: start = '' }) => {
      const first = shown.findIndex(({ time = '' }) => time >= start);
      return first < 0 ? shown.length : first;
    }),
  };
}
