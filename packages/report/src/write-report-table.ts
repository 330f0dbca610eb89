import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { localeOf, type Locale } from '@sinebar/charts';
import type { Alarm } from '@sinebar/contracts';
import { writeXlsx, type OutputColumn, type OutputRow } from '@sinebar/exchange';
import type { ReportCharacteristic, ReportContent, ReportRequest } from './report-content.ts';
import { alarmText, type AlarmColumn } from './sections/alarms.ts';
import { figureText, isNumberName, shownNumber, type FigureName } from './sections/figures.ts';
import { wordsOf } from './sections/written.ts';
import { readTemplate, type Template } from './templates/template.ts';

/** Columns where the template has no table, such as those of the forms of a first article. */
const DEFAULT_COLUMNS = [
  ...['number', 'name', 'nominal', 'lower', 'upper', 'unit', 'last', 'value', 'count', 'mean', 'deviation', 'pp', 'ppk', 'now', 'process'],
];
/** Charts in cells. */
const DRAWN: ReadonlySet<string> = new Set(['sparkline', 'bar']);
const BATCH = 500;
const MINUTE_MS = 60_000;

/** A column with the text of its cells. */
interface TableColumn<Row> extends OutputColumn {
  readonly text: (row: Row) => string;
}

/**
 * Writes the first table of a report as an Excel workbook: its columns without charts, and numbers as numbers with the digits that are
 * shown. The same request and content give the same bytes; times are in the zone of the process.
 * @throws Error for a template that `readTemplate` refuses
 */
export async function writeReportTable(
  request: ReportRequest,
  content: ReportContent,
  { output, signal }: { output: Writable; signal: AbortSignal },
): Promise<void> {
  const read = readTemplate(request.template);
  if ('problems' in read) throw new Error(`The template is not valid: ${read.problems[0]?.message ?? ''}`);
  const created = new Date(request.to);
  const locale = localeOf(request.language, () => created);
  const names = tableOf(read.template);
  const last = content.isWhole ? undefined : wordsOf(locale).notWhole;
  const table =
    names.of === 'alarms'
      ? outputTable(alarmColumns(names.columns, locale, content), content.alarms, last)
      : outputTable(characteristicColumns(names.columns, locale, content.attributeNames), content.characteristics, last);
  await pipeline(writeXlsx(table, created), output, { signal });
}

/** Finds the first table of a template. */
function tableOf({ sections }: Template): { of: 'characteristics' | 'alarms'; columns: readonly string[] } {
  for (const section of sections) {
    if (section.section === 'characteristics' || section.section === 'alarms') return { of: section.section, columns: section.columns };
  }
  return { of: 'characteristics', columns: DEFAULT_COLUMNS };
}

function characteristicColumns(
  names: readonly string[],
  locale: Locale,
  attributeNames: Readonly<Record<number, string>>,
): TableColumn<ReportCharacteristic>[] {
  const t = wordsOf(locale);
  return names
    .filter((name) => !DRAWN.has(name))
    .map((name) => {
      const key = Number(/^K(\d+)$/.exec(name)?.[1]);
      if (Number.isInteger(key))
        return { name: attributeNames[key] ?? name, type: 'text', text: ({ attributes }) => attributes[key] ?? '' };
      const known = name as FigureName;
      const head = t[`column_${known}`];
      if (!isNumberName(known)) return { name: head, type: 'text', text: (row) => figureText(known, row, locale) };
      return { name: head, type: 'number', text: (row) => numberText(shownNumber(known, row)) };
    });
}

function alarmColumns(names: readonly string[], locale: Locale, content: ReportContent): TableColumn<Alarm>[] {
  const t = wordsOf(locale);
  return names.map((name) => {
    const known = name as AlarmColumn;
    const head = t[`alarm_${known}`];
    if (known === 'raised' || known === 'closed') return { name: head, type: 'time', text: (alarm) => localTime(alarm[known]) };
    if (known === 'value') return { name: head, type: 'number', text: ({ value }) => (value === undefined ? '' : String(value)) };
    return { name: head, type: 'text', text: (alarm) => alarmText(known, alarm, { locale, t, content }) };
  });
}

function numberText(shown: { value: number; decimals: number } | undefined): string {
  return shown === undefined ? '' : shown.value.toFixed(shown.decimals);
}

/** Time of the clock in the zone of the process, as the sheet has it: cells know no zone. */
function localTime(time: string | undefined): string {
  if (time === undefined) return '';
  const at = new Date(time);
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString();
}

/** @param last sentence behind the rows */
function outputTable<Row>(columns: readonly TableColumn<Row>[], rows: AsyncIterable<Row>, last: string | undefined) {
  async function* batches(): AsyncGenerator<OutputRow[]> {
    let batch: OutputRow[] = [];
    for await (const row of rows) {
      batch.push(columns.map(({ text }) => text(row)));
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
    yield last === undefined ? batch : [...batch, [last]];
  }
  return { columns: columns.map(({ name, type }) => ({ name, type })), rows: batches() };
}
