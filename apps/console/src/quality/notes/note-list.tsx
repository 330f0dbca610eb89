import type { Note } from '@sinebar/client';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { Button } from '../../design/controls/button';
import { useFormats, useLanguage, useTexts } from '../../design/language/language';
import { Failed } from '../../design/states/pane-state';
import { useServer } from '../../server/server';
import { useRights } from '../../server/session/use-session';
import { useHasDraft } from '../editing/kept-draft';
import { causeText } from './causes';
import { DeleteNote } from './delete-note';
import { useExtentText } from './extent-fields';
import { NoteDialog } from './note-dialog';
import { noteForm, type NoteSubject } from './note-subject';
import { texts } from './texts';
import type { ReadNote } from './use-save-note';
import styles from './notes.module.css';

/** Notes that are shown at first. */
const FIRST = 20;
/** Characters of a note that name it, and that are shown at first. */
const NAME_LENGTH = 40;
const SHOWN_LENGTH = 600;

export interface NoteListProps {
  /** The newest first. */
  notes: readonly Note[];
  /** What a note is about, for the form that changes it. */
  subjectOf: (note: Note) => NoteSubject;
  /** Names the item of a note, where it is not that of the page. */
  itemOf?: (note: Note) => ReactNode;
  /** Value or time of the measurement of a note, once it is known. */
  measurementText?: (note: Note) => string | undefined;
  /** Shows the note on the chart; undefined where it has no place there. */
  onShow?: (note: Note) => (() => void) | undefined;
}

/** Notes with what they are about, who wrote them and when; with the right they can be changed and deleted. */
export function NoteList({ notes, subjectOf, ...described }: NoteListProps) {
  const t = useTexts(texts);
  const { count } = useFormats();
  const server = useServer();
  const may = useRights();
  const [shown, setShown] = useState(FIRST);
  const [edited, setEdited] = useState<ReadNote>();
  const [removed, setRemoved] = useState<ReadNote>();
  // What is changed or deleted is read again, with the condition for it.
  const reading = useMutation({ mutationFn: (uuid: string) => server.notes.get(uuid) });
  const readThen = (act: (note: ReadNote) => void) => (note: Note) => reading.mutate(note.uuid, { onSuccess: act });
  const hasDraft = useHasDraft();
  const openDraft = useEffectEvent(() => {
    const begun = notes.find((note) => hasDraft(noteForm(subjectOf(note), note.uuid)));
    if (begun) readThen(setEdited)(begun);
  });
  useEffect(() => openDraft(), []);
  return (
    <>
      <ul className={styles.list}>
        {notes.map((note, index) => (
          <li key={note.uuid} className={index < shown ? styles.note : `${styles.note} ${styles.printed}`}>
            <NoteEntry
              note={note}
              {...described}
              {...(may('note:write', subjectOf(note).partPath) && { onEdit: readThen(setEdited), onRemove: readThen(setRemoved) })}
            />
          </li>
        ))}
      </ul>
      {notes.length > shown && (
        <span className={styles.onScreen}>
          <Button kind="quiet" onPress={() => setShown(shown + 100)}>
            {t.more(count(notes.length - shown))}
          </Button>
        </span>
      )}
      {reading.error && <Failed error={reading.error} />}
      {edited && <NoteDialog subject={subjectOf(edited)} note={edited} onClose={() => setEdited(undefined)} />}
      {removed && <DeleteNote note={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
}

interface NoteEntryProps extends Omit<NoteListProps, 'notes' | 'subjectOf'> {
  note: Note;
  /** Absent without the right. */
  onEdit?: (note: Note) => void;
  onRemove?: (note: Note) => void;
}

function NoteEntry({ note, itemOf, measurementText, onShow, onEdit, onRemove }: NoteEntryProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const language = useLanguage();
  const extentText = useExtentText();
  const { text, causeText: cause, measurementUuid, user, time, modified, modifiedBy } = note;
  const [isWhole, setWhole] = useState(text.length <= SHOWN_LENGTH);
  const letters = Array.from(text);
  const name = letters.length <= NAME_LENGTH ? text : `${letters.slice(0, NAME_LENGTH).join('')}…`;
  const show = onShow?.(note);
  const extent = extentText(note);
  return (
    <>
      <p className={styles.about}>
        {itemOf && <span>{itemOf(note)}</span>}
        {measurementUuid !== undefined && (
          <Link to="/measurements/$measurementUuid" params={{ measurementUuid }}>
            {measurementText?.(note) ?? t.aboutMeasurement}
          </Link>
        )}
        {extent !== '' && <span>{extent}</span>}
        {cause !== undefined && <strong>{causeText(cause, language)}</strong>}
      </p>
      <p dir="auto" className={isWhole ? styles.text : `${styles.text} ${styles.cut}`}>
        {text}
      </p>
      {!isWhole && (
        <span className={styles.onScreen}>
          <Button kind="quiet" onPress={() => setWhole(true)}>
            {t.whole}
          </Button>
        </span>
      )}
      <p className={styles.written}>
        {user !== undefined && (
          <>
            <bdi>{user}</bdi>,{' '}
          </>
        )}
        <time dateTime={time}>{formats.dateTime(time)}</time>
        {modified !== undefined && (
          <>
            {'; '}
            {modifiedBy === undefined ? t.changedAt(formats.dateTime(modified)) : t.changed(modifiedBy, formats.dateTime(modified))}
          </>
        )}
        <span className={styles.actions}>
          {show && (
            <Button kind="quiet" onPress={show}>
              {t.showOnChart}
            </Button>
          )}
          {onEdit && (
            <Button kind="quiet" aria-label={t.editOf(name)} onPress={() => onEdit(note)}>
              {t.edit}
            </Button>
          )}
          {onRemove && (
            <Button kind="quietDanger" aria-label={t.removeOf(name)} onPress={() => onRemove(note)}>
              {t.remove}
            </Button>
          )}
        </span>
      </p>
    </>
  );
}
