import { useState } from 'react';

const NAME = 'sinebar.columns';
/** Most that a column is widened to, px. */
export const MAX_COLUMN_WIDTH = 1600;

interface WidenedColumn {
  id: string;
  /** Least width, px. */
  least: number;
  /** Whether it takes what the others leave; its width is then a least one. */
  isRest: boolean;
}

/** Widths that readers have chosen, by table and column, px. */
type KeptWidths = Readonly<Record<string, Readonly<Record<string, number>> | undefined>>;

/** Columns as wide as the reader has made them, but never narrower than their figures. */
export interface ColumnWidths {
  /** Present width, px. */
  widthOf: (id: string) => number;
  leastOf: (id: string) => number;
  /** Width of all columns, below which the table scrolls sideways, px. */
  total: number;
  widen: (id: string, width: number) => void;
}

/**
 * Holds which columns of a table are wider than they need be; the widths are kept in this browser.
 * @param keptAs name of the table; without one the widths go with the page
 * @param pane width that there is, px
 */
export function useColumnWidths(keptAs: string | undefined, columns: readonly WidenedColumn[], pane: number): ColumnWidths {
  const [chosen, setChosen] = useState(() => (keptAs === undefined ? undefined : readKept()[keptAs]) ?? {});
  const leastOf = (id: string) => columns.find((column) => column.id === id)?.least ?? 0;
  const chosenOf = ({ id, least }: WidenedColumn) => Math.max(least, chosen[id] ?? 0);
  const total = columns.reduce((sum, column) => sum + chosenOf(column), 0);
  const restCount = columns.filter(({ isRest }) => isRest).length;
  const restOf = Math.max(0, pane - total) / Math.max(1, restCount);
  return {
    leastOf,
    total,
    widthOf: (id) => {
      const column = columns.find((each) => each.id === id);
      return column === undefined ? 0 : Math.round(chosenOf(column) + (column.isRest ? restOf : 0));
    },
    widen: (id, width) => {
      const { [id]: _before, ...others } = chosen;
      const widened = width > leastOf(id) ? { ...others, [id]: Math.min(width, MAX_COLUMN_WIDTH) } : others;
      setChosen(widened);
      if (keptAs !== undefined) localStorage.setItem(NAME, JSON.stringify({ ...readKept(), [keptAs]: widened }));
    },
  };
}

function readKept(): KeptWidths {
  try {
    return (JSON.parse(localStorage.getItem(NAME) ?? '{}') ?? {}) as KeptWidths;
  } catch {
    // Another program wrote something else under this name.
    return {};
  }
}
