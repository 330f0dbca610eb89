import { OTHERS, shapesPath, SLOTS } from './group-shapes';
import styles from './groups.module.css';

/** Classes of the colours by slot. */
const SLOT_CLASSES = [
  styles.slot0,
  styles.slot1,
  styles.slot2,
  styles.slot3,
  styles.slot4,
  styles.slot5,
  styles.slot6,
  styles.others,
] as const;

interface GroupPointsProps {
  shown: {
    readonly entries: readonly { readonly group?: number; readonly position: number; readonly count: number; readonly mean: number }[];
    readonly slots?: readonly number[];
    readonly count: number;
  };
  x: (position: number) => number;
  y: (value: number) => number;
  /** Width of the plot, px. */
  plot: number;
}

/** Points in the colours and shapes of their groups; a stretch of several groups has none. */
export function GroupPoints({ shown: { entries, slots = [], count }, x, y, plot }: GroupPointsProps) {
  const radius = Math.max(1.8, Math.min(3.2, plot / Math.max(count, 1) / 2));
  const points = Array.from({ length: SLOTS + 1 }, (): [number, number][] => []);
  for (const { group, position, count: width, mean } of entries) {
    if (group !== undefined) points[slots[group] ?? OTHERS]!.push([x(position + width / 2), y(mean)]);
  }
  return (
    <g className={styles.figure} data-groups="drawn">
      {/* The others lie below those that are told apart. */}
      {points
        .map((places, slot) => <path key={slot} className={SLOT_CLASSES[slot]} fillRule="evenodd" d={shapesPath(slot, places, radius)} />)
        .toReversed()}
    </g>
  );
}

/** The shape of a group as a legend shows it. */
export function GroupSwatch({ slot }: { slot: number }) {
  return (
    <svg className={styles.swatch} width={12} height={12} viewBox="0 0 12 12" aria-hidden="true">
      <path className={SLOT_CLASSES[slot]} fillRule="evenodd" d={shapesPath(slot, [[6, 6]], 4)} />
    </svg>
  );
}
