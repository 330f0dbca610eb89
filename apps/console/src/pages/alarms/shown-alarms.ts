import type { Alarm } from '@sinebar/client';

/** A row of the inbox. */
export interface ShownAlarm {
  readonly alarm: Alarm;
  /** Whether the alarm has left the list since the reader saw it. */
  readonly isGone: boolean;
}

interface Lists {
  /** Alarms in the order in which the reader sees them. */
  readonly kept: readonly Alarm[];
  /** Alarms as the server lists them now, the newest first. */
  readonly latest: readonly Alarm[];
  /** Time at which the last listed alarm was raised, if the server left out older ones. */
  readonly listedSince: string | undefined;
  /** Alarms that the reader has changed, whose going is no surprise. */
  readonly changed: ReadonlySet<string>;
}

/** The rows that stay where they are, and how many alarms have come between or above them. */
export interface MergedAlarms {
  readonly rows: readonly ShownAlarm[];
  readonly fresh: number;
}

/** Takes in what the server lists now, and moves nothing: older alarms are added below, others wait to be shown. */
export function mergeAlarms({ kept, latest, listedSince, changed }: Lists): MergedAlarms {
  const listed = new Map(latest.map((alarm) => [alarm.uuid, alarm]));
  const known = new Set(kept.map(({ uuid }) => uuid));
  const last = kept.at(-1);
  const rows = kept.flatMap((alarm): ShownAlarm[] => {
    const now = listed.get(alarm.uuid);
    if (now) return [{ alarm: now, isGone: false }];
    if (changed.has(alarm.uuid)) return [];
    return [{ alarm, isGone: listedSince === undefined || alarm.raised > listedSince }];
  });
  // Many alarms are raised at the same time, so the order of the server decides which are below the last row.
  const lastListed = latest.findLastIndex(({ uuid }) => known.has(uuid));
  const others = latest.filter(({ uuid }) => !known.has(uuid));
  const older = latest.filter(
    (alarm, index) =>
      !known.has(alarm.uuid) && (last === undefined || alarm.raised < last.raised || (lastListed >= 0 && index > lastListed)),
  );
  return { rows: [...rows, ...older.map((alarm) => ({ alarm, isGone: false }))], fresh: others.length - older.length };
}

/** Adds to the checked alarms all between two of them, in the order of the rows. */
export function checkedRange(
  uuids: readonly string[],
  [from, to]: readonly [from: string, to: string],
  checked: ReadonlySet<string>,
): ReadonlySet<string> {
  const [first, last] = [uuids.indexOf(from), uuids.indexOf(to)].sort((a, b) => a - b);
  if (first === undefined || last === undefined || first < 0) return new Set([...checked, to]);
  return new Set([...checked, ...uuids.slice(first, last + 1)]);
}
