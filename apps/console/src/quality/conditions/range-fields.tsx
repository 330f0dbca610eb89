import { useId } from 'react';
import { useTexts } from '../../design/language/language';
import { instantOf, localOf } from '../../design/language/local-time';
import { rangeOf, type DateChoice, type DateRange } from './date-ranges';
import { texts } from './texts';
import styles from './conditions.module.css';

/** Texts of the fields of a range: a day, or two times. */
export function writtenRange({ choice, from, to }: DateRange): string[] {
  const day = localOf(from.toISOString()).slice(0, 10);
  return choice === 'between' ? [from.toISOString(), to.toISOString()] : [day];
}

/** @returns undefined while a field is empty */
export function readRange(choice: DateChoice, [first = '', second = '']: readonly string[]): DateRange | undefined {
  if (choice !== 'between') return rangeOf(choice, first);
  const [from, to] = [new Date(first), new Date(second)];
  return Number.isNaN(from.getTime()) || Number.isNaN(to.getTime()) ? undefined : { choice, from, to };
}

interface RangeFieldsProps {
  choice: DateChoice;
  values: readonly string[];
  describedBy: string;
  onChange: (values: readonly string[]) => void;
}

/** The day of a range, or its two ends. */
export function RangeFields({ choice, values, describedBy, onChange }: RangeFieldsProps) {
  const t = useTexts(texts);
  const id = useId();
  const [first = '', second = ''] = values;
  if (choice !== 'between') {
    return (
      <>
        <label className={styles.label} htmlFor={id}>
          {choice === 'onDay' ? t.firstDay : t.dayOfWeek}
        </label>
        <input
          id={id}
          className={styles.input}
          type="date"
          aria-describedby={describedBy}
          value={first}
          onChange={(event) => onChange([event.target.value])}
        />
      </>
    );
  }
  const ends = [
    { label: t.fromTime, value: first, changed: (value: string) => [value, second] },
    { label: t.toTime, value: second, changed: (value: string) => [first, value] },
  ];
  return ends.map(({ label, value, changed }, i) => (
    <span key={label}>
      <label className={styles.label} htmlFor={`${id}${i}`}>
        {label}
      </label>
      <input
        id={`${id}${i}`}
        className={styles.input}
        type="datetime-local"
        step="1"
        aria-describedby={describedBy}
        value={localOf(value)}
        onChange={(event) => onChange(changed(instantOf(event.target.value) ?? ''))}
      />
    </span>
  ));
}
