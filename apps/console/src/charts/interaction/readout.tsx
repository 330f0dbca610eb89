import { label, vertical, widthOf } from '@sinebar/charts';
import { Shapes } from '../../design/drawing/shapes';
import drawing from '../drawing/drawing.module.css';
import styles from './interaction.module.css';

export interface ReadoutProps {
  /** Place of the cursor, and edges of the plot, px. */
  x: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** One to three lines; the first is strong, with what stands at its right. */
  lines: readonly string[];
  aside?: string;
  isOut?: boolean;
}

const WIDTH = 224;
const LINE = 15;
/** Least width of the labels at the right of the plot, px. */
const LABELS = widthOf(0, false, 'short');

/** The cursor: a vertical line with what is there, on the side with more room. */
export function Readout({ x, left, right, top, bottom, lines, aside, isOut = false }: ReadoutProps) {
  // Neither side has room for it on a phone.
  const boxLeft = x > (left + right) / 2 ? Math.max(0, x - WIDTH - 10) : Math.max(0, Math.min(x + 10, right + LABELS - WIDTH));
  const height = 10 + lines.length * LINE;
  const boxTop = bottom - height - 8;
  const texts = lines.map((line, i) =>
    label({ x: boxLeft + 10, y: boxTop + 16 + i * LINE, kind: i === 0 ? 'label' : 'soft', isStrong: i === 0 }, line),
  );
  const atRight = { x: boxLeft + WIDTH - 10, y: boxTop + 16, kind: isOut ? 'out' : 'label', anchor: 'end', isStrong: true } as const;
  return (
    <g aria-hidden="true">
      <Cursor x={x} top={top} bottom={bottom} />
      <rect className={styles.readoutBox} x={Math.round(boxLeft) + 0.5} y={Math.round(boxTop) + 0.5} width={WIDTH} height={height} />
      <Shapes of={aside === undefined ? texts : [...texts, label(atRight, aside)]} sheets={[drawing]} />
    </g>
  );
}

/** A vertical line at the cursor. */
export function Cursor({ x, top, bottom }: Pick<ReadoutProps, 'x' | 'top' | 'bottom'>) {
  return <Shapes of={[vertical({ x, y1: top, y2: bottom, kind: 'cursor' })]} sheets={[drawing]} />;
}
