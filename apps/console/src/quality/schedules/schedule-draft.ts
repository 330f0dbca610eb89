import type { AlarmReceiver, ReportSchedule, ReportScheduleContent } from '@sinebar/client';

export const FREQUENCIES = ['daily', 'weekly', 'monthly', 'other'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** Content of a new schedule besides its name, times and receivers. */
export type ScheduleSubject = Pick<ReportScheduleContent, 'template' | 'selection' | 'language' | 'options'>;

/** Content of the fields of the dialog. */
export interface ScheduleDraft {
  name: string;
  frequency: Frequency;
  /** 0: Sunday. */
  weekday: string;
  dayOfMonth: string;
  /** Wall time, `06:00`. */
  time: string;
  cron: string;
  /** Text of the field; empty: all values. */
  days: string;
  /** Addresses, divided by commas, blanks or lines. */
  addresses: string;
  webhook: string;
  isEnabled: boolean;
}

export type DraftProblem = 'noName' | 'noTime' | 'noDay' | 'noCron' | 'wrongDays' | 'wrongAddress' | 'wrongWebhook';

const MAX_DAYS = 3660;

/** Draft of a new schedule: each Monday morning, with the values of the week. */
export function newScheduleDraft(name: string): ScheduleDraft {
  return {
    name,
    frequency: 'weekly',
    weekday: '1',
    dayOfMonth: '1',
    time: '06:00',
    cron: '0 6 * * 1',
    days: '7',
    addresses: '',
    webhook: '',
    isEnabled: true,
  };
}

export function scheduleDraftOf({ name, when: { cron }, days, receivers, enabled }: ReportSchedule): ScheduleDraft {
  const times = timesOf(cron);
  return {
    ...newScheduleDraft(name),
    ...times,
    cron,
    days: days === undefined ? '' : String(days),
    addresses: receivers.flatMap((receiver) => (receiver.kind === 'email' ? [receiver.address] : [])).join(', '),
    webhook: receivers.find((receiver) => receiver.kind === 'webhook')?.url ?? '',
    isEnabled: enabled,
  };
}

/** Reads a cron line that is one of the usual ones. */
export function timesOf(cron: string): Pick<ScheduleDraft, 'frequency'> & Partial<Pick<ScheduleDraft, 'weekday' | 'dayOfMonth' | 'time'>> {
  const [, minute = '', hour = '', day = '', weekday = ''] = /^(\d{1,2}) (\d{1,2}) (\*|\d{1,2}) \* (\*|[0-6])$/.exec(cron.trim()) ?? [];
  if (hour === '' || (day !== '*' && weekday !== '*')) return { frequency: 'other' };
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (day !== '*') return { frequency: 'monthly', dayOfMonth: day, time };
  return weekday === '*' ? { frequency: 'daily', time } : { frequency: 'weekly', weekday, time };
}

function cronOf({ frequency, weekday, dayOfMonth, time, cron }: ScheduleDraft): string {
  const [hour, minute] = time.split(':').map(Number);
  if (frequency === 'other') return cron.trim();
  return `${minute} ${hour} ${frequency === 'monthly' ? Number(dayOfMonth) : '*'} * ${frequency === 'weekly' ? weekday : '*'}`;
}

function addressesOf({ addresses }: ScheduleDraft): string[] {
  return [...new Set(addresses.split(/[\s,;]+/).filter((address) => address !== ''))];
}

/** Finds what is missing or wrong; the server checks the rest. */
export function scheduleProblem(draft: ScheduleDraft): DraftProblem | undefined {
  const { name, frequency, dayOfMonth, time, cron, days, webhook } = draft;
  if (name.trim() === '') return 'noName';
  if (frequency === 'other' ? cron.trim().split(/\s+/).length !== 5 : !/^\d\d:\d\d$/.test(time))
    return frequency === 'other' ? 'noCron' : 'noTime';
  if (frequency === 'monthly' && !isWhole(dayOfMonth, 31)) return 'noDay';
  if (days !== '' && !isWhole(days, MAX_DAYS)) return 'wrongDays';
  if (addressesOf(draft).some((address) => !/^[^@\s]+@[^@\s]+$/.test(address))) return 'wrongAddress';
  return webhook === '' || /^https?:\/\/\S+$/.test(webhook) ? undefined : 'wrongWebhook';
}

function isWhole(text: string, most: number): boolean {
  return /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= most;
}

/** Returns what the server gets. @param known the schedule that is changed: what the dialog does not show stays */
export function scheduleContent(draft: ScheduleDraft, subject: ScheduleSubject, known?: ReportSchedule): ReportScheduleContent {
  const { name, days, webhook, isEnabled } = draft;
  const otherWebhooks = known?.receivers.filter(({ kind }) => kind === 'webhook').slice(1) ?? [];
  const receivers: AlarmReceiver[] = [
    ...addressesOf(draft).map((address) => ({ kind: 'email' as const, address })),
    ...(webhook === '' ? [] : [{ kind: 'webhook' as const, url: webhook, shape: 'standard' as const }]),
    ...otherWebhooks,
  ];
  return {
    name: name.trim(),
    ...subject,
    when: { cron: cronOf(draft), ...(known?.when.zone !== undefined && { zone: known.when.zone }) },
    ...(days !== '' && { days: Number(days) }),
    receivers,
    enabled: isEnabled,
  };
}
