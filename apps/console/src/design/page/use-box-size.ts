import { useCallback, useState } from 'react';

interface BoxSize {
  width: number;
  height: number;
}

/** Follows the size of an element inside of its borders, px. */
export function useBoxSize(): [size: BoxSize | undefined, ref: (element: HTMLElement | null) => (() => void) | undefined] {
  const [size, setSize] = useState<BoxSize>();
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    // Scroll bars of a larger drawing change nothing: what fits is told by the outer size.
    const measure = () => {
      const [width, height] = [element.offsetWidth || element.clientWidth, element.offsetHeight || element.clientHeight];
      if (width > 0 && height > 0) setSize((known) => (known?.width === width && known.height === height ? known : { width, height }));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  return [size, ref];
}
