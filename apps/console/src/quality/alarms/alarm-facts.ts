import { OPEN_ALARM_STATES, type Alarm, type AlarmState } from '@sinebar/client';
import type { GlyphName } from '../../design/status/glyph';
import { namesOf, plainPathOf } from '../../server/queries/plan-path';

/** Subject of an alarm, by the names of the plan. */
export interface AlarmNames {
  /** Name of the characteristic; of the part for the silence of a part. */
  readonly name: string;
  /** Names above it: `Car door / Frame`. */
  readonly above: string;
}

export function alarmNames({ partPath, characteristicPath }: Pick<Alarm, 'partPath' | 'characteristicPath'>): AlarmNames {
  const names = namesOf(characteristicPath ?? partPath);
  return { name: names.at(-1) ?? '/', above: names.slice(0, -1).join(' / ') };
}

/** Path of the part as rights take it. */
export function rightsPathOf({ partPath }: Pick<Alarm, 'partPath'>): string {
  return plainPathOf(partPath);
}

/** Begins with the first point, where the alarm has one. */
export function beginOf({ since, raised }: Pick<Alarm, 'since' | 'raised'>): string {
  return since ?? raised;
}

export function isOpen({ state }: Pick<Alarm, 'state'>): boolean {
  return OPEN_ALARM_STATES.some((open) => open === state);
}

export const STATE_GLYPHS: Readonly<Record<AlarmState, GlyphName>> = {
  raised: 'outOfTolerance',
  acknowledged: 'inWarning',
  closed: 'inLimits',
  withdrawn: 'noLimits',
};

const DAY_MS = 24 * 60 * 60 * 1000;
/** Shortest time that a chart shows before an alarm, and behind it. */
const BEFORE_MS = 3 * DAY_MS;
const AFTER_MS = DAY_MS;

/** Times around an alarm that a chart shows; as much before it as it is long. An end in the future is left open. */
export function viewOf(alarm: Pick<Alarm, 'since' | 'last' | 'raised'>, now: Date): { viewFrom: string; viewTo?: string } {
  const begin = Date.parse(beginOf(alarm));
  const end = Math.max(begin, Date.parse(alarm.last ?? beginOf(alarm)));
  const [from, to] = [begin - Math.max(BEFORE_MS, end - begin), end + Math.max(AFTER_MS, end - begin)];
  const time = (at: number) => new Date(at).toISOString();
  return { viewFrom: time(from), ...(to < now.getTime() && { viewTo: time(to) }) };
}
