import type { Formats } from '@sinebar/charts';
import type { Note } from '@sinebar/client';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { DeviationBar, IndexDot, Sparkline } from '../../charts/small/small-charts';
import { Hidden } from '../../design/controls/text-field';
import { useFormats, useTexts } from '../../design/language/language';
import { Glyph } from '../../design/status/glyph';
import { figureWidth } from '../../design/table/fitting-columns';
import { SortButton } from '../../design/table/sort-button';
import type { TableColumn } from '../../design/table/table-column';
import { NoteMark } from '../../quality/notes/note-mark';
import { familyText, modelText, PROCESS_GLYPHS, processText, type ProcessTexts } from '../../quality/values/process';
import { processTexts } from '../../quality/values/process-texts';
import { cellFigure, cellText, OVERVIEW_COLUMNS, type OverviewColumn, type OverviewRow } from './overview-columns';
import styles from './part.module.css';
import { texts } from './texts';
import type { OverviewOrder } from './search';
import type { OverviewChoice } from './use-overview';
import smallStyles from '../../charts/small/small.module.css';
import textStyles from '../../design/styles/text.module.css';

/** A row with its unit. */
export type ShownRow = OverviewRow & { unit: string };

interface ColumnsOptions extends Besides {
  columns: readonly OverviewColumn[];
  partUuid: string;
  choice: OverviewChoice;
  onOrder: (order: OverviewOrder) => void;
  widths: ColumnWidths;
  /** Notes by the uuid of their characteristic. */
  notes: ReadonlyMap<string, readonly Note[]>;
}

/** Width of each column, px. */
const WIDTHS: Readonly<Record<OverviewColumn, number>> = {
  nominal: 72,
  lowerTolerance: 80,
  upperTolerance: 80,
  tolerance: 80,
  lowerWarning: 88,
  upperWarning: 88,
  newest: 68,
  time: 136,
  deviation: 68,
  bar: 148,
  n: 56,
  mean: 76,
  s: 60,
  p: 46,
  pk: 46,
  index: 80,
  process: 120,
  withinP: 46,
  withinPk: 46,
  course: 136,
};
const UNIT_WIDTH = 22;
/** Width of a character of a note, px. */
const NOTE_CHARACTER = 6.4;
const STATUS_WIDTH = 26;
/** Least width of the names, px. */
const NAME_WIDTH = 160;
/** Columns that give way to the names on a narrow page, the first one first; newest value and index stay. */
const DISPENSABLE: readonly OverviewColumn[] = [
  's',
  'mean',
  'n',
  'tolerance',
  'p',
  'index',
  'course',
  'deviation',
  'nominal',
  'bar',
  'process',
];
/** Wanted capability that the drawn indices are compared with. */
const WANTED = 1.33;

/** Widths of columns in px: as wide as their longest figure, so that none is cut. */
export type ColumnWidths = Readonly<Record<OverviewColumn, number>>;

/** What stands beside figures. */
export interface Besides {
  /** Whether the unit stands behind each nominal value, since rows have different ones. */
  showUnits: boolean;
  /** Whether the model stands before each Ppk; a phone has it in the tool tip only. */
  showModels: boolean;
}

/** Measures the columns by the rows that are shown. */
export function columnWidths(
  rows: readonly ShownRow[],
  formats: Formats,
  words: ProcessTexts,
  { showUnits, showModels }: Besides,
): ColumnWidths {
  const families = showModels ? Math.max(0, ...rows.map(({ entry }) => familyText(entry, words).length)) * NOTE_CHARACTER : 0;
  const widthOf = (column: OverviewColumn) => {
    const figures = rows.map((row) => cellText(column, row, formats));
    const beside = column === 'pk' ? families : column === 'nominal' && showUnits ? UNIT_WIDTH : 0;
    return figureWidth(figures, WIDTHS[column]) + beside;
  };
  return Object.fromEntries(OVERVIEW_COLUMNS.map((column) => [column, widthOf(column)])) as Record<OverviewColumn, number>;
}

/** Width that the table needs so that names can be read, px. */
export function neededWidth(columns: readonly OverviewColumn[], widths: ColumnWidths): number {
  return columns.reduce((sum, column) => sum + widths[column], STATUS_WIDTH + NAME_WIDTH);
}

/** Leaves out columns until the rest fits into a width. */
export function fittingColumns(columns: readonly OverviewColumn[], width: number, widths: ColumnWidths): readonly OverviewColumn[] {
  let fitting = columns;
  for (const dispensable of DISPENSABLE) {
    if (neededWidth(fitting, widths) <= width) break;
    fitting = fitting.filter((column) => column !== dispensable);
  }
  return fitting;
}

