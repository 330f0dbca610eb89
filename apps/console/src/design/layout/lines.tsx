import type { ReactNode } from 'react';
import styles from './lines.module.css';

/** The line of choices at the left and quiet actions at the right, above what they act on. */
export function OptionsLine({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  return (
    <div className={styles.options}>
      <div className={styles.choices}>{children}</div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}

/** The line below a table: what is in view, and a note. */
export function TableFoot({ children, note }: { children: ReactNode; note?: ReactNode }) {
  return (
    <p className={styles.foot}>
      <span>{children}</span>
      {note !== undefined && <span>{note}</span>}
    </p>
  );
}

export interface NamedValue {
  name: string;
  value: ReactNode;
  /** A second text in grey. */
  note?: ReactNode;
}

/** Names and values in two columns. */
export function NamedValues({ values }: { values: readonly NamedValue[] }) {
  return (
    <dl className={styles.attributes}>
      {values.map(({ name, value, note }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {note !== undefined && <span className={styles.note}>{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
