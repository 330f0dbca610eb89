import type { ReactNode } from 'react';
import { instantOf, localOf } from '../language/local-time';
import styles from './time-field.module.css';

/** Fields for times, beside each other where there is room. */
export function TimeFields({ children }: { children: ReactNode }) {
  return <div className={styles.fields}>{children}</div>;
}

/** A field for date and time in the zone of the browser. Its value is an instant, or empty. */
export function TimeField({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <label className={styles.field}>
      {label}
      <input type="datetime-local" value={localOf(value)} onChange={(event) => onChange(instantOf(event.target.value) ?? '')} />
    </label>
  );
}
