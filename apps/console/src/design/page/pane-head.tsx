import type { CSSProperties, ReactNode } from 'react';
import styles from './pane-head.module.css';

export interface PaneHeadProps {
  name: string;
  /** Id of the heading. */
  id?: string;
  /** Says in grey what is drawn. */
  note?: ReactNode;
  level?: 2 | 3;
  /** Whether it stands apart from what is above. */
  isSpaced?: boolean;
  /** Width in px; as wide as its place without one. */
  width?: number;
}

/** Name of a pane, and a note. */
export function PaneHead({ name, id, note, level = 2, isSpaced = false, width }: PaneHeadProps) {
  const Heading = `h${level}` as const;
  const style: CSSProperties = width === undefined ? {} : { width };
  return (
    <div className={isSpaced ? `${styles.paneHead} ${styles.spaced}` : styles.paneHead} style={style}>
      <Heading id={id}>{name}</Heading>
      {note !== undefined && note !== '' && note !== false && <p>{note}</p>}
    </div>
  );
}
