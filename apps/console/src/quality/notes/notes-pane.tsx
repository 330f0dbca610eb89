import type { Note } from '@sinebar/client';
import { useId, useState } from 'react';
import { Button } from '../../design/controls/button';
import { useFormats, useTexts } from '../../design/language/language';
import { PaneHead } from '../../design/page/pane-head';
import { Pane, type PaneQuery } from '../../design/states/pane-state';
import { MAX_NOTES } from '../../server/queries/note-queries';
import { useMay } from '../../server/session/use-session';
import { useHasDraft } from '../editing/kept-draft';
import { NoteDialog } from './note-dialog';
import { NoteList, type NoteListProps } from './note-list';
import { noteForm, type NoteSubject } from './note-subject';
import { texts } from './texts';
import styles from './notes.module.css';

export interface NotesPaneProps extends Omit<NoteListProps, 'notes'> {
  query: PaneQuery<readonly Note[]>;
  /** What a new note is about. */
  subject: NoteSubject;
  /** Hides the heading, where the page has it. */
  isHeadHidden?: boolean;
}

/** All notes about something, and the button that writes another one. */
export function NotesPane({ query, subject, isHeadHidden = false, ...list }: NotesPaneProps) {
  const t = useTexts(texts);
  const { count } = useFormats();
  const id = useId();
  const mayWrite = useMay('note:write', subject.partPath);
  const hasDraft = useHasDraft();
  const [isWriting, setWriting] = useState(() => hasDraft(noteForm(subject, undefined)));
  const found = query.data?.length ?? 0;
  const note = found === 0 ? undefined : found < MAX_NOTES ? t.count(count(found)) : t.newest(count(MAX_NOTES));
  return (
    <section
      className={found === 0 ? `${styles.pane} ${styles.onScreen}` : styles.pane}
      {...(isHeadHidden ? { 'aria-label': t.notes } : { 'aria-labelledby': id })}
    >
      <div className={styles.head}>
        {isHeadHidden ? <span>{note}</span> : <PaneHead id={id} name={t.notes} note={note} />}
        {mayWrite && (
          <span className={styles.actions}>
            <Button onPress={() => setWriting(true)}>{t.add}</Button>
          </span>
        )}
      </div>
      <Pane query={query}>
        {(notes) => (notes.length === 0 ? <p className={styles.readOnly}>{t.none}</p> : <NoteList notes={notes} {...list} />)}
      </Pane>
      {!mayWrite && subject.partPath !== '' && <p className={styles.readOnly}>{t.readOnly(subject.partPath)}</p>}
      {isWriting && <NoteDialog subject={subject} onClose={() => setWriting(false)} />}
    </section>
  );
}
