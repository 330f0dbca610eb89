import type { Alarm } from '@sinebar/contracts';
import type { FollowedChange } from '../events/change-follower.ts';
import type { MeasuredRun } from './alarm-load.ts';

/** Compares the alarms of parts with the runs that were measured. @returns a sentence for each difference */
export function alarmProblemsOf(runs: readonly MeasuredRun[], alarms: readonly Alarm[]): string[] {
  const standing = alarms.filter(({ state }) => state !== 'withdrawn');
  const expected = runs.filter(({ isReplaced }) => !isReplaced).map(textOfRun);
  const taken = runs
    .filter(({ isReplaced }) => isReplaced)
    .map(({ characteristic, measurements }) => startOf(characteristic, measurements));
  const withdrawn = alarms.filter(({ state }) => state === 'withdrawn').map((alarm) => `${alarm.characteristicUuid} ${alarm.since}`);
  return [
    ...differences(expected, standing.map(textOfAlarm)),
    ...withdrawn.filter((start, i) => withdrawn.indexOf(start) !== i).map((start) => `withdrawn more than once: ${start}`),
    ...withdrawn.filter((start) => !taken.includes(start)).map((start) => `withdrawn, although its values stand: ${start}`),
  ];
}

/** Compares events with alarms: each alarm was announced once, and its last event has its state. */
export function alarmEventProblemsOf(alarms: readonly Alarm[], changes: readonly FollowedChange[]): string[] {
  const raised = changes.filter(({ event }) => event === 'AlarmRaised').map(({ data }) => String(data['AlarmUuid']));
  const last = new Map(changes.filter(({ event }) => /^Alarm(Raised|Changed)$/.test(event)).map(({ data }) => [data['AlarmUuid'], data]));
  return [
    ...differences(
      alarms.map(({ uuid }) => uuid),
      raised,
    ).map((text) => `AlarmRaised: ${text}`),
    ...alarms.flatMap(({ uuid, state, kind, characteristicUuid, partUuid }) => {
      const data = last.get(uuid) ?? {};
      const isRight =
        data['State'] === state &&
        data['Kind'] === kind &&
        data['CharacteristicUuid'] === characteristicUuid &&
        data['PartUuid'] === partUuid;
      return isRight ? [] : [`the last event of the alarm ${uuid}, which is ${state}, is ${JSON.stringify(data)}`];
    }),
  ];
}

/** Finds alarms that no message named, or several. @param messages ids of messages by alarm */
export function messageProblemsOf(alarms: readonly Alarm[], messages: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return alarms
    .filter(({ state }) => state !== 'withdrawn')
    .flatMap(({ uuid, since }) => {
      const count = messages.get(uuid)?.size ?? 0;
      return count === 1 ? [] : [`the alarm ${uuid} since ${since} was in ${count} messages`];
    });
}

function textOfRun({ kind, characteristic, measurements }: MeasuredRun): string {
  const last = measurements.at(-1)!;
  return `${kind} ${startOf(characteristic, measurements)} ${last.attributes[4]} ${last.uuid} ${measurements.length} points`;
}

function textOfAlarm({ kind, characteristicUuid, since, last, measurementUuid, points }: Alarm): string {
  return `${kind} ${characteristicUuid} ${since} ${last} ${measurementUuid} ${points} points`;
}

function startOf(characteristic: string, [first]: MeasuredRun['measurements']): string {
  return `${characteristic} ${first?.attributes[4]}`;
}

/** Finds what is missing, too much, or there several times. */
function differences(expected: readonly string[], found: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of expected) counts.set(text, (counts.get(text) ?? 0) - 1);
  for (const text of found) counts.set(text, (counts.get(text) ?? 0) + 1);
  return Array.from(counts)
    .filter(([, count]) => count !== 0)
    .map(([text, count]) => `${count < 0 ? 'missing' : 'too much'}: ${text}`);
}
