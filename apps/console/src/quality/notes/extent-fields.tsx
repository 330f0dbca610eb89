import { useCallback } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import { instantOf, localOf } from '../../design/language/local-time';
import type { NoteDraft, NoteExtent, NoteSubject } from './note-subject';
import { texts } from './texts';
import styles from './notes.module.css';

interface ExtentFieldsProps {
  subject: NoteSubject;
  /** Whether the item can still be chosen; a note that exists stays with its own. */
  isNew: boolean;
  draft: NoteDraft;
  onChange: (draft: NoteDraft) => void;
}

/** Fields for the item that a note is about, and which part of it. */
export function ExtentFields({ subject, isNew, draft, onChange }: ExtentFieldsProps) {
  const t = useTexts(texts);
  const { characteristic, measurement, partName } = subject;
  const measured = draft.measurementUuid === undefined ? undefined : (measurement?.text ?? t.aboutMeasurement);
  const names: readonly [NoteExtent, string | undefined][] = [
    ['measurement', measured],
    ['time', t.time],
    ['whole', t.asWhole],
  ];
  return (
    <>
      <label className={styles.field}>
        {t.subject}
        <select
          value={draft.isOfPart ? 'part' : 'characteristic'}
          disabled={!isNew || characteristic === undefined}
          onChange={(event) => onChange({ ...draft, isOfPart: event.target.value === 'part' })}
        >
          {characteristic && <option value="characteristic">{t.ofCharacteristic(characteristic.name)}</option>}
          <option value="part">{t.ofPart(partName)}</option>
        </select>
      </label>
      <label className={styles.field}>
        {t.what}
        <select value={draft.extent} onChange={(event) => onChange({ ...draft, extent: event.target.value as NoteExtent })}>
          {names.map(
            ([extent, name]) =>
              name !== undefined && (
                <option key={extent} value={extent}>
                  {name}
                </option>
              ),
          )}
        </select>
      </label>
      {draft.extent === 'time' && (
        <div className={styles.times}>
          <TimeField label={t.from} value={draft.from} onChange={(from) => onChange({ ...draft, from })} />
          <TimeField label={t.to} value={draft.to} onChange={(to) => onChange({ ...draft, to })} />
        </div>
      )}
    </>
  );
}

interface TimeFieldProps {
  label: string;
  /** An instant, which stays exact until the reader changes it. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function TimeField({ label, value = '', onChange }: TimeFieldProps) {
  return (
    <label className={styles.field}>
      {label}
      <input type="datetime-local" value={localOf(value)} onChange={(event) => onChange(instantOf(event.target.value))} />
    </label>
  );
}

/** Says in words which part of its item a note is about; empty for the whole. */
export function useExtentText(): (note: { from?: string | undefined; to?: string | undefined }) => string {
  const t = useTexts(texts);
  const formats = useFormats();
  return useCallback(
    ({ from, to }) => {
      if (from === undefined) return '';
      return to === undefined ? t.since(formats.dateTime(from)) : t.fromTo(formats.dateTime(from), formats.dateTime(to));
    },
    [t, formats],
  );
}
