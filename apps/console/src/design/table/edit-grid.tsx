import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useId, useRef } from 'react';
import checkStyles from '../controls/check.module.css';
import { THUMB, useCoarse } from '../page/use-coarse';
import tableStyles from '../tables/table.module.css';
import { EditGridCell } from './edit-grid-cell';
import styles from './edit-grid.module.css';
import { useEditKeys, type CellIndex, type EditedRows } from './use-edit-keys';

export interface EditGridProps extends EditedRows {
  label: string;
  openLabel: (row: string) => string | undefined;
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
  const { label, columns, rows, cellOf, isReadOnly, chosen, onChoose, chooseLabel, onOpen, openLabel } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
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

  const items = virtual.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const choosable = rows.filter((each) => chooseLabel(each) !== undefined);
  const width = columns.reduce((sum, each) => sum + each.width, CHECK + OPEN);
  return (
    <div ref={scroller} className={styles.scroller}>
      <table
        ref={table}
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-activedescendant={rows.length === 0 ? undefined : cellId(at)}
        aria-readonly={isReadOnly}
        className={styles.grid}
        style={{ minWidth: width }}
        onKeyDown={keys.onKeyDown}
        onPaste={keys.onPaste}
        onCopy={keys.onCopy}
      >
        <colgroup>
          {!isReadOnly && <col style={{ width: CHECK }} />}
          {columns.map((each, index) => (
            <col key={each.id} style={index === 0 ? undefined : { width: each.width }} />
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
            {columns.map(({ id: columnId, head, isNumber }) => (
              <th key={columnId} scope="col" title={head} className={isNumber === true ? tableStyles.number : undefined}>
                {head}
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
    </div>
  );
}
