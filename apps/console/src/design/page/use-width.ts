import { useCallback, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Width of the content on A4 with the margins of the report, px. */
const PRINTED_WIDTH = 703;

/** Follows the width of an element; while the page is printed it is that of the paper. */
export function useWidth(): [width: number | undefined, ref: (element: HTMLElement | null) => (() => void) | undefined] {
  const [width, setWidth] = useState<number>();
  const [isPrinting, setPrinting] = useState(false);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => element.clientWidth > 0 && setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    // The browser prints what is drawn when its listeners have returned.
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  return [isPrinting ? PRINTED_WIDTH : width, ref];
}
