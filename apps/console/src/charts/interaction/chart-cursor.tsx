import { useEffect, useId, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode, type RefObject } from 'react';
import { useTexts } from '../../design/language/language';
import { texts } from './texts';
import styles from './interaction.module.css';

/** Part of a chart in shares of its width, from 0 to 1. */
export interface Share {
  readonly from: number;
  readonly to: number;
}

export interface ChartCursorProps {
  /** Name of the chart. */
  label: string;
  /** Left edge and width of the plot, px. */
  left: number;
  plot: number;
  /** Points that the cursor goes through, as shares of the width, ascending. */
  stops: readonly number[];
  /** Stops that are marked: N and P go through them. */
  marked: readonly number[];
  /** Index of the stop with the cursor. */
  cursor: number | undefined;
  onCursor: (index: number | undefined) => void;
  /** Says what is at the cursor; it is read out. */
  readout: string;
  /** Shows the part of the view from and to; below 0 and above 1 lies what is outside. */
  onZoom: (share: Share) => void;
  onShowAll: () => void;
  onOpen?: (() => void) | undefined;
  onExclude?: (() => void) | undefined;
  onNote?: (() => void) | undefined;
  /** What can be done with the point that was clicked, beside it. */
  actions?: ReactNode;
  children: ReactNode;
}

/** Factor of one step of zooming, and share of the view that one step moves. */
const ZOOM_STEP = 0.5;
const PAN_STEP = 0.25;
/** Shortest drag that is a selection, px. */
const MIN_DRAG_PX = 5;
/** Distance within which a click means a marked point, px. */
const MARK_REACH_PX = 7;

/** Makes a chart one stop of the keyboard: arrows move a cursor, plus and minus zoom; dragging selects, the wheel zooms. */
export function ChartCursor(props: ChartCursorProps) {
  const { label, left, plot, cursor, onCursor, readout, children } = props;
  const t = useTexts(texts);
  const help = useId();
  const element = useRef<HTMLDivElement>(null);
  // A click holds the cursor, so that the pointer can go to the actions.
  const [isHeld, setHeld] = useState(false);
  const [drag, setDrag] = useState<{ from: number; to: number; isPan: boolean }>();
  const shareAt = (clientX: number) => (clientX - (element.current?.getBoundingClientRect().left ?? 0) - left) / plot;
  useWheel(element, (event) => {
    const share = Math.max(0, Math.min(shareAt(event.clientX), 1));
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const move = Math.sign(event.deltaX || event.deltaY) * 0.1;
      props.onZoom({ from: move, to: 1 + move });
    } else props.onZoom(around(share, event.deltaY > 0 ? 1 / 0.8 : 0.8));
  });

  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const at = shareAt(event.clientX);
    if (at < 0 || at > 1) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ from: at, to: at, isPan: event.shiftKey });
  };
  const onPointerMove = (event: PointerEvent) => {
    const at = shareAt(event.clientX);
    if (drag) setDrag({ ...drag, to: Math.max(0, Math.min(at, 1)) });
    else if (event.pointerType === 'mouse' && !isHeld) onCursor(at < 0 || at > 1 ? undefined : nearest(props.stops, at));
  };
  const onPointerUp = () => {
    setDrag(undefined);
    if (!drag) return;
    const { from, to, isPan } = drag;
    if (Math.abs(to - from) * plot < MIN_DRAG_PX) {
      const index = markedNear(props, to, MARK_REACH_PX / plot) ?? nearest(props.stops, to);
      const isReleased = isHeld && index === cursor;
      setHeld(!isReleased);
      onCursor(index);
    } else if (isPan) props.onZoom({ from: from - to, to: 1 + from - to });
    else props.onZoom({ from: Math.min(from, to), to: Math.max(from, to) });
  };
  return (
    <div
      ref={element}
      className={styles.chart}
      role="application"
      aria-label={label}
      aria-describedby={help}
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setHeld(false);
        press(event, props);
      }}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      // A finger that is lifted leaves, and what it has chosen stays.
      onPointerLeave={({ pointerType }) =>
        !drag && !isHeld && pointerType === 'mouse' && document.activeElement !== element.current && onCursor(undefined)
      }
      onDoubleClick={props.onShowAll}
    >
      {children}
      {drag && !drag.isPan && (
        <div
          className={styles.selection}
          style={{ left: left + Math.min(drag.from, drag.to) * plot, width: Math.abs(drag.to - drag.from) * plot }}
        />
      )}
      {isHeld && cursor !== undefined && props.actions !== undefined && (
        <ActionsOfPoint left={left} plot={plot} share={props.stops[cursor] ?? 0}>
          {props.actions}
        </ActionsOfPoint>
      )}
      <p id={help} hidden>
        {t.cursorKeys}
      </p>
      <p className={styles.hidden} aria-live="polite">
        {cursor === undefined ? '' : readout}
      </p>
    </div>
  );
}

