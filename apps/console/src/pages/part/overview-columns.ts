import { type Formats, shownDecimals } from '@sinebar/charts';
import type { PartOverview } from '@sinebar/client';
import type { Status } from '../../design/status/glyph';
import { lightOf } from '../../quality/values/lights';
import { middleOf } from '../../quality/values/limits';
import { namesOf } from '../../server/queries/plan-path';
import { modelText, type ProcessTexts } from '../../quality/values/process';
import { toleranceText } from '../../quality/values/tolerance-text';

/** A characteristic of the overview of a part. */
export type OverviewEntry = PartOverview['characteristics'][number];

/** Columns of the overview that can be chosen, in their order. */
export const OVERVIEW_COLUMNS = [
  'nominal',
  'lowerTolerance',
  'upperTolerance',
  'tolerance',
  'lowerWarning',
  'upperWarning',
  'newest',
  'time',
  'deviation',
  'bar',
  'n',
  'mean',
  's',
  'p',
  'pk',
  'index',
  'process',
  'withinP',
  'withinPk',
  'course',
] as const;
export type OverviewColumn = (typeof OVERVIEW_COLUMNS)[number];

/** Columns that show as long as the reader chooses no others. */
export const USUAL_COLUMNS: readonly OverviewColumn[] = [
  'nominal',
  'tolerance',
  'newest',
  'deviation',
  'bar',
  'n',
  'mean',
  's',
  'p',
  'pk',
  'index',
  'process',
  'course',
];

/** Columns that hold a drawing; the others have a text in the table and a figure in the CSV. */
const DRAWN_COLUMNS: readonly OverviewColumn[] = ['bar', 'index', 'course'];

/** A row as it is shown: all figures of one characteristic have the same digits. */
export interface OverviewRow {
  entry: OverviewEntry;
  status: Status;
  /** Names between the part and the characteristic. */
  group: string;
  decimals: number;
}

/**
 * @param depth number of names in the path of the part that is shown
 * @param places text of the attribute K2022 of the characteristic, its decimal places
 */
export function overviewRow(entry: OverviewEntry, depth: number, places?: string): OverviewRow {
  const { sources: _, ...limits } = entry.limits;
  return {
    entry,
    status: lightOf(entry.now),
    group: namesOf(entry.path).slice(depth, -1).join(' / '),
    decimals: shownDecimals({ limits, values: [entry.last?.value, ...entry.sparkline], places }),
  };
}

/** Text of a cell with a figure; empty where the figure is not defined. */
export function cellText(column: OverviewColumn, { entry, decimals }: OverviewRow, formats: Formats): string {
  const { limits, last } = entry;
  const figure = (value: number | undefined, more = 0) => (value === undefined ? '' : formats.number(value, decimals + more));
  const index = (value: number | undefined) => (value === undefined ? '' : formats.number(value, 2));
  switch (column) {
    case 'nominal':
    case 'lowerTolerance':
    case 'upperTolerance':
    case 'lowerWarning':
    case 'upperWarning':
      return figure(limits[column]);
    case 'tolerance':
      return toleranceText(limits, decimals, formats);
    case 'newest':
      return figure(last?.value);
    case 'time':
      return last?.time === undefined ? '' : formats.dateTime(last.time);
    case 'deviation': {
      const deviation = deviationOf(entry);
      return deviation === undefined ? '' : formats.signed(deviation, decimals);
    }
    case 'n':
      return formats.count(entry.count);
    case 'mean':
      return figure(entry.mean, 1);
    case 's':
      return figure(entry.standardDeviation, 1);
    case 'p':
      return index(entry.overall?.p);
    case 'pk':
      return index(entry.overall?.pk);
    case 'withinP':
      return index(entry.within?.p);
    case 'withinPk':
      return index(entry.within?.pk);
    case 'bar':
    case 'index':
    case 'process':
    case 'course':
      return '';
  }
}

/** Deviation of the newest value from nominal, or from the middle of the tolerance. */
function deviationOf({ last, limits }: OverviewEntry): number | undefined {
  const middle = middleOf(limits);
  return last === undefined || middle === undefined ? undefined : last.value - middle;
}

/** Columns of the CSV: the model of Ppk, and the time since when a process is not stable, have their own. */
type CsvColumn = OverviewColumn | 'model' | 'since';

/** Cell of the CSV: figures in full precision, times as the server has them, statuses and models in words. */
export function csvCell(column: CsvColumn, row: OverviewRow, words: ProcessTexts): string | number | undefined {
  if (column === 'process') return words[row.entry.process];
  if (column === 'model') return modelText(row.entry, words);
  return column === 'since' ? row.entry.since?.time : cellFigure(column, row);
}

/** Figure of a cell, in full precision; a text for times. */
export function cellFigure(column: OverviewColumn, { entry }: OverviewRow): string | number | undefined {
  const { limits, last } = entry;
  const figures: Readonly<
    Record<Exclude<OverviewColumn, 'bar' | 'index' | 'process' | 'course' | 'tolerance' | 'time'>, number | undefined>
  > = {
    nominal: limits.nominal,
    lowerTolerance: limits.lowerTolerance ?? limits.lowerBoundary,
    upperTolerance: limits.upperTolerance ?? limits.upperBoundary,
    lowerWarning: limits.lowerWarning,
    upperWarning: limits.upperWarning,
    newest: last?.value,
    deviation: deviationOf(entry),
    n: entry.count,
    mean: entry.mean,
    s: entry.standardDeviation,
    p: entry.overall?.p,
    pk: entry.overall?.pk,
    withinP: entry.within?.p,
    withinPk: entry.within?.pk,
  };
  if (column === 'time') return last?.time;
  if (!(column in figures)) return undefined;
  return figures[column as keyof typeof figures];
}

/** Columns of the CSV: those without drawings; the tolerance as its two limits. */
export function csvColumns(chosen: readonly OverviewColumn[]): CsvColumn[] {
  const wanted = new Set<OverviewColumn>(chosen);
  if (wanted.delete('tolerance')) wanted.add('lowerTolerance').add('upperTolerance');
  return OVERVIEW_COLUMNS.filter((column) => wanted.has(column) && !DRAWN_COLUMNS.includes(column)).flatMap((column): CsvColumn[] => {
    if (column === 'pk') return [column, 'model'];
    return column === 'process' ? [column, 'since'] : [column];
  });
}
