import { c } from './paths';
import styles from './drawing.module.css';

/** Shapes of single values; the tip of a triangle points away from the tolerance. */
export type MarkName = 'point' | 'warning' | 'above' | 'below' | 'right' | 'left' | 'excluded' | 'rule';

const SHAPES: Record<MarkName, React.ReactNode> = {
  point: <circle cx="6" cy="6" r="3.75" />,
  warning: (
    <>
      <circle className={styles.hollow} cx="6" cy="6" r="4.25" />
      <path d="M6 1.75a4.25 4.25 0 0 1 0 8.5z" />
    </>
  ),
  above: <path d="M6 .75 11.5 10.5H.5z" />,
  below: <path d="M6 11.25 11.5 1.5H.5z" />,
  right: <path d="M11.25 6 1.5 .5v11z" />,
  left: <path d="M.75 6 10.5 .5v11z" />,
  excluded: <path className={styles.cross} d="M2.5 2.5l7 7M9.5 2.5l-7 7" />,
  rule: <circle className={styles.hollow} cx="6" cy="6" r="4" />,
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
      {SHAPES[name]}
    </g>
  );
}
