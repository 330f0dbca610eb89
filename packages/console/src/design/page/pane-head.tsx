import type { CSSProperties, ReactNode } from 'react';
import styles from './pane-head.module.css';

/** Name of a pane, and a note that says what is drawn. */
export function PaneHead({ name, note, width }: { name: string; note?: ReactNode; width?: number }) {
  const style: CSSProperties = width === undefined ? {} : { width };
  return (
    <div className={styles.paneHead} style={style}>
      <h2>{name}</h2>
      {note !== undefined && note !== '' && <p>{note}</p>}
    </div>
  );
}
