import { c, crisp } from '../drawing/paths';
import styles from '../drawing/drawing.module.css';

export interface StepsProps {
  /** Value of the line at each point, from the first one in view. */
  values: readonly number[];
  x: (position: number) => number;
  y: (value: number) => number;
  kind?: 'control' | 'mean';
  /** Whether the points are too close for dashes. */
  isDense?: boolean;
}

/** A line that has its own value at each point, drawn as steps. */
export function Steps({ values, x, y, kind = 'control', isDense = false }: StepsProps) {
  let path = '';
  let before: number | undefined;
  values.forEach((value, position) => {
    if (value === before) return;
    path += before === undefined ? `M${c(x(position))} ${crisp(y(value))}` : `H${c(x(position))}V${crisp(y(value))}`;
    before = value;
  });
  return path === '' ? null : <path className={isDense ? styles.denseSteps : styles[kind]} d={`${path}H${c(x(values.length))}`} />;
}
