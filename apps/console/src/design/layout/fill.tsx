import type { ReactNode } from 'react';
import styles from './fill.module.css';

/** Content that takes the rest of the window; it stands directly below the title row of a page. */
export function Fill({ children }: { children: ReactNode }) {
  return <div className={styles.fill}>{children}</div>;
}
