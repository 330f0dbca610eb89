import type { ShownEntry, ShownSeries } from '@sinebar/charts';

/** A measurement that a point of the chart stands for. */
export interface MeasuredPoint {
  readonly measurementUuid: string;
  readonly value: number;
  readonly time: string | undefined;
}

/** The measurement of a single point; of a group of values, the marked one that is farthest out. Subgroups have none of their own. */
export function measuredPoint(entry: ShownEntry, shown: ShownSeries | undefined): MeasuredPoint | undefined {
  const [measurementUuid, ...others] = entry.measurementUuids;
  if (others.length > 0) return undefined;
  if (measurementUuid !== undefined) return { measurementUuid, value: entry.sample?.count ?? entry.mean, time: entry.from };
  const [farthest] = (shown?.outOfTolerance ?? [])
    .filter(({ position }) => position >= entry.position && position < entry.position + entry.count)
    .sort((a, b) => Math.abs(b.value - entry.mean) - Math.abs(a.value - entry.mean));
  return farthest && { measurementUuid: farthest.measurementUuid, value: farthest.value, time: farthest.time };
}
