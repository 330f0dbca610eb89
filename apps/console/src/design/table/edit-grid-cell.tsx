import type { KeyboardEvent } from 'react';
import textStyles from '../styles/text.module.css';
import tableStyles from '../tables/table.module.css';
import styles from './edit-grid.module.css';

export interface EditColumn {
  id: string;
  head: string;
  /** Least width in px; the first column takes the rest. */
  width: number;
  isNumber?: boolean;
}

export interface EditCell {
  /** Text as a reader sees it. */
  shown: string;
  /** Text as it is typed and copied. */
  typed: string;
  /** Stands in grey in the place of an empty text. */
  placeholder?: string;
  isChanged?: boolean;
  /** Says what is wrong with the text. */
  problem?: string | undefined;
}

interface EditGridCellProps {
  id: string;
  cell: EditCell;
  column: EditColumn;
  isHere: boolean;
  isFirst: boolean;
  /** Text while it is edited. */
  editing: string | undefined;
  onPress: () => void;
  onType: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onLeave: () => void;
}

/** A cell of a table that is edited: its text, or the field in which the text is written. */
export function EditGridCell({ id, cell, column, isHere, isFirst, editing, onPress, onType, onKeyDown, onLeave }: EditGridCellProps) {
  const classes = [
    column.isNumber && tableStyles.number,
    isHere && styles.here,
    cell.isChanged && styles.changed,
    cell.problem && styles.wrong,
  ];
  const Tag = isFirst ? 'th' : 'td';
  return (
    <Tag
      id={id}
      role={isFirst ? 'rowheader' : 'gridcell'}
      aria-invalid={cell.problem !== undefined}
      className={classes.filter(Boolean).join(' ')}
      title={cell.problem ?? cell.shown}
      onClick={onPress}
    >
      {editing === undefined ? (
        cell.shown || (cell.placeholder !== undefined && <span className={textStyles.soft}>{cell.placeholder}</span>)
      ) : (
        <input
          // The reader has asked to edit this cell.
          autoFocus
          aria-label={column.head}
          inputMode={column.isNumber === true ? 'decimal' : undefined}
          autoComplete="off"
          value={editing}
          onChange={(event) => onType(event.target.value)}
          onKeyDown={onKeyDown}
          onBlur={onLeave}
          onClick={(event) => event.stopPropagation()}
        />
      )}
    </Tag>
  );
}
