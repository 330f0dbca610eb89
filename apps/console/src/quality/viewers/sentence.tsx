import type { ReactNode } from 'react';
import styles from './viewer.module.css';

/** Says in the place of a content why there is none. */
export function Sentence({ children }: { children: ReactNode }) {
  return (
    <p role="status" className={styles.sentence}>
      {children}
    </p>
  );
}
