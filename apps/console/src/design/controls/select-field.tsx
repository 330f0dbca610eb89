import fieldStyles from './field.module.css';
import styles from './select-field.module.css';

interface SelectFieldProps<Value extends string> {
  label: string;
  /** Whether the label is only read out. */
  isLabelHidden?: boolean;
  value: Value;
  onChoose: (value: Value) => void;
  /** Values with their texts. */
  options: readonly (readonly [value: Value, text: string])[];
}

/** One of a few values, with a label above it. */
export function SelectField<Value extends string>({ label, isLabelHidden = false, value, onChoose, options }: SelectFieldProps<Value>) {
  return (
    <label className={styles.field}>
      {!isLabelHidden && label}
      <select
        className={fieldStyles.field}
        value={value}
        {...(isLabelHidden && { 'aria-label': label })}
        onChange={(event) => onChoose(event.target.value as Value)}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