/** Buttons beside the held point, on the side with more room. */
function ActionsOfPoint({ left, plot, share, children }: { left: number; plot: number; share: number; children: ReactNode }) {
  const at = left + share * plot;
  return (
    <div
      className={styles.actions}
      style={share > 0.5 ? { right: `calc(100% - ${at - 10}px)` } : { left: at + 10 }}
      // What is pressed here is no selection of the chart, and Enter no opening.
      onPointerDown={(event) => event.stopPropagation()}
      onPointerUp={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.key !== 'Escape' && event.stopPropagation()}
    >
      {children}
    </div>
  );
}

function press(event: KeyboardEvent, props: ChartCursorProps): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const action = actionOf(event, props);
  if (action === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  action();
}

function actionOf({ key, shiftKey }: KeyboardEvent, props: ChartCursorProps): (() => void) | undefined {
  const { stops, marked, cursor, onCursor, onZoom } = props;
  const last = stops.length - 1;
  const go = (index: number) => () => onCursor(Math.max(0, Math.min(index, last)));
  const at = cursor ?? last;
  const step = shiftKey ? 10 : 1;
  const share = stops[at] ?? 0.5;
  switch (key) {
    case 'ArrowLeft':
      return go(cursor === undefined ? last : at - step);
    case 'ArrowRight':
      return go(cursor === undefined ? last : at + step);
    case 'Home':
      return go(0);
    case 'End':
      return go(last);
    case 'n':
      return go(marked.find((index) => index > (cursor ?? -1)) ?? at);
    case 'p':
      return go(marked.findLast((index) => index < (cursor ?? stops.length)) ?? at);
    case '+':
      return () => onZoom(around(share, ZOOM_STEP));
    case '-':
      return () => onZoom(around(share, 1 / ZOOM_STEP));
    case 'PageUp':
      return () => onZoom({ from: -PAN_STEP, to: 1 - PAN_STEP });
    case 'PageDown':
      return () => onZoom({ from: PAN_STEP, to: 1 + PAN_STEP });
    case '0':
      return props.onShowAll;
    case 'Escape':
      return cursor === undefined ? undefined : () => onCursor(undefined);
    case 'Enter':
      return props.onOpen;
    case 'x':
      return props.onExclude;
    case 'm':
      return props.onNote;
    default:
      return undefined;
  }
}

/** The part that stays after zooming around a share of its width. */
function around(share: number, factor: number): Share {
  return { from: share - share * factor, to: share + (1 - share) * factor };
}

/** The marked stop that is nearest to a share of the width, within reach. */
function markedNear({ stops, marked }: Pick<ChartCursorProps, 'stops' | 'marked'>, share: number, reach: number): number | undefined {
  const distance = (index: number) => Math.abs((stops[index] ?? Number.POSITIVE_INFINITY) - share);
  const [best] = [...marked].sort((a, b) => distance(a) - distance(b));
  return best !== undefined && distance(best) <= reach ? best : undefined;
}

function nearest(stops: readonly number[], share: number): number | undefined {
  if (stops.length === 0) return undefined;
  let [low, high] = [0, stops.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stops[middle]! < share) low = middle + 1;
    else high = middle;
  }
  return low > 0 && share - stops[low - 1]! < stops[low]! - share ? low - 1 : low;
}

/** Listens to the wheel where turning it does not scroll the page: in a focused chart, with Ctrl, or where nothing scrolls. */
function useWheel(element: RefObject<HTMLElement | null>, onWheel: (event: WheelEvent) => void): void {
  const latest = useRef(onWheel);
  useEffect(() => {
    latest.current = onWheel;
  });
  useEffect(() => {
    const node = element.current;
    if (node === null) return undefined;
    const listen = (event: WheelEvent) => {
      const scrolls = document.documentElement.scrollHeight > window.innerHeight + 1;
      if (scrolls && !event.ctrlKey && document.activeElement !== node) return;
      event.preventDefault();
      latest.current(event);
    };
    // React listens passively, which cannot keep the page from scrolling.
    node.addEventListener('wheel', listen, { passive: false });
    return () => node.removeEventListener('wheel', listen);
  }, [element]);
}
