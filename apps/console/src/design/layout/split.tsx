import type { ReactNode } from 'react';
import styles from './split.module.css';

interface SplitProps {
  children: ReactNode;
  /** Names the panel at the side. */
  detailLabel: string;
  detail: ReactNode;
  /** Whether a rule stands above both. */
  isRuled?: boolean;
}

/** A list with a panel of 304 px at its side; on narrow windows the panel stands below. */
export function Split({ children, detailLabel, detail, isRuled = false }: SplitProps) {
  return (
    <div className={isRuled ? `${styles.split} ${styles.ruled}` : styles.split}>
      <div className={styles.list}>{children}</div>
      <aside aria-label={detailLabel} className={styles.detail}>
        {detail}
      </aside>
    </div>
  );
}
