import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { useEffect, useId, useMemo, useRef, type KeyboardEvent, type Ref } from 'react';
import { THUMB, useCoarse } from '../page/use-coarse';
import { useWidth } from '../page/use-width';
import tableStyles from '../tables/table.module.css';
import { ColumnEdge } from './column-edge';
import { columnsAtWidth, fittingTableColumns, leastColumnWidth, neededTableWidth, PHONE } from './fitting-columns';
import { lastRowInView } from './rows-in-view';
import { RowsLeftOut } from './rows-left-out';
import type { TableColumn } from './table-column';
import { useColumnWidths } from './use-column-widths';
import { MAX_PRINTED_ROWS, usePrintedRows } from './use-printed-rows';
import styles from './virtual-table.module.css';

export interface VirtualTableProps<Row> {
  /** Names the table for screen readers. */
  label: string;
  columns: readonly TableColumn<Row>[];
  rowCount: number;
  /** @returns `undefined` for a row that is not read yet */
  rowAt: (index: number) => Row | undefined;
  keyOf: (index: number) => string;
  /** Row that is selected, or -1. */
  selected?: number;
  /** Called with the row that is chosen. @param isRange with the Shift key, which chooses all rows up to it where a page can */
  onSelect?: ((index: number, isRange: boolean) => void) | undefined;
  /** Called by Enter on the selected row. */
  onOpen?: ((index: number) => void) | undefined;
  /** Called by the space bar on the selected row. */
  onToggle?: ((index: number) => void) | undefined;
  /** Called with the rows of which at least half is in view, the last one included. */
  onView?: ((first: number, last: number) => void) | undefined;
  rowHeight?: number;
  /** Least width in px, below which the table scrolls sideways; by default what its columns need. */
  minWidth?: number | undefined;
  /** Name under which this browser keeps the widths of the columns; without one they go with the page. */
  keptAs?: string;
  isBusy?: boolean;
  tableRef?: Ref<HTMLTableElement>;
}

/** Rows above and below the view that are drawn too. */
const OVERSCAN = 12;
const BAR_HEIGHT = 26;
/** Rows that are in view in a window of any height; the page scrolls rather than to hide them. */
const MIN_ROWS = 5;

/**
 * A table that draws only the rows in view.
 * It is one stop of the keyboard: arrows, J and K, Page Up and Down, Home and End choose a row.
 * Enter opens the row, X or the space bar marks it.
 */
