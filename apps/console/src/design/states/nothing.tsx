import type { ReactNode } from 'react';
import textStyles from '../styles/text.module.css';
import styles from './nothing.module.css';

export interface NothingProps {
  title: string;
  children: ReactNode;
  /** Whether it is read out at once. */
  isAlert?: boolean;
}

/** Stands where a page has nothing to show: what is missing, and what to do. */
export function Nothing({ title, children, isAlert = false }: NothingProps) {
  return (
    <div className={styles.nothing} role={isAlert ? 'alert' : undefined}>
      <h2 className={textStyles.title}>{title}</h2>
      <p>{children}</p>
    </div>
  );
}
