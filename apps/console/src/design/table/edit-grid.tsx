import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useId, useRef } from 'react';
import checkStyles from '../controls/check.module.css';
import { ColumnEdge } from './column-edge';
import { useColumnWidths } from './use-column-widths';
import { RowsLeftOut } from './rows-left-out';
import { MAX_PRINTED_ROWS, usePrintedRows } from './use-printed-rows';
import { useWidth } from '../page/use-width';
import { THUMB, useCoarse } from '../page/use-coarse';
import tableStyles from '../tables/table.module.css';
import { EditGridCell } from './edit-grid-cell';
import styles from './edit-grid.module.css';
import { useEditKeys, type CellIndex, type EditedRows } from './use-edit-keys';

export interface EditGridProps extends EditedRows {
  label: string;
  openLabel: (row: string) => string | undefined;
  /** Name under which this browser keeps the widths of the columns. */
  keptAs: string;
}

const ROW = 30;
const CHECK = 34;
const OPEN = 34;
const HEAD = 26;

/**
 * A table that is edited like a spreadsheet. It is one stop of the keyboard: arrows move, Enter, F2 or a character edit a cell, Delete
 * empties it, the space bar chooses the row, Ctrl and Enter opens it; Ctrl C and Ctrl V copy and paste.
 */
export function EditGrid(props: EditGridProps) {
  const { label, columns, rows, cellOf, isReadOnly, chosen, onChoose, chooseLabel, onOpen, openLabel, keptAs } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const [paneWidth, measure] = useWidth();
  const height = useCoarse() ? THUMB : ROW;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: (index) => rows[index] ?? index,
    overscan: 12,
    scrollPaddingStart: HEAD,
    initialRect: { width: 1152, height: 600 },
  });
  useEffect(() => virtual.measure(), [virtual, height]);
  const keys = useEditKeys({
    ...props,
    pageRows: () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / height) - 2),
    onGo: (next) => {
      virtual.scrollToIndex(next.row, { align: 'auto' });
      document.getElementById(cellId(next))?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
    },
    focusGrid: () => table.current?.focus(),
  });
  const { at, editing } = keys;
  const cellId = ({ row, column }: CellIndex) => `${id}${row}-${column}`;

  const isPrinting = usePrintedRows({ rowCount: rows.length }) === 'paper';
  const drawn = virtual.getVirtualItems();
  const items = isPrinting ? rows.slice(0, MAX_PRINTED_ROWS).map((key, index) => ({ index, key })) : drawn;
  const above = isPrinting ? 0 : (drawn[0]?.start ?? 0);
  const below = isPrinting ? 0 : virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0);
  const choosable = rows.filter((each) => chooseLabel(each) !== undefined);
  const beside = CHECK + OPEN;
  const widths = useColumnWidths(
    keptAs,
    columns.map(({ id: column, width: least }, index) => ({ id: column, least, isRest: index === 0 })),
    (paneWidth ?? 0) - beside,
  );
  return (
    <div ref={scroller} className={styles.scroller}>
      <div ref={measure} />
      <table
        ref={table}
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-activedescendant={rows.length === 0 ? undefined : cellId(at)}
        aria-readonly={isReadOnly}
        className={styles.grid}
        style={{ minWidth: widths.total + beside }}
        onKeyDown={keys.onKeyDown}
        onPaste={keys.onPaste}
        onCopy={keys.onCopy}
      >
        <colgroup>
          {!isReadOnly && <col style={{ width: CHECK }} />}
          {columns.map((each, index) => (
            <col key={each.id} style={index === 0 ? undefined : { width: widths.widthOf(each.id) }} />
          ))}
          <col style={{ width: OPEN }} />
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {!isReadOnly && (
              <th scope="col">
                <input
                  type="checkbox"
                  className={checkStyles.check}
                  aria-label={chooseLabel(undefined)}
                  checked={choosable.length > 0 && choosable.every((each) => chosen.has(each))}
                  onChange={(event) => onChoose(choosable, event.target.checked)}
                />
              </th>
            )}
            {columns.map(({ id: columnId, head, isNumber }, index) => (
              <th key={columnId} scope="col" title={head} aria-label={head} className={isNumber === true ? tableStyles.number : undefined}>
                <span id={`${id}head-${columnId}`}>{head}</span>
                <ColumnEdge id={columnId} headId={`${id}head-${columnId}`} isRest={index === 0} widths={widths} />
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {above > 0 && (
            <tr aria-hidden="true" className={styles.space}>
              <td style={{ height: above }} />
            </tr>
          )}
          {items.map(({ index, key }) => {
            const each = rows[index] ?? '';
            const choose = chooseLabel(each);
            const open = openLabel(each);
            return (
              <tr key={key} aria-rowindex={index + 2} className={chosen.has(each) ? styles.chosen : undefined}>
                {!isReadOnly && (
                  <td>
                    {choose !== undefined && (
                      <input
                        type="checkbox"
                        tabIndex={-1}
                        className={checkStyles.check}
                        aria-label={choose}
                        checked={chosen.has(each)}
                        onChange={(event) => onChoose([each], event.target.checked)}
                      />
                    )}
                  </td>
                )}
                {columns.map((col, c) => {
                  const isHere = at.row === index && at.column === c;
                  return (
                    <EditGridCell
                      key={col.id}
                      id={cellId({ row: index, column: c })}
                      cell={cellOf(each, col.id)}
                      column={col}
                      isHere={isHere}
                      isFirst={c === 0}
                      editing={isHere ? editing : undefined}
                      onPress={() => keys.onPress({ row: index, column: c })}
                      onType={keys.onType}
                      onKeyDown={keys.onCellKeyDown}
                      onLeave={keys.onLeave}
                    />
                  );
                })}
                <td>
                  {open !== undefined && (
                    <button type="button" tabIndex={-1} className={styles.open} aria-label={open} title={open} onClick={() => onOpen(each)}>
                      ›
                    </button>
                  )}
                </td>
              </tr>
            );
          })}
          {below > 0 && (
            <tr aria-hidden="true" className={styles.space}>
              <td style={{ height: below }} />
            </tr>
          )}
        </tbody>
      </table>
      {isPrinting && <RowsLeftOut count={rows.length - items.length} />}
    </div>
  );
}
