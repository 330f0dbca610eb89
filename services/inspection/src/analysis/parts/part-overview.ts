import { PROCESS_STATUSES, type CharacteristicLimits, type NowStatus, type PartOverview, type StatusCounts } from '@sinebar/contracts';
import { indexValues, rangeConstants, statusOf } from '@sinebar/statistics';
import { isoTimeOf } from '../characteristic-values.ts';
import { noStatuses, type JudgedCharacteristic } from './judged-characteristic.ts';
import type { ChosenStatus, OverviewQuery } from './part-analysis-parameters.ts';

/** Members of an entry besides its figures. */
interface EntryDetails {
  name: string;
  markedPath: string;
  limits: CharacteristicLimits;
  sparkline: readonly number[];
  /** The newest value. */
  measurementUuid: string;
  /** Where a process that is not stable began to differ. */
  since: PartOverview['characteristics'][number]['since'];
}

/** Whether a characteristic has one of the named statuses of its newest value, if any is named, and one of its process. */
export function isChosen({ now, process }: JudgedCharacteristic, statuses: readonly ChosenStatus[]): boolean {
  const ofProcess = statuses.filter((status) => PROCESS_STATUSES.some((known) => known === status));
  const isNowChosen = statuses.some((status) => status === now || (status === 'outOfTolerance' && isOut(now)));
  return (ofProcess.length === statuses.length || isNowChosen) && (ofProcess.length === 0 || ofProcess.includes(process));
}

function isOut(now: NowStatus): boolean {
  return now === 'belowTolerance' || now === 'aboveTolerance';
}

/**
 * Sorts characteristics, the worst ones first: out of tolerance now, then more of the newest values out of tolerance, then smaller Ppk.
 * Equal ones stay in plan order, and those without values come last.
 */
export function orderJudged(judged: JudgedCharacteristic[], order: OverviewQuery['order']): JudgedCharacteristic[] {
  const byPpk = (a: JudgedCharacteristic, b: JudgedCharacteristic) => {
    const [first, second] = [a.overall.pk ?? Infinity, b.overall.pk ?? Infinity];
    return first < second ? -1 : first > second ? 1 : 0;
  };
  switch (order) {
    case 'status':
      return judged.sort(
        (a, b) =>
          Number(isOut(b.now)) - Number(isOut(a.now)) ||
          (b.shown?.outOfNewest ?? 0) - (a.shown?.outOfNewest ?? 0) ||
          byPpk(a, b) ||
          Number(a.now === 'noData') - Number(b.now === 'noData'),
      );
    case 'ppk':
      return judged.sort(byPpk);
    case 'name': {
      const names = new Intl.Collator('en', { numeric: true });
      return judged.sort((a, b) => names.compare(a.characteristic.label, b.characteristic.label));
    }
    case undefined:
      return judged;
  }
}

export function countStatuses(judged: readonly JudgedCharacteristic[]): StatusCounts {
  const counts = noStatuses();
  for (const { now, process } of judged) {
    counts.now[now] += 1;
    counts.process[process] += 1;
  }
  return counts;
}

export function overviewLine(
  { characteristic, measured, now, process, overall: { p, pk }, model, shown, isPending }: JudgedCharacteristic,
  details: EntryDetails,
): PartOverview['characteristics'][number] {
  const { name, markedPath, limits, sparkline, measurementUuid, since } = details;
  const head = { uuid: characteristic.uuid, path: markedPath, name };
  if (!measured) return { ...head, count: 0, now, process, limits, sparkline: [...sparkline] };
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
    now,
    process,
    ...((p ?? pk) !== undefined && { overall: { ...(p !== undefined && { p }), ...(pk !== undefined && { pk }) } }),
    ...(model && { model: { name: model.name, asOf: new Date(shown!.fittedAt).toISOString() } }),
    ...(since && { since }),
    ...(isPending && shown && { asOf: new Date(shown.assessedAt).toISOString() }),
    ...(Object.keys(within).length > 0 && { within }),
    limits,
    sparkline: [...sparkline],
  };
}
