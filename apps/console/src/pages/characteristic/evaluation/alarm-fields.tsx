import { useTexts } from '../../../design/language/language';
import { DURATION_UNITS, readDuration, writeDuration, type DurationUnit } from '../../../quality/values/duration';
import { NumberInput } from './number-input';
import { texts } from './texts';
import styles from './evaluation.module.css';

/** Most characters of an owner, and of what to do. */
const MAX_OWNER = 255;
const MAX_REACTION = 4000;

interface TextMemberProps {
  member: 'owner' | 'reaction';
  value: string;
  onChange: (value: string) => void;
}

/** Field for the owner of alarms, or for what to do. */
export function TextMember({ member, value, onChange }: TextMemberProps) {
  const t = useTexts(texts);
  const given = { 'aria-label': t[`name_${member}`], value, className: styles.text };
  if (member === 'owner') return <input {...given} maxLength={MAX_OWNER} onChange={(event) => onChange(event.target.value)} />;
  return <textarea {...given} rows={2} maxLength={MAX_REACTION} onChange={(event) => onChange(event.target.value)} />;
}

/** The time without measurements after which an alarm is raised. */
export function SilenceFields({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useTexts(texts);
  const { count, unit } = readDuration(value) ?? { count: undefined, unit: 'hours' as const };
  const write = (next: number | string | undefined, of: DurationUnit) =>
    onChange(typeof next === 'number' ? writeDuration({ count: next, unit: of }) : '');
  return (
    <>
      <NumberInput label={t.silenceAfter} value={count} onChange={(next) => write(next, unit)} />
      <select aria-label={t.silenceUnit} value={unit} onChange={(event) => write(count, event.target.value as DurationUnit)}>
        {(Object.keys(DURATION_UNITS) as DurationUnit[]).map((each) => (
          <option key={each} value={each}>
            {t[`unit_${each}`]}
          </option>
        ))}
      </select>
    </>
  );
}
