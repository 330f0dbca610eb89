import { SHAPES } from '../../design/status/shapes';
import { c } from './paths';
import styles from './drawing.module.css';

/** Shapes of single values; the tip of a triangle points away from the tolerance. */
export type MarkName = 'point' | 'warning' | 'above' | 'below' | 'right' | 'left' | 'excluded' | 'rule';

const MARKS: Record<MarkName, React.ReactNode> = {
  point: SHAPES.disc,
  warning: SHAPES.halfDisc,
  above: SHAPES.up,
  below: SHAPES.down,
  right: SHAPES.right,
  left: SHAPES.left,
  excluded: SHAPES.cross,
  rule: SHAPES.ring,
};

const CLASSES: Record<MarkName, string | undefined> = {
  point: styles.pointMark,
  warning: styles.warningMark,
  above: styles.outMark,
  below: styles.outMark,
  right: styles.outMark,
  left: styles.outMark,
  excluded: styles.excludedMark,
  rule: styles.ruleMark,
};

/** A shape on a point of a chart; `size` is its width in pixels. */
export function Mark({ name, x, y, size }: { name: MarkName; x: number; y: number; size: number }) {
  return (
    <g className={CLASSES[name]} transform={`translate(${c(x - size / 2)} ${c(y - size / 2)}) scale(${c(size / 12)})`}>
      {MARKS[name]}
    </g>
  );
}
