import type { ProcessStatus } from '@sinebar/contracts';
import type { WriteSession } from '@sinebar/database';
import {
  alarmWriting,
  endAlarms,
  extendAlarms,
  raiseAlarms,
  readOpenAlarms,
  type AlarmKey,
  type NewAlarm,
  type OpenAlarm,
  type RaisedCounts,
} from '../../alarms/raised-alarms.ts';
import type { AssessedCharacteristic } from '../assessment/assessed-characteristics.ts';
import type { StatusChange } from './status-changes.ts';

/** A change of what may be expected of a process, and its characteristic. */
export interface ProcessChange {
  change: StatusChange;
  assessed: Pick<AssessedCharacteristic, 'characteristic' | 'owner' | 'reaction'>;
}

const KEY: AlarmKey = { kind: 'process', rule: '', chart: '' };
const WRONG: ReadonlySet<ProcessStatus> = new Set(['uncertain', 'notStable', 'notCapable']);

const isWrong = ({ after }: StatusChange) => WRONG.has(after as ProcessStatus);

/** Whether a change begins an alarm, goes on with one, or ends it. */
export function isOfAlarm(change: StatusChange): boolean {
  return change.kind === 'process' && (change.after === 'capable' || isWrong(change));
}

/**
 * Raises an alarm where a process is no longer capable. Getting worse belongs to the same alarm; a process that is capable again closes it.
 * The caller holds the plan lock.
 */
export async function storeProcessAlarms(
  session: WriteSession,
  partId: number,
  changes: readonly ProcessChange[],
  { now, maxAgeMs, raised }: { now: () => Date; maxAgeMs: number; raised: RaisedCounts },
): Promise<void> {
  if (changes.length === 0) return;
  const writing = await alarmWriting(session, partId, { now, raised });
  if (!writing) return;
  const open = new Map<number | null, OpenAlarm>();
  for (const alarm of await readOpenAlarms(session, partId)) if (alarm.kind === 'process') open.set(alarm.characteristicId, alarm);
  const isOld = ({ change }: ProcessChange) => writing.at.getTime() - change.time > maxAgeMs;
  const alarmOf = ({ change }: ProcessChange) => open.get(change.characteristicId);
  const wrong = changes.filter(({ change }) => isWrong(change));
  await extendAlarms(
    writing,
    wrong.flatMap((each) => {
      const alarm = alarmOf(each);
      if (!alarm) return [];
      const newest = { ...newestOf(each), detail: detailOf(each) };
      return [{ alarm, points: pointsOf(each), firstTime: each.change.time, newest, isOld: isOld(each) }];
    }),
  );
  await raiseAlarms(
    writing,
    wrong.filter((each) => each.change.before === 'capable' && !alarmOf(each)).map((each) => newAlarm(each, isOld(each))),
  );
  await endAlarms(
    writing,
    changes.filter(({ change }) => change.after === 'capable').flatMap((each) => alarmOf(each) ?? []),
    'closed',
  );
}

function newAlarm(each: ProcessChange, isOld: boolean): NewAlarm {
  const { characteristic, owner, reaction } = each.assessed;
  return {
    ...KEY,
    characteristic: { id: characteristic.id, uuid: characteristic.uuid },
    points: pointsOf(each),
    firstTime: each.change.time,
    newest: newestOf(each),
    detail: detailOf(each),
    owner,
    reaction,
    isOld,
  };
}

/** The measurement at which the status has changed. */
function pointsOf({ change: { measurementId } }: ProcessChange): number[] {
  return measurementId === null ? [] : [measurementId];
}

function newestOf({ change: { measurementId, time } }: ProcessChange) {
  return { measurementId, time };
}

function detailOf({ change: { before, after } }: ProcessChange) {
  return { before, after };
}
