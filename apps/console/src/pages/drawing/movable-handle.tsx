import type { DrawingPoint } from '@sinebar/client';
import { useRef, type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, type RefObject } from 'react';

export interface MovableHandleProps {
  className: string;
  style: CSSProperties;
  /** The point that is moved, as fractions of the drawing. */
  point: DrawingPoint;
  name: string;
  /** Uuid of the characteristic, for the balloon itself. */
  balloonOf?: string;
  /** Size of the drawing on the screen, px. */
  size: { width: number; height: number };
  /** The element that has this size. */
  layer: RefObject<HTMLElement | null>;
  onMove: (point: DrawingPoint) => void;
  onSelect: () => void;
  onRemove: () => void;
  children?: ReactNode;
}

/** Ways of the arrow keys, px. */
const WAYS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const LONG_STEP = 10;
/** Way of a pointer up to which it presses and does not drag, px. */
const STILL = 3;

/** A button that is moved by a pointer or the arrow keys. */
export function MovableHandle(props: MovableHandleProps) {
  const { className, style, point, name, balloonOf, size, layer, onMove, onSelect, onRemove, children } = props;
  /** The point that the pointer took hold of, and its distance from there; px of the window. */
  const hold = useRef<{ x: number; y: number; offsetX: number; offsetY: number; isMoving: boolean }>(undefined);

  const onPointerDown = (event: PointerEvent<HTMLButtonElement>) => {
    const box = layer.current?.getBoundingClientRect();
    if (event.button !== 0 || !box) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const { clientX: x, clientY: y } = event;
    hold.current = { x, y, offsetX: x - box.left - point.x * box.width, offsetY: y - box.top - point.y * box.height, isMoving: false };
  };
  const onPointerMove = ({ clientX, clientY }: PointerEvent<HTMLButtonElement>) => {
    const held = hold.current;
    const box = layer.current?.getBoundingClientRect();
    if (!held || !box) return;
    held.isMoving ||= Math.hypot(clientX - held.x, clientY - held.y) > STILL;
    if (!held.isMoving) return;
    onMove({ x: (clientX - box.left - held.offsetX) / box.width, y: (clientY - box.top - held.offsetY) / box.height });
  };
  const release = () => {
    hold.current = undefined;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (event.key === 'Delete') {
      event.preventDefault();
      onRemove();
      return;
    }
    const way = WAYS[event.key];
    if (way === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const step = event.shiftKey ? LONG_STEP : 1;
    onMove({ x: point.x + (way[0] * step) / size.width, y: point.y + (way[1] * step) / size.height });
  };

  return (
    <button
      type="button"
      className={className}
      style={style}
      aria-label={name}
      title={name}
      {...(balloonOf !== undefined && { 'data-balloon': balloonOf })}
      onFocus={onSelect}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={release}
      onPointerCancel={release}
      onKeyDown={onKeyDown}
    >
      {children}
    </button>
  );
}
