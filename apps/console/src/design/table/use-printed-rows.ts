import { useEffect, useEffectEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { PreparePrintEvent } from '../page/printing';

/** Most rows of a table on paper. */
export const MAX_PRINTED_ROWS = 2000;

/** What shows the table: the window, the window while the rows of the paper are read, or the paper. */
type PrintPhase = 'screen' | 'preparing' | 'paper';

interface PrintedRowsOptions {
  rowCount: number;
  /** Reads rows, the last one included. */
  onView?: ((first: number, last: number) => void) | undefined;
  /** Whether rows are being read. */
  isBusy?: boolean;
}

/** Follows the printing of a table that draws only the rows in view: on paper it draws all rows, which are read before. */
export function usePrintedRows({ rowCount, onView, isBusy = false }: PrintedRowsOptions): PrintPhase {
  const [phase, setPhase] = useState<PrintPhase>('screen');
  const [finish, setFinish] = useState<() => void>();
  const read = useEffectEvent(() => onView?.(0, Math.min(rowCount, MAX_PRINTED_ROWS) - 1));
  useEffect(() => {
    const prepare = (event: Event) => {
      (event as PreparePrintEvent).waiting.push(new Promise((resolve) => setFinish(() => resolve)));
      setPhase('preparing');
      read();
    };
    // The browser prints what is drawn when its listeners have returned.
    const begin = () =>
      flushSync(() => {
        setPhase('paper');
        read();
      });
    const end = () => setPhase('screen');
    addEventListener(PreparePrintEvent.type, prepare);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener(PreparePrintEvent.type, prepare);
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  useEffect(() => {
    if (!isBusy) finish?.();
  }, [isBusy, finish]);
  return phase;
}
