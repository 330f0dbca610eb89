import type { Note } from '@sinebar/client';
import { useFormats, useTexts } from '../../design/language/language';
import { texts } from './texts';
import styles from './notes.module.css';

/** Characters of the tool tip. */
const MAX_LENGTH = 400;

/** A sheet beside a name that has notes; its tool tip is the newest of them. Nothing where there are none. */
export function NoteMark({ notes }: { notes: readonly Pick<Note, 'text'>[] | undefined }) {
  const t = useTexts(texts);
  const { count } = useFormats();
  const [newest] = notes ?? [];
  if (notes === undefined || newest === undefined) return null;
  const label = notes.length === 1 ? t.oneMark : t.mark(count(notes.length));
  const letters = Array.from(newest.text);
  const text = letters.length <= MAX_LENGTH ? newest.text : `${letters.slice(0, MAX_LENGTH).join('')}…`;
  return (
    <span className={styles.mark} title={`${label}: ${text}`}>
      <svg role="img" aria-label={label} viewBox="0 0 12 12">
        <path d="M1.5 1.5h6l3 3v6h-9z" />
      </svg>
    </span>
  );
}
