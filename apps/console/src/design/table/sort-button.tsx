import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import styles from './virtual-table.module.css';

export interface SortButtonProps {
  /** Whether the rows are sorted by this column. */
  isSorted: boolean;
  onPress: () => void;
  children: ReactNode;
}

/** The head of a column that sorts the rows. */
export function SortButton({ isSorted, onPress, children }: SortButtonProps) {
  return (
    <Button className={isSorted ? `${styles.sort} ${styles.sorted}` : styles.sort} onPress={onPress}>
      {children}
    </Button>
  );
}
