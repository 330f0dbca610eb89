import type { CharacteristicLimits, NewestStatus, PartOverview } from '@sinebar/contracts';
import { indexValues, rangeConstants, statusOf } from '@sinebar/statistics';
import { isoTimeOf } from '../series.ts';
import { measuredColumn, newestStatus, noStatuses, overallIndices, type MeasuredColumn, type StatusCounts } from './newest-status.ts';
import type { OverviewQuery } from './part-analysis-parameters.ts';
import type { PartFigures } from '../figures/part-figures.ts';
import type { PlannedCharacteristic } from '../figures/planned-characteristics.ts';

/** A characteristic with what an overview is ordered by. */
export interface OverviewEntry {
  characteristic: PlannedCharacteristic;
  measured: MeasuredColumn | undefined;
  status: NewestStatus;
  overall: { p?: number; pk?: number };
}

/** Members of an entry besides its figures. */
interface EntryDetails {
  name: string;
  markedPath: string;
  limits: CharacteristicLimits;
  sparkline: readonly number[];
  /** The newest value. */
  measurementUuid: string;
}

export function overviewEntries(
  characteristics: readonly PlannedCharacteristic[],
  parts: ReadonlyMap<number, PartFigures>,
): OverviewEntry[] {
  return characteristics.map((characteristic) => {
    const measured = measuredColumn(parts, characteristic);
    return {
      characteristic,
      measured,
      status: newestStatus(characteristic, measured),
      overall: measured ? overallIndices(characteristic, measured) : {},
    };
  });
}

const WORST_FIRST: Readonly<Record<NewestStatus, number>> = { outOfTolerance: 0, inWarning: 1, inLimits: 2, noData: 3 };

/** Sorts the entries, the worst ones first; equal ones stay in plan order. */
export function orderEntries(entries: OverviewEntry[], order: OverviewQuery['order']): OverviewEntry[] {
  const byPpk = (a: OverviewEntry, b: OverviewEntry) => {
    const [first, second] = [a.overall.pk ?? Infinity, b.overall.pk ?? Infinity];
    return first < second ? -1 : first > second ? 1 : 0;
  };
  switch (order) {
    case 'status':
      return entries.sort((a, b) => WORST_FIRST[a.status] - WORST_FIRST[b.status] || byPpk(a, b));
    case 'ppk':
      return entries.sort(byPpk);
    case 'name': {
      const names = new Intl.Collator('en', { numeric: true });
      return entries.sort((a, b) => names.compare(a.characteristic.label, b.characteristic.label));
    }
    case undefined:
      return entries;
  }
}

export function countEntries(entries: readonly OverviewEntry[]): StatusCounts {
  const counts = noStatuses();
  for (const { status } of entries) counts[status] += 1;
  return counts;
}

export function overviewLine(
  { characteristic, measured, overall }: OverviewEntry,
  details: EntryDetails,
): PartOverview['characteristics'][number] {
  const { name, markedPath, limits, sparkline, measurementUuid } = details;
  const head = { uuid: characteristic.uuid, path: markedPath, name };
  if (!measured) return { ...head, count: 0, limits, sparkline: [...sparkline] };
  const { figures, column } = measured;
  const value = figures.lastValue[column]!;
  const time = isoTimeOf(figures.lastTime[column]!);
  const mean = figures.mean[column]!;
  const standardDeviation = figures.standardDeviation(column);
  const range = figures.meanRange(column);
  const within = range === undefined ? {} : indexValues(mean, range / rangeConstants(2).d2, characteristic.limits);
  return {
    ...head,
    count: figures.count[column]!,
    last: { ...(time !== undefined && { time }), value, status: statusOf(value, characteristic.statusLimits), measurementUuid },
    mean,
    ...(standardDeviation !== undefined && { standardDeviation }),
    ...(Object.keys(overall).length > 0 && { overall }),
    ...(Object.keys(within).length > 0 && { within }),
    limits,
    sparkline: [...sparkline],
  };
}
