import type { NowStatus, ProcessStatus } from '@sinebar/contracts';
import { columnsOf, type WriteSession } from '@sinebar/database';
import type { SpecificationLimits } from '@sinebar/statistics';
import { inTurns } from '../../shared/turns.ts';
import type { AssessedSeries } from '../assessment/assessed-series.ts';
import { NEWEST_VALUES, newestOutOfTolerance } from '../assessment/newest-values.ts';
import { nowStatusOf } from '../figures/now-status.ts';
import type { KeptAssessment, ValuesState } from './assessment-fields.ts';

/** A change of one of the statuses of a characteristic. */
export interface StatusChange {
  characteristicId: number;
  /** Milliseconds since 1970. */
  time: number;
  measurementId: number | null;
  kind: 'now' | 'process';
  before: NowStatus | ProcessStatus;
  after: NowStatus | ProcessStatus;
}

/** What the newest values say, and how the status has changed since the last assessment. */
export interface NewestValues {
  now: NowStatus;
  /** Number of those out of tolerance. */
  outOfNewest: number;
  changes: StatusChange[];
  /** The measurement of the newest value, and its time; absent without values. */
  last?: { id: number; time: number };
  /** Whether there are values that the last assessment has not seen. */
  hasNew: boolean;
}

export interface NewestValuesOptions {
  limits: SpecificationLimits;
  previous: KeptAssessment | undefined;
  /** What is kept as seen. Values read after it are newer: the next assessment takes them, or it would take them twice. */
  seen: Pick<ValuesState, 'lastTime' | 'lastId'>;
  /** Time of the assessment, which is that of a change for which there is no measurement with a time. */
  present: number;
}

export function newestValues(
  { assessed, values, timeAt, idAt }: AssessedSeries,
  { limits, previous, seen, present }: NewestValuesOptions,
): NewestValues {
  const isAfter = (index: number, { lastTime, lastId }: Pick<ValuesState, 'lastTime' | 'lastId'>): boolean => {
    const [time, id] = [orderOf(timeAt(index)), idAt(index)];
    return time > orderOf(lastTime) || (time === orderOf(lastTime) && id > lastId);
  };
  const isNewer = (index: number): boolean => previous !== undefined && isAfter(index, previous);
  const measured: number[] = [];
  for (let i = values.length - 1; i >= 0 && (measured.length <= NEWEST_VALUES || isNewer(i)); i -= 1) {
    if (!Number.isNaN(values[i]!) && !isAfter(i, seen)) measured.push(i);
  }
  measured.reverse();
  const characteristicId = assessed.characteristic.id;
  const changes: StatusChange[] = [];
  const isFirst = previous === undefined;
  const before = isFirst && measured.length > NEWEST_VALUES ? nowStatusOf(values[measured[0]!], limits) : undefined;
  let now: NowStatus = previous?.now ?? before ?? 'noData';
  let hasNew = false;
  const advance = (index: number, time: number) => {
    const after = nowStatusOf(values[index], limits);
    if (after === now) return;
    changes.push({
      characteristicId,
      time: Number.isNaN(time) ? present : time,
      measurementId: idAt(index),
      kind: 'now',
      before: now,
      after,
    });
    now = after;
  };
  const firstNew = isFirst ? Number(before !== undefined) : measured.findIndex(isNewer);
  const known = firstNew < 0 ? measured.length : firstNew;
  // Limits, or earlier values, have changed.
  if (!isFirst && known > 0) advance(measured[known - 1]!, NaN);
  for (const index of measured.slice(known)) {
    hasNew = true;
    advance(index, timeAt(index));
  }
  const lastIndex = measured.at(-1);
  if (lastIndex === undefined && now !== 'noData') {
    changes.push({ characteristicId, time: present, measurementId: null, kind: 'now', before: now, after: 'noData' });
    now = 'noData';
  }
  return {
    now,
    outOfNewest: newestOutOfTolerance(values, limits),
    changes,
    ...(lastIndex !== undefined && { last: { id: idAt(lastIndex), time: timeAt(lastIndex) } }),
    hasNew,
  };
}

/** Returns the changes of a characteristic that has no value any more. It may have been without data before, when all were excluded. */
export function emptiedChanges(
  characteristicId: number,
  { now, process }: Pick<KeptAssessment, 'now' | 'process'>,
  time: number,
): StatusChange[] {
  const change = { characteristicId, time, measurementId: null };
  return [
    ...(now === 'noData' ? [] : [{ ...change, kind: 'now' as const, before: now, after: 'noData' as const }]),
    ...(process === 'unknown' ? [] : [{ ...change, kind: 'process' as const, before: process, after: 'unknown' as const }]),
  ];
}

/** Measurements without a time come before all others. */
function orderOf(time: number): number {
  return Number.isNaN(time) ? -Infinity : time;
}

export async function storeStatusChanges(session: WriteSession, changes: readonly StatusChange[]): Promise<void> {
  for await (const slice of inTurns(changes)) {
    await session.query(
      `INSERT INTO status_change (characteristic_id, changed_at, measurement_id, kind, before, after)
       SELECT c.characteristic, to_timestamp(c.time / 1000), c.measurement, c.kind, c.before, c.after
       FROM unnest($1::int[], $2::float8[], $3::bigint[], $4::text[], $5::text[], $6::text[])
         AS c (characteristic, time, measurement, kind, before, after)`,
      columnsOf(slice, 'characteristicId', 'time', 'measurementId', 'kind', 'before', 'after'),
    );
  }
}
