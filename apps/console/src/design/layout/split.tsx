import type { ReactNode } from 'react';
import styles from './split.module.css';

interface SplitProps {
  children: ReactNode;
  /** Names the panel at the side. */
  detailLabel: string;
  detail: ReactNode;
  /** Whether a rule stands above both. */
  isRuled?: boolean;
  /** Whether the panel chooses what the list shows: on narrow windows it stands above. */
  isDetailFirst?: boolean;
}

/** A list with a panel of 304 px at its side; on narrow windows the panel stands below. */
export function Split({ children, detailLabel, detail, isRuled = false, isDetailFirst = false }: SplitProps) {
  const classes = [styles.split, isRuled && styles.ruled, isDetailFirst && styles.detailFirst].filter(Boolean).join(' ');
  return (
    <div className={classes}>
      <div className={styles.list}>{children}</div>
      <aside aria-label={detailLabel} className={styles.detail}>
        {detail}
      </aside>
    </div>
  );
}