export function VirtualTable<Row>({
  label,
  columns: all,
  rowCount,
  rowAt,
  keyOf,
  selected = -1,
  onSelect,
  onOpen,
  onToggle,
  onView,
  rowHeight: wanted = 30,
  minWidth: given,
  keptAs,
  isBusy = false,
  tableRef,
}: VirtualTableProps<Row>) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLTableSectionElement>(null);
  const [width, measure] = useWidth();
  const phase = usePrintedRows({ rowCount, onView, isBusy });
  const isPrinting = phase === 'paper';
  const isNarrow = width !== undefined && width < PHONE;
  const columns = useMemo(() => (width === undefined ? all : fittingTableColumns(columnsAtWidth(all, width), width)), [all, width]);
  const least = (column: TableColumn<Row>) => ({
    id: column.id,
    least: leastColumnWidth(column, width),
    isRest: column.width === undefined,
  });
  const needed = neededTableWidth(columns, width);
  const widths = useColumnWidths(keptAs, columns.map(least), width ?? 0);
  const rowHeight = useCoarse() ? Math.max(wanted, THUMB) : wanted;
  const virtual = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: keyOf,
    overscan: OVERSCAN,
    paddingStart: 0,
    scrollPaddingStart: BAR_HEIGHT,
    initialRect: { width: 1152, height: 600 },
  });
  useEffect(() => virtual.measure(), [virtual, rowHeight, isNarrow]);
  const rows: readonly Pick<VirtualItem, 'index' | 'key' | 'start' | 'end'>[] = isPrinting
    ? printedRows(rowCount, rowAt, keyOf)
    : virtual.getVirtualItems();
  const first = rows[0];
  const last = rows.at(-1);
  const above = first?.start ?? 0;
  const below = isPrinting ? 0 : virtual.getTotalSize() - (last?.end ?? 0);
  const [firstIndex, lastIndex] = [virtual.range?.startIndex ?? 0, virtual.range?.endIndex ?? -1];

  useEffect(() => {
    if (phase !== 'screen' || lastIndex < firstIndex) return;
    const { clientHeight = 0, scrollTop = 0 } = scroller.current ?? {};
    const headHeight = head.current?.offsetHeight ?? 0;
    onView?.(
      firstIndex,
      lastRowInView(virtual.getVirtualItems(), { firstIndex, lastIndex, bottom: scrollTop + clientHeight - headHeight }),
    );
  }, [onView, firstIndex, lastIndex, rowCount, phase, virtual]);

  const choose = (index: number, isRange: boolean) => {
    const next = Math.min(Math.max(index, 0), rowCount - 1);
    if (next < 0) return;
    onSelect?.(next, isRange);
    virtual.scrollToIndex(next, { align: 'auto' });
  };

  const page = Math.max(1, lastIndex - firstIndex - 1);
  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>) => {
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return;
    const { key, shiftKey: isRange } = event;
    const down = () => choose(selected + 1, isRange);
    const up = () => choose(selected < 0 ? 0 : selected - 1, isRange);
    const toggle = () => {
      if (selected >= 0) onToggle?.(selected);
    };
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: down,
      j: down,
      ArrowUp: up,
      k: up,
      PageDown: () => choose(Math.max(selected, 0) + page, isRange),
      PageUp: () => choose(selected - page, isRange),
      Home: () => choose(0, isRange),
      End: () => choose(rowCount - 1, isRange),
      Enter: () => {
        if (selected >= 0) onOpen?.(selected);
      },
      ' ': toggle,
      x: toggle,
    };
    const move = moves[key.length === 1 ? key.toLowerCase() : key];
    if (!move || !onSelect) return;
    event.preventDefault();
    move();
  };

  const headOf = (column: TableColumn<Row>) => `${id}head-${column.id}`;
  const classOf = ({ align, content, wraps = false }: TableColumn<Row>) =>
    [
      align === 'end' && tableStyles.number,
      align === 'middle' && styles.middle,
      content && styles[content],
      wraps && isNarrow && styles.wrapped,
    ]
      .filter(Boolean)
      .join(' ');

  return (
    <div ref={scroller} className={styles.scroller} style={{ minHeight: BAR_HEIGHT + Math.min(rowCount, MIN_ROWS) * rowHeight }}>
      <div ref={measure} />
      <table
        ref={tableRef}
        role={onSelect && 'grid'}
        tabIndex={0}
        aria-activedescendant={onSelect && selected >= 0 ? `${id}${selected}` : undefined}
        onKeyDown={onKeyDown}
        className={isNarrow ? `${styles.table} ${styles.narrow}` : styles.table}
        style={{ minWidth: (given ?? needed) + widths.total - needed }}
        aria-label={label}
        aria-rowcount={rowCount + 1}
        aria-busy={isBusy}
      >
        <colgroup>
          {columns.map(({ id: column, width: own }) => (
            <col key={column} style={own === undefined ? undefined : { width: isPrinting ? own : widths.widthOf(column) }} />
          ))}
        </colgroup>
        <thead ref={head}>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <th key={column.id} scope="col" aria-sort={column.sorted} aria-labelledby={headOf(column)} className={classOf(column)}>
                <span id={headOf(column)} className={styles.head}>
                  {column.head}
                </span>
                {column.content === undefined && (
                  <ColumnEdge id={column.id} headId={headOf(column)} isRest={column.width === undefined} widths={widths} />
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {above > 0 && (
            <tr aria-hidden="true" className={styles.space}>
              <td colSpan={columns.length} style={{ height: above }} />
            </tr>
          )}
          {rows.map(({ index, key }) => {
            const row = rowAt(index);
            return (
              <tr
                key={key}
                id={`${id}${index}`}
                // Rows of a phone have as many lines as their names need.
                ref={isNarrow ? virtual.measureElement : undefined}
                data-index={index}
                aria-rowindex={index + 2}
                aria-selected={onSelect ? index === selected : undefined}
                className={index === selected ? styles.selected : undefined}
                // Shift chooses rows, not their texts.
                onMouseDown={(event) => event.shiftKey && onToggle && event.preventDefault()}
                onClick={({ shiftKey }) => onSelect?.(index, shiftKey)}
              >
                {row === undefined
                  ? columns.map(({ id }) => (
                      <td key={id}>
                        <span className={styles.bone} />
                      </td>
                    ))
                  : columns.map((column) =>
                      column.isRowHeader === true ? (
                        <th key={column.id} scope="row" className={classOf(column)}>
                          {column.cell(row, index)}
                        </th>
                      ) : (
                        <td key={column.id} className={classOf(column)}>
                          {column.cell(row, index)}
                        </td>
                      ),
                    )}
              </tr>
            );
          })}
          {below > 0 && (
            <tr aria-hidden="true" className={styles.space}>
              <td colSpan={columns.length} style={{ height: below }} />
            </tr>
          )}
        </tbody>
      </table>
      {isPrinting && <RowsLeftOut count={rowCount - rows.length} />}
    </div>
  );
}

/** The rows on paper: as many as it takes, of those that are read. */
function printedRows(rowCount: number, rowAt: (index: number) => unknown, keyOf: (index: number) => string) {
  return Array.from({ length: Math.min(rowCount, MAX_PRINTED_ROWS) }, (_, index) => ({
    index,
    key: keyOf(index),
    start: 0,
    end: 0,
  })).filter(({ index }) => rowAt(index) !== undefined);
}
