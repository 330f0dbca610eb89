import { useEffect, useRef, useState } from 'react';
import styles from './field.module.css';

/** Time after the last key at which a text counts as entered, ms. */
const ENTERED_AFTER_MS = 250;
/** Least width of the field in characters; a longer hint makes it wider, so that it is not cut. */
const MIN_CHARACTERS = 20;

/** A field that filters what is below it: what is typed counts after a short pause, or at once with Enter. */
export function FilterField({ label, value, onChange }: { label: string; value: string; onChange: (text: string) => void }) {
  const [typed, setTyped] = useState(value);
  const [reported, setReported] = useState(value);
  const [known, setKnown] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (value !== known) {
    setKnown(value);
    // The address changed from elsewhere, as by the button "back"; what was typed since a report stays.
    if (value !== reported) setTyped(value);
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  const report = (text: string) => {
    clearTimeout(timer.current);
    setReported(text);
    onChange(text);
  };
  return (
    <input
      type="search"
      className={styles.field}
      aria-label={label}
      placeholder={label}
      size={Math.max(MIN_CHARACTERS, label.length)}
      value={typed}
      onChange={(event) => {
        const text = event.target.value;
        setTyped(text);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => report(text), ENTERED_AFTER_MS);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') report(typed);
        if (event.key === 'Escape' && typed !== '') {
          setTyped('');
          report('');
        }
      }}
    />
  );
}
