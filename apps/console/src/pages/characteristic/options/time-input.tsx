import { instantOf, localOf } from '../../../design/language/local-time';
import styles from '../characteristic.module.css';

export interface TimeInputProps {
  label: string;
  /** An instant, which stays exact until the reader changes it. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A field for date and time in the zone of the browser. */
export function TimeInput({ label, value = '', onChange }: TimeInputProps) {
  return (
    <label className={styles.formField}>
      {label}
      <input type="datetime-local" value={localOf(value)} onChange={(event) => onChange(instantOf(event.target.value))} />
    </label>
  );
}
