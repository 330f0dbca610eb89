import { useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import type { EditCell, EditColumn } from './edit-grid-cell';

/** A cell by the indexes of its row and column. */
export interface CellIndex {
  row: number;
  column: number;
}

/** Rows of a table that is edited, and what can be done with them. */
export interface EditedRows {
  columns: readonly EditColumn[];
  /** Keys of the rows, in order. */
  rows: readonly string[];
  cellOf: (row: string, column: string) => EditCell;
  isReadOnly: boolean;
  onEdit: (row: string, column: string, typed: string) => void;
  /** Called with a text of several cells. */
  onPasteCells: (text: string) => void;
  chosen: ReadonlySet<string>;
  onChoose: (rows: readonly string[], isChosen: boolean) => void;
  /** Names the check box of a row, and that of all; rows without a name have none. */
  chooseLabel: (row: string | undefined) => string | undefined;
  onOpen: (row: string) => void;
}

export interface EditKeysOptions extends EditedRows {
  /** Rows that a page of the keyboard moves by. */
  pageRows: () => number;
  /** Called when another cell becomes the present one. */
  onGo: (place: CellIndex) => void;
  focusGrid: () => void;
}

export interface EditKeys {
  at: CellIndex;
  /** Text of the cell that is edited. */
  editing: string | undefined;
  onKeyDown: (event: KeyboardEvent) => void;
  onCellKeyDown: (event: KeyboardEvent) => void;
  onPaste: (event: ClipboardEvent) => void;
  onCopy: (event: ClipboardEvent) => void;
  onPress: (place: CellIndex) => void;
  onType: (text: string) => void;
  onLeave: () => void;
}

/** Holds which cell of a table is the present one, and what is typed into it. */
export function useEditKeys(options: EditKeysOptions): EditKeys {
  const { columns, rows, cellOf, isReadOnly, onEdit, onPasteCells, chosen, onChoose, chooseLabel, onOpen } = options;
  const { pageRows, onGo, focusGrid } = options;
  const [place, setPlace] = useState<CellIndex>({ row: 0, column: 0 });
  const [editing, setEditing] = useState<string>();
  const isOpen = useRef(false);
  const at = { row: Math.min(place.row, rows.length - 1), column: Math.min(place.column, columns.length - 1) };
  const [row, column] = [rows[at.row], columns[at.column]];

  const go = (rowStep: number, columnStep: number) => {
    const limit = (value: number, count: number) => Math.max(0, Math.min(value, count - 1));
    const next = { row: limit(at.row + rowStep, rows.length), column: limit(at.column + columnStep, columns.length) };
    setPlace(next);
    onGo(next);
  };
  const edit = (text?: string) => {
    if (isReadOnly || row === undefined || column === undefined) return;
    isOpen.current = true;
    setEditing(text ?? cellOf(row, column.id).typed);
  };
  const finish = (isTaken: boolean) => {
    // The field loses the focus once more when it goes.
    if (editing === undefined || !isOpen.current) return;
    isOpen.current = false;
    setEditing(undefined);
    if (isTaken && row !== undefined && column !== undefined && editing !== cellOf(row, column.id).typed) onEdit(row, column.id, editing);
  };

  const move = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || row === undefined || column === undefined) return;
    const page = pageRows();
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(1, 0),
      ArrowUp: () => go(-1, 0),
      ArrowRight: () => go(0, 1),
      ArrowLeft: () => go(0, -1),
      PageDown: () => go(page, 0),
      PageUp: () => go(-page, 0),
      Home: () => go(event.ctrlKey ? -rows.length : 0, -columns.length),
      End: () => go(event.ctrlKey ? rows.length : 0, columns.length),
      Enter: () => (event.ctrlKey ? onOpen(row) : edit()),
      F2: () => edit(),
      Delete: () => !isReadOnly && onEdit(row, column.id, ''),
      Backspace: () => !isReadOnly && onEdit(row, column.id, ''),
      ' ': () => chooseLabel(row) !== undefined && onChoose([row], !chosen.has(row)),
    };
    const isText = event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
    const does = moves[event.key] ?? (isText && !isReadOnly ? () => edit(event.key) : undefined);
    if (does === undefined) return;
    event.preventDefault();
    does();
  };
  const leaveCell = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, readonly [number, number]>> = {
      Enter: [event.shiftKey ? -1 : 1, 0],
      Tab: [0, event.shiftKey ? -1 : 1],
      ArrowDown: [1, 0],
      ArrowUp: [-1, 0],
      Escape: [0, 0],
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    finish(event.key !== 'Escape');
    go(...step);
    focusGrid();
  };
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain').replace(/\r?\n$/, '');
    const isOfCells = /[\t\n]/.test(text);
    if (isReadOnly || (editing !== undefined && !isOfCells)) return;
    event.preventDefault();
    isOpen.current = false;
    setEditing(undefined);
    if (isOfCells) onPasteCells(text);
    else if (row !== undefined && column !== undefined) onEdit(row, column.id, text);
  };
  const copy = (event: ClipboardEvent) => {
    if (editing !== undefined || row === undefined || column === undefined) return;
    event.clipboardData.setData('text/plain', cellOf(row, column.id).typed);
    event.preventDefault();
  };
  return {
    at,
    editing,
    onKeyDown: move,
    onCellKeyDown: leaveCell,
    onPaste: paste,
    onCopy: copy,
    onPress: (pressed) => {
      const isHere = pressed.row === at.row && pressed.column === at.column;
      if (isHere && editing === undefined) edit();
      if (isHere) return;
      finish(true);
      setPlace(pressed);
      focusGrid();
    },
    onType: setEditing,
    onLeave: () => finish(true),
  };
}
