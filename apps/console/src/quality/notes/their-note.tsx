import type { Note } from '@sinebar/client';
import { Button } from '../../design/controls/button';
import { useFormats, useLanguage, useTexts } from '../../design/language/language';
import { causeText } from './causes';
import { useExtentText } from './extent-fields';
import { texts } from './texts';
import styles from './notes.module.css';

/** The text of somebody else, who has changed the note at the same time. */
export function TheirNote({ note, onTake }: { note: Note; onTake: () => void }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const language = useLanguage();
  const extentText = useExtentText();
  const about = [extentText(note), note.causeText === undefined ? '' : causeText(note.causeText, language)].filter((text) => text !== '');
  return (
    <div role="alert" className={styles.conflict}>
      <h3>{t.conflict}</h3>
      <p>{t.conflictText}</p>
      <p dir="auto" className={styles.text}>
        {note.text}
      </p>
      <p className={styles.about}>
        {[...about, ...(note.modifiedBy === undefined ? [] : [note.modifiedBy]), formats.dateTime(note.modified ?? note.time)].join(', ')}
      </p>
      <Button onPress={onTake}>{t.takeTheirs}</Button>
    </div>
  );
}
