import { useRef, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';
import { useTexts } from '../design/language/language';
import styles from './frame.module.css';
import { MAX_TREE_WIDTH, MIN_TREE_WIDTH, treeWidthWithin } from './preferences';
import { texts } from './texts';
import { usePreferences } from './use-preferences';

/** Distance by which an arrow key moves the edge, px. */
const STEP = 16;

/** The right edge of the plan, which makes it wider by dragging or by arrow keys; the width is kept. */
export function TreeEdge({ frame }: { frame: RefObject<HTMLElement | null> }) {
  const t = useTexts(texts);
  const { treeWidth, set } = usePreferences();
  const dragged = useRef<number>(undefined);
  // The page is not drawn anew while the pointer moves: only its columns are.
  const show = (width: number) => frame.current?.style.setProperty('--tree', `${width}px`);
  const take = (event: PointerEvent<HTMLDivElement>) => event.currentTarget.setPointerCapture(event.pointerId);
  const move = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    dragged.current = treeWidthWithin(event.clientX - (frame.current?.getBoundingClientRect().left ?? 0));
    show(dragged.current);
  };
  const release = () => {
    if (dragged.current !== undefined) set({ treeWidth: dragged.current });
    dragged.current = undefined;
  };
  const press = (event: KeyboardEvent) => {
    const widths: Readonly<Record<string, number>> = {
      ArrowLeft: treeWidth - STEP,
      ArrowRight: treeWidth + STEP,
      Home: MIN_TREE_WIDTH,
      End: MAX_TREE_WIDTH,
    };
    const width = widths[event.key];
    if (width === undefined) return;
    event.preventDefault();
    set({ treeWidth: treeWidthWithin(width) });
  };
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={t.treeWidth}
      aria-valuenow={treeWidth}
      aria-valuemin={MIN_TREE_WIDTH}
      aria-valuemax={MAX_TREE_WIDTH}
      tabIndex={0}
      className={styles.edge}
      onPointerDown={take}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={release}
      onKeyDown={press}
    />
  );
}
