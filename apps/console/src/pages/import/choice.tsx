import fieldStyles from '../../design/controls/field.module.css';
import styles from './import.module.css';

interface ChoiceProps {
  label: string;
  value: string;
  onChoose: (value: string) => void;
  /** Values with their texts. */
  options: readonly (readonly [value: string, text: string])[];
}

/** One of a few values, with a label above it. */
export function Choice({ label, value, onChoose, options }: ChoiceProps) {
  return (
    <label className={styles.choice}>
      {label}
      <select className={fieldStyles.field} value={value} onChange={(event) => onChoose(event.target.value)}>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
