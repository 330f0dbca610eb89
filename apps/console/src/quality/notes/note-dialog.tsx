import type { Note } from '@sinebar/client';
import { useState, type FormEvent } from 'react';
import { Button } from '../../design/controls/button';
import { DialogButtons } from '../../design/controls/dialog';
import { useFormats, useTexts } from '../../design/language/language';
import { Failed } from '../../design/states/pane-state';
import { useMay } from '../../server/session/use-session';
import { EntryField } from '../attributes/entry-field';
import { GuardedDialog } from '../editing/guarded-dialog';
import { KeptDraft } from '../editing/kept-draft';
import { ExtentFields } from './extent-fields';
import { draftOf, draftProblem, isSameDraft, MAX_TEXT, newDraft, noteForm, type NoteSubject } from './note-subject';
import { texts } from './texts';
import { TheirNote } from './their-note';
import { useSaveNote, type ReadNote } from './use-save-note';
import styles from './notes.module.css';

export interface NoteDialogProps {
  subject: NoteSubject;
  /** The note that is changed, as it was read last; without it a new one is written. */
  note?: ReadNote | undefined;
  onClose: () => void;
  onSaved?: ((note: Note) => void) | undefined;
}

/** Writes a note or changes one. What was typed stays until it is saved or the reader discards it. */
export function NoteDialog({ subject, note, onClose, onSaved }: NoteDialogProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const mayWrite = useMay('note:write', subject.partPath);
  const begun = note ? draftOf(note) : newDraft(subject);
  const [draft, setDraft] = useState(begun);
  const { save, isSaving, error, theirs, isGone, forget, compare } = useSaveNote(subject, note);
  const problem = draftProblem(draft);
  const isChanged = !isSameDraft(draft, begun);
  const length = draft.text.trim().length;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (problem !== undefined || isSaving || !mayWrite) return;
    const saved = await save(draft);
    if (!saved) return;
    onSaved?.(saved);
    onClose();
  };
  return (
    <GuardedDialog title={note ? t.changeTitle : t.createTitle} isChanged={isChanged} onClose={onClose}>
      {(closeButton) => (
        <form className={styles.form} onSubmit={(event) => void submit(event)}>
          <KeptDraft
            form={noteForm(subject, note?.uuid)}
            isChanged={isChanged}
            read={() => ({ draft, etag: note?.etag })}
            onRestore={(kept) => {
              setDraft(kept.draft);
              compare(kept.etag);
            }}
          />
          {theirs && (
            <TheirNote
              note={theirs}
              onTake={() => {
                setDraft(draftOf(theirs));
                forget();
              }}
            />
          )}
          {isGone && <p role="alert">{t.gone}</p>}
          <ExtentFields subject={subject} isNew={note === undefined} draft={draft} onChange={setDraft} />
          <label className={styles.field}>
            {t.text}
            <textarea
              dir="auto"
              rows={5}
              autoFocus
              value={draft.text}
              onChange={(event) => setDraft({ ...draft, text: event.target.value })}
            />
          </label>
          <p className={length > MAX_TEXT ? styles.problem : styles.hint} aria-live={length > MAX_TEXT ? 'polite' : 'off'}>
            {length > MAX_TEXT ? t.tooLong(formats.count(length - MAX_TEXT)) : t.length(formats.count(length), formats.count(MAX_TEXT))}
          </p>
          <EntryField kind="cause" chosen={draft.cause} writtenText={note?.causeText} onChange={(cause) => setDraft({ ...draft, cause })} />
          {!mayWrite && (
            <p role="alert" className={styles.problem}>
              {t.rightGone(subject.partPath)}
            </p>
          )}
          {error !== undefined && <Failed error={error} />}
          {isChanged && problem !== undefined && problem !== 'tooLong' && <p className={styles.hint}>{t[problem]}</p>}
          <DialogButtons>
            {closeButton}
            <Button
              kind="primary"
              type="submit"
              isDisabled={problem !== undefined || isSaving || !mayWrite || (note !== undefined && !isChanged)}
            >
              {t.save}
            </Button>
          </DialogButtons>
        </form>
      )}
    </GuardedDialog>
  );
}
