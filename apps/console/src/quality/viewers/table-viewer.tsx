import { useMemo } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import textStyles from '../../design/styles/text.module.css';
import type { TableColumn } from '../../design/table/table-column';
import { VirtualTable } from '../../design/table/virtual-table';
import type { ViewerProps } from './content-viewer-props';
import { decodeText } from './decode-text';
import { PartNote } from './part-note';
import { Sentence } from './sentence';
import { tableRows, type TableRows } from './table-rows';
import { texts } from './viewer-texts';
import styles from './viewer.module.css';

/** Columns that are drawn; a wider table would make each row slow. */
const MAX_COLUMNS = 200;
/** Rows whose longest text gives a column its width. */
const MEASURED_ROWS = 100;
/** Letters of a cell that are drawn: a quote that is never closed makes the rest of a file one cell. */
const MAX_LETTERS = 1000;
const LETTER_PX = 8;
const MIN_PX = 56;
const MAX_PX = 320;

/** A table of which only the rows in view are drawn. */
export function TableViewer({ source, content }: ViewerProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const table = useMemo(() => {
    const text = decodeText(content.bytes, content.isWhole);
    return text === undefined ? undefined : tableRows(text, content.isWhole);
  }, [content]);
  const columns = useMemo(() => (table === undefined ? [] : columnsOf(table, t.row, formats.count)), [table, t, formats]);
  if (table === undefined) return <Sentence>{t.binary}</Sentence>;
  const { head, rows } = table;
  return (
    <div className={styles.column}>
      <PartNote content={content} />
      <p className={textStyles.note}>
        {t.rows(formats.count(rows.length), formats.count(head.length))}
        {head.length > MAX_COLUMNS && ` ${t.shownColumns(formats.count(MAX_COLUMNS))}`}
      </p>
      <VirtualTable
        label={t.tableOf(source.fileName)}
        columns={columns}
        rowCount={rows.length}
        rowAt={(index) => rows[index]}
        keyOf={String}
        minWidth={columns.reduce((sum, { width = 0 }) => sum + width, 0)}
      />
    </div>
  );
}

function cutText(text = ''): string {
  return text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS)}…` : text;
}

function columnsOf({ head, rows }: TableRows, rowName: string, count: (value: number) => string): TableColumn<readonly string[]>[] {
  const measured = rows.slice(0, MEASURED_ROWS);
  const widthOf = (column: number) => {
    const letters = measured.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), head[column]?.length ?? 0);
    return Math.min(Math.max(letters * LETTER_PX + 16, MIN_PX), MAX_PX);
  };
  return [
    { id: 'row', head: rowName, width: 72, align: 'end', isRowHeader: true, cell: (_, index) => count(index + 1) },
    ...head.slice(0, MAX_COLUMNS).map((name, column): TableColumn<readonly string[]> => {
      const isNumber =
        measured.length > 0 && measured.every((row) => /^\s*[-+−]?[\d.,' ]*\d([eE][-+]?\d+)?\s*$|^$/.test(row[column] ?? ''));
      return {
        id: String(column),
        head: <span title={cutText(name)}>{cutText(name)}</span>,
        width: widthOf(column),
        ...(isNumber && { align: 'end' as const }),
        cell: (row) => <span title={cutText(row[column])}>{cutText(row[column])}</span>,
      };
    }),
    // Takes the room that is left, so that the others stay as wide as their texts.
    { id: 'rest', head: null, cell: () => null },
  ];
}
