import { useId, useRef, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react';
import { defineTexts, useTexts } from '../language/language';
import styles from './column-edge.module.css';
import { MAX_COLUMN_WIDTH, type ColumnWidths } from './use-column-widths';

const texts = defineTexts({
  en: { width: 'Width of the column', hint: 'Drag to widen, double click to fit' },
  de: { width: 'Breite der Spalte', hint: 'Ziehen verbreitert, Doppelklick passt an' },
});

/** Distance by which an arrow key moves the edge, px. */
const STEP = 16;

interface ColumnEdgeProps {
  id: string;
  /** Id of the element with the name of the column. */
  headId: string;
  isRest: boolean;
  widths: ColumnWidths;
}

/** The right edge of a column, which makes it wider: by dragging, by arrow keys, and by a double click or Enter as wide as its content. */
export function ColumnEdge({ id, headId, isRest, widths }: ColumnEdgeProps) {
  const t = useTexts(texts);
  const ownId = useId();
  const dragged = useRef<{ fromX: number; from: number; tableFrom: number; to: number }>(undefined);
  const [width, least] = [widths.widthOf(id), widths.leastOf(id)];
  const within = (wanted: number) => Math.round(Math.min(MAX_COLUMN_WIDTH, Math.max(least, wanted)));
  const take = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault();
    event.currentTarget.focus();
    event.currentTarget.setPointerCapture(event.pointerId);
    dragged.current = { fromX: event.clientX, from: width, tableFrom: widths.total, to: width };
  };
  // The table is not drawn anew while the pointer moves: only its columns are.
  const move = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const drag = dragged.current;
    const [cell, table] = [currentTarget.closest('th'), currentTarget.closest('table')];
    if (drag === undefined || cell === null || table === null) return;
    drag.to = within(drag.from + clientX - drag.fromX);
    const column = table.querySelectorAll('col')[cell.cellIndex];
    if (column && !isRest) column.style.width = `${drag.to}px`;
    table.style.minWidth = `${(isRest ? table.clientWidth - cell.clientWidth : drag.tableFrom - drag.from) + drag.to}px`;
  };
  const release = () => {
    if (dragged.current !== undefined && dragged.current.to !== width) widths.widen(id, dragged.current.to);
    dragged.current = undefined;
  };
  const fit = (edge: HTMLElement) => widths.widen(id, within(contentWidth(edge)));
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const moves: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => widths.widen(id, within(width - STEP)),
      ArrowRight: () => widths.widen(id, within(width + STEP)),
      Home: () => widths.widen(id, least),
      Enter: () => fit(event.currentTarget),
    };
    const does = moves[event.key];
    if (does === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    does();
  };
  return (
    <span
      id={ownId}
      role="separator"
      aria-orientation="vertical"
      aria-label={t.width}
      aria-labelledby={`${ownId} ${headId}`}
      aria-valuenow={width}
      aria-valuemin={least}
      aria-valuemax={MAX_COLUMN_WIDTH}
      title={t.hint}
      tabIndex={0}
      className={styles.edge}
      onPointerDown={take}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={release}
      onKeyDown={press}
      onDoubleClick={(event: MouseEvent<HTMLElement>) => fit(event.currentTarget)}
      onClick={(event) => event.stopPropagation()}
    />
  );
}

/** Width of the widest content of a column among the rows that are drawn, with the space at its sides, px. */
function contentWidth(edge: HTMLElement): number {
  const head = edge.closest('th');
  const rows = edge.closest('table')?.rows ?? [];
  const range = document.createRange();
  return [...rows].reduce((widest, row) => {
    const cell = row.cells[head?.cellIndex ?? -1];
    if (cell === undefined || cell === head || cell.colSpan > 1) return widest;
    range.selectNodeContents(cell);
    const { paddingLeft, paddingRight } = getComputedStyle(cell);
    return Math.max(widest, Math.ceil(range.getBoundingClientRect().width + parseFloat(paddingLeft) + parseFloat(paddingRight)) + 1);
  }, 0);
}
