import { decimalsOf, readRule, ruleMeaning } from '@sinebar/charts';
import type { Alarm } from '@sinebar/contracts';
import { drawHeading, drawTable, drawText, type Column } from '../pdf/table.ts';
import { OUT } from '../pdf/paper.ts';
import type { ReportContent } from '../report-content.ts';
import { localText, type Writing } from './written.ts';

/** Formats and names that texts of alarms are made with. */
type AlarmWriting = Pick<Writing, 'locale' | 't'> & { readonly content: Pick<ReportContent, 'part'> };

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_HOURS = 24;

/** Draws the alarms of the period. */
export async function drawAlarms(
  writing: Writing,
  { title, columns }: { title?: string | { en: string; de: string } | undefined; columns: readonly string[] },
): Promise<void> {
  const { paper, content, locale, t, signal } = writing;
  if (title !== undefined) drawHeading(paper, localText(title, locale));
  if (content.alarmTotal === 0) drawText(paper, t.noAlarms);
  else await drawTable(paper, alarmColumns(columns, writing), content.alarms, { count: content.alarmTotal, signal, size: 7.5 });
  paper.gap();
}

/** Makes the columns of a table of alarms. */
export function alarmColumns(names: readonly string[], writing: AlarmWriting): Column<Alarm>[] {
  const { t } = writing;
  return names.map((name) => {
    const known = name as keyof typeof SIZES;
    return {
      head: t[`alarm_${known}`],
      ...SIZES[known],
      cell: (alarm) => ({ text: alarmText(known, alarm, writing), ...(known === 'state' && alarm.state === 'raised' && { color: OUT }) }),
    };
  });
}

const SIZES = {
  raised: { width: 78 },
  characteristic: { share: 3 },
  what: { share: 3 },
  value: { width: 56, align: 'end' },
  state: { width: 58 },
  acknowledgedAfter: { width: 52, align: 'end' },
  acknowledgedBy: { width: 56 },
  closed: { width: 78 },
  cause: { share: 1.5 },
  action: { share: 1.5 },
  note: { share: 2 },
} as const satisfies Record<string, Pick<Column<unknown>, 'width' | 'share' | 'align'>>;

export type AlarmColumn = keyof typeof SIZES;

/** Text of a cell about an alarm; the empty text for what it does not have. */
export function alarmText(name: AlarmColumn, alarm: Alarm, { locale, t, content }: AlarmWriting): string {
  const { formats } = locale;
  switch (name) {
    case 'raised':
      return formats.dateTime(alarm.raised);
    case 'characteristic':
      return namesBelow(content.part.names, alarm.characteristicPath ?? alarm.partPath);
    case 'what':
      return whatText(alarm, { locale, t });
    case 'value':
      return alarm.value === undefined ? '' : formats.number(alarm.value, decimalsOf([alarm.value]));
    case 'state':
      return t[`state_${alarm.state}`];
    case 'acknowledgedAfter':
      return alarm.acknowledged === undefined ? '' : duration(Date.parse(alarm.acknowledged) - Date.parse(alarm.raised), { locale, t });
    case 'acknowledgedBy':
      return alarm.user ?? '';
    case 'closed':
      return alarm.closed === undefined ? '' : formats.dateTime(alarm.closed);
    case 'cause':
      return alarm.causeText ?? '';
    case 'action':
      return alarm.actionText ?? '';
    case 'note':
      return alarm.note ?? '';
  }
}

function whatText({ kind, value, limits, rule, on }: Alarm, { locale, t }: Pick<Writing, 'locale' | 't'>): string {
  if (kind === 'tolerance' && value !== undefined && limits) {
    if (limits.upper !== undefined && value > limits.upper) return t.kind_above;
    if (limits.lower !== undefined && value < limits.lower) return t.kind_below;
  }
  if (kind !== 'rule') return t[`kind_${kind}`];
  const named = rule === undefined ? undefined : readRule(rule);
  const meaning = named === undefined ? (rule ?? '') : ruleMeaning(named, locale);
  return on === 'variation' ? `${meaning}, ${t.onVariation}` : meaning;
}

function duration(milliseconds: number, { locale: { formats }, t }: Pick<Writing, 'locale' | 't'>): string {
  const minutes = Math.max(0, Math.round(milliseconds / MINUTE_MS));
  if (minutes < 2 * HOUR_MINUTES) return t.minutes(formats.count(minutes));
  const hours = Math.round(minutes / HOUR_MINUTES);
  return hours < 2 * DAY_HOURS ? t.hours(formats.count(hours)) : t.days(formats.count(Math.round(hours / DAY_HOURS)));
}

/** Names of a path with its type marker, without those of the part, which the title names; at least the last one. */
function namesBelow(part: readonly string[], path: string): string {
  const names = path.replace(/^[PC]*:\//, '').match(/(?:\\.|[^\\/])+/g) ?? [];
  return names
    .slice(Math.min(part.length, names.length - 1))
    .map((name) => name.replaceAll(/\\(.)/g, '$1'))
    .join(' / ');
}
