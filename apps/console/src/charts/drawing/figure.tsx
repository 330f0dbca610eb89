import type { ReactNode, Ref, SVGProps } from 'react';
import { c, crisp, hatching } from './paths';
import styles from './drawing.module.css';

export interface FigureProps extends Omit<SVGProps<SVGSVGElement>, 'ref'> {
  width: number;
  height: number;
  /** Says what is drawn, for those who do not see it. */
  label: string;
  ref?: Ref<SVGSVGElement>;
  children?: ReactNode;
}

/** A drawing in pixels of the screen: text in it never gets smaller than it is written. */
export function Figure({ width, height, label, children, className = '', ...rest }: FigureProps) {
  return (
    <svg
      role="img"
      aria-label={label}
      {...rest}
      className={`${styles.figure} ${className}`}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
    >
      {children}
    </svg>
  );
}

/** Kinds of lines that mean something: black is demanded, grey measured, blue computed. */
export type LineKind =
  'tolerance' | 'warning' | 'control' | 'mean' | 'nominal' | 'grid' | 'tick' | 'ruler' | 'leader' | 'event' | 'cursor' | 'edge';

export function Horizontal({ x1, x2, y, kind }: { x1: number; x2: number; y: number; kind: LineKind }) {
  return <path className={styles[kind]} d={`M${c(x1)} ${crisp(y)}H${c(x2)}`} />;
}

export function Vertical({ x, y1, y2, kind }: { x: number; y1: number; y2: number; kind: LineKind }) {
  return <path className={styles[kind]} d={`M${crisp(x)} ${c(y1)}V${c(y2)}`} />;
}

/** Depth of the hatching behind a wall, px. */
const WALL = 7;

/** A tolerance limit across the chart, hatched on the forbidden side. */
export function Wall({ x, y, width, side }: { x: number; y: number; width: number; side: 'above' | 'below' }) {
  const edge = crisp(y);
  return (
    <>
      <path className={styles.hatch} d={hatching(x, side === 'above' ? edge - WALL : edge, width, WALL)} />
      <Horizontal x1={x} x2={x + width} y={y} kind="tolerance" />
    </>
  );
}

/** A tolerance limit from top to bottom, hatched on the forbidden side. */
export function UprightWall({
  x,
  y1,
  y2,
  side,
  depth = WALL,
}: {
  x: number;
  y1: number;
  y2: number;
  side: 'left' | 'right';
  depth?: number;
}) {
  const edge = crisp(x);
  return (
    <>
      <path className={styles.hatch} d={hatching(side === 'left' ? edge - depth : edge, y1, depth, y2 - y1)} />
      <Vertical x={x} y1={y1} y2={y2} kind="tolerance" />
    </>
  );
}

export type TextKind =
  'axis' | 'strong' | 'label' | 'soft' | 'out' | 'excluded' | 'tolerance' | 'control' | 'mean' | 'warning' | 'nominal' | 'note';

export interface LabelProps {
  x: number;
  y: number;
  kind: TextKind;
  anchor?: 'start' | 'middle' | 'end';
  isStrong?: boolean;
  /** Whether it stands on lines, so that an edge in the colour of the paper keeps it readable. */
  isOnLines?: boolean;
  children: ReactNode;
}

const TEXT_CLASSES: Record<TextKind, string | undefined> = {
  axis: styles.axisText,
  strong: styles.strongText,
  label: styles.labelText,
  soft: styles.softText,
  out: styles.outText,
  excluded: styles.excludedText,
  tolerance: styles.labelText,
  control: styles.computedText,
  mean: styles.computedText,
  warning: styles.noteText,
  nominal: styles.softText,
  note: styles.noteText,
};

export function Label({ x, y, kind, anchor = 'start', isStrong = false, isOnLines = false, children }: LabelProps) {
  const classes = [TEXT_CLASSES[kind], isStrong && styles.heavy, isOnLines && styles.halo].filter(Boolean).join(' ');
  return (
    <text x={c(x)} y={c(y)} className={classes} textAnchor={anchor}>
      {children}
    </text>
  );
}
