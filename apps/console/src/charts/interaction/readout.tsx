import { Label, Vertical } from '../drawing/figure';
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

/** The cursor: a vertical line with what is there, on the side with more room. */
export function Readout({ x, left, right, top, bottom, lines, aside, isOut = false }: ReadoutProps) {
  const boxLeft = x > (left + right) / 2 ? x - WIDTH - 10 : x + 10;
  const height = 10 + lines.length * LINE;
  const boxTop = bottom - height - 8;
  return (
    <g aria-hidden="true">
      <Vertical x={x} y1={top} y2={bottom} kind="cursor" />
      <rect className={styles.readoutBox} x={Math.round(boxLeft) + 0.5} y={Math.round(boxTop) + 0.5} width={WIDTH} height={height} />
      {lines.map((line, i) => (
        <Label key={i} x={boxLeft + 10} y={boxTop + 16 + i * LINE} kind={i === 0 ? 'label' : 'soft'} isStrong={i === 0}>
          {line}
        </Label>
      ))}
      {aside !== undefined && (
        <Label x={boxLeft + WIDTH - 10} y={boxTop + 16} kind={isOut ? 'out' : 'label'} anchor="end" isStrong>
          {aside}
        </Label>
      )}
    </g>
  );
}
