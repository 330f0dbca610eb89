import { useState } from 'react';
import { useLanguage } from '../../../design/language/language';
import { shownNumber, typedNumber } from '../../../quality/attributes/written-text';
import styles from '../characteristic.module.css';

export interface NumberInputProps {
  label: string;
  /** A text is what was typed that is no number. */
  value: number | string | undefined;
  onChange: (value: number | string | undefined) => void;
  isReadOnly?: boolean;
}

/** A field for a number, with decimal point or comma. */
export function NumberInput({ label, value, onChange, isReadOnly = false }: NumberInputProps) {
  const language = useLanguage();
  const shown = (number: typeof value) => (number === undefined ? '' : shownNumber(String(number), language));
  const [typed, setTyped] = useState(shown(value));
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    // What was typed stays while it means the same number.
    if (numberOf(typed) !== value) setTyped(shown(value));
  }
  return (
    <label className={styles.formField}>
      {label}
      <input
        inputMode="decimal"
        value={typed}
        readOnly={isReadOnly}
        onChange={(event) => {
          setTyped(event.target.value);
          onChange(numberOf(event.target.value));
        }}
      />
    </label>
  );
}

function numberOf(typed: string): number | string | undefined {
  if (typed.trim() === '') return undefined;
  const number = Number(typedNumber(typed));
  return Number.isFinite(number) ? number : typed;
}
