import { groupBox, slotShapes } from '@sinebar/charts';
import { Shapes } from '../../design/drawing/shapes';
import { chartOf } from '../drawing/figure';
import drawing from '../drawing/drawing.module.css';
import styles from './groups.module.css';

export const GroupBox = chartOf(groupBox, styles);

/** The shape of a group as a legend shows it. */
export function GroupSwatch({ slot }: { slot: number }) {
  return (
    <svg className={`${drawing.figure} ${styles.swatch}`} width={12} height={12} viewBox="0 0 12 12" aria-hidden="true">
      <Shapes of={[slotShapes(slot, [[6, 6]], 4)]} sheets={[drawing]} />
    </svg>
  );
}
