import type { AnalysisChart, CharacteristicSeries, CharacteristicSummary } from '@sinebar/contracts';
import type { Grouping } from '@sinebar/statistics';
import { groupAt } from '../calculations/stage-limits.ts';
import { isoTimeOf, type CharacteristicValues, type IdentifiedValues } from '../characteristic-values.ts';
import type { PlacedStage } from './stage-ranges.ts';

type Stage = NonNullable<CharacteristicSeries['stages']>[number];

/**
 * The stages of a series, with the first point of each.
 * @param charts of the stages
 */
export function shownStages(
  stages: readonly PlacedStage[],
  { values, grouping }: { values: Float64Array; grouping?: Grouping },
  charts: readonly Pick<Stage, 'chart' | 'countChart'>[],
): Stage[] {
  let before = 0;
  return stages.map(({ stage: { from, reason, limits }, start, end }, i) => {
    const count = end - start - countMissing(values.subarray(start, end));
    const offset = grouping ? groupAt(grouping, start) : before;
    before += count;
    return {
      ...(from !== undefined && { from }),
      ...(reason !== undefined && { reason }),
      kind: limits.kind,
      offset,
      count,
      ...charts[i],
    };
  });
}

/** The times of a baseline, and the number of its values. */
export function describeBaseline(
  { values, times }: CharacteristicValues,
  [start, end]: readonly [number, number],
): AnalysisChart['baseline'] {
  const count = end - start - countMissing(values.subarray(start, end));
  const [from, to] = [isoTimeOf(times[start] ?? NaN), isoTimeOf(times[end - 1] ?? NaN)];
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }), count };
}

export function countMissing(values: Float64Array): number {
  if (!values.includes(NaN)) return 0;
  let count = 0;
  for (const value of values) if (Number.isNaN(value)) count += 1;
  return count;
}

export function withoutMissing({ values, times, ids, hashes, sizes }: IdentifiedValues): IdentifiedValues {
  if (countMissing(values) === 0) return { values, times, ids, ...(hashes && { hashes }), ...(sizes && { sizes }) };
  const measured = (list: Float64Array) => list.filter((_, i) => !Number.isNaN(values[i]!));
  return {
    values: measured(values),
    times: measured(times),
    ids: measured(ids),
    ...(hashes && { hashes: measured(hashes) }),
    ...(sizes && { sizes: measured(sizes) }),
  };
}

export function periodOf({ values, times }: CharacteristicValues): Pick<CharacteristicSummary, 'firstTime' | 'lastTime'> {
  const isTimed = (value: number, i: number) => !Number.isNaN(value) && !Number.isNaN(times[i]!);
  const firstTime = isoTimeOf(times[values.findIndex(isTimed)] ?? NaN);
  const lastTime = isoTimeOf(times[values.findLastIndex(isTimed)] ?? NaN);
  return { ...(firstTime !== undefined && { firstTime }), ...(lastTime !== undefined && { lastTime }) };
}