/** The columns of the table, the status and the name first. */
export function useColumns({
  columns,
  partUuid,
  choice,
  onOrder,
  showUnits,
  showModels,
  widths,
  notes,
}: ColumnsOptions): TableColumn<ShownRow>[] {
  const t = useTexts(texts);
  const words = useTexts(processTexts);
  const formats = useFormats();
  return useMemo(() => {
    const status: TableColumn<ShownRow> = {
      id: 'status',
      head: <Hidden>{t.statusHead}</Hidden>,
      width: STATUS_WIDTH,
      content: 'glyph',
      cell: (row) => <Glyph name={row.entry.now} />,
    };
    const name: TableColumn<ShownRow> = {
      id: 'name',
      head: (
        <SortButton isSorted onPress={() => onOrder(choice.order === 'status' ? 'name' : 'status')}>
          {t.characteristic}
          {choice.order === 'status' && `, ${t.orderStatus}\u00A0↓`}
          {choice.order === 'name' && '\u00A0↑'}
        </SortButton>
      ),
      isRowHeader: true,
      wraps: true,
      sorted: choice.order === 'name' ? 'ascending' : choice.order === 'status' ? 'descending' : undefined,
      cell: ({ entry, group }) => (
        <>
          <Link
            title={entry.name}
            to="/parts/$partUuid/characteristics/$characteristicUuid"
            params={{ partUuid, characteristicUuid: entry.uuid }}
            tabIndex={-1}
          >
            {entry.name}
          </Link>
          <NoteMark notes={notes.get(entry.uuid)} />
          {group !== '' && <span className={styles.group}>{group}</span>}
        </>
      ),
    };
    return [status, name, ...columns.map((column) => columnOf(column))];

    function columnOf(column: OverviewColumn): TableColumn<ShownRow> {
      const base = { id: column, width: widths[column], head: headOfColumn(column) };
      if (column === 'bar') return { ...base, align: 'middle', cell: barCell };
      if (column === 'index')
        return { ...base, cell: ({ entry }) => entry.overall?.pk !== undefined && <IndexDot value={entry.overall.pk} wanted={WANTED} /> };
      if (column === 'process') return { ...base, cell: processCell };
      if (column === 'course') return { ...base, cell: courseCell };
      return {
        ...base,
        align: 'end',
        sorted: column === 'pk' && choice.order === 'ppk' ? 'ascending' : undefined,
        cell: (row) => {
          const figure = cellFigure(column, row);
          return (
            <span title={fullFigure(column, row)} data-number={typeof figure === 'number' ? figure : undefined}>
              {figureCell(column, row)}
            </span>
          );
        },
      };
    }

    function headOfColumn(column: OverviewColumn) {
      if (column === 'index') {
        return (
          <span className={smallStyles.scale}>
            <span>{formats.count(0)}</span>
            <Hidden>{t.headIndex}</Hidden>
            <span>{formats.count(2)}</span>
          </span>
        );
      }
      if (column === 'pk') {
        return (
          <SortButton isSorted={choice.order === 'ppk'} onPress={() => onOrder(choice.order === 'ppk' ? 'status' : 'ppk')}>
            {t.headPk}
            {choice.order === 'ppk' && '\u00A0↑'}
          </SortButton>
        );
      }
      return t[`head${column.charAt(0).toUpperCase()}${column.slice(1)}` as 'headNominal'];
    }

    function barCell({ entry }: ShownRow) {
      if (entry.last === undefined) return <span className={textStyles.soft}>{t.notMeasured}</span>;
      return <DeviationBar value={entry.last.value} limits={entry.limits} status={entry.last.status} />;
    }

    function processCell({ entry, decimals }: ShownRow) {
      return (
        <span title={processText(entry, decimals, formats, words)}>
          <Glyph name={PROCESS_GLYPHS[entry.process]} label="" /> {words[entry.process]}
        </span>
      );
    }

    function courseCell({ entry }: ShownRow) {
      return entry.sparkline.length > 0 && <Sparkline values={entry.sparkline} limits={entry.limits} />;
    }

    /** The figure with all its digits, for the tool tip. */
    function fullFigure(column: OverviewColumn, row: ShownRow) {
      const figure = cellFigure(column, row);
      if (typeof figure !== 'number') return undefined;
      const model = column === 'pk' ? modelText(row.entry, words) : '';
      return model === '' ? formats.number(figure) : `${formats.number(figure)}, ${model}`;
    }

    function figureCell(column: OverviewColumn, row: ShownRow) {
      const text = cellText(column, row, formats);
      if (text === '') return null;
      if (column === 'nominal') {
        return (
          <>
            {text}
            {showUnits && row.unit !== '' && <span className={textStyles.unit}>{row.unit}</span>}
          </>
        );
      }
      if (column === 'newest') return <span className={`${textStyles.strong} ${textStyles[row.status] ?? ''}`}>{text}</span>;
      if (column === 'deviation' || column === 'n') return <span className={textStyles.soft}>{text}</span>;
      if (column === 'pk') {
        return (
          <>
            {showModels && row.entry.model !== undefined && <span className={textStyles.note}>{familyText(row.entry, words)} </span>}
            <span className={(row.entry.overall?.pk ?? WANTED) < WANTED ? textStyles.strong : undefined}>{text}</span>
          </>
        );
      }
      return text;
    }
  }, [columns, partUuid, choice.order, onOrder, showUnits, showModels, widths, notes, t, words, formats]);
}
