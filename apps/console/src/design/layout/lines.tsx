import { useState, type ReactNode } from 'react';
import { Button } from '../controls/button';
import { defineTexts, useTexts } from '../language/language';
import styles from './lines.module.css';

const texts = defineTexts({ en: { more: 'More', fewer: 'Less' }, de: { more: 'Mehr', fewer: 'Weniger' } });

/** The line of choices at the left and quiet actions at the right, above what they act on. */
export function OptionsLine({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  const t = useTexts(texts);
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.options} data-open={isOpen || undefined}>
      <div className={styles.choices}>{children}</div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      <div className={styles.more}>
        <Button kind="quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          {isOpen ? t.fewer : t.more}
          <span aria-hidden className={styles.caret}>
            {isOpen ? '▴' : '▾'}
          </span>
        </Button>
      </div>
    </div>
  );
}

/** What is rarely used of an {@link OptionsLine}: on a phone a button shows it. */
export function Rare({ children }: { children: ReactNode }) {
  return <div className={styles.rare}>{children}</div>;
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
