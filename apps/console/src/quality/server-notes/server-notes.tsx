import { useLanguage } from '../../design/language/language';
import { germanNote } from './german-notes';

/** Notes of the server about figures, in the language of the reader; one that is not known stays English and says so to screen readers. */
export function ServerNotes({ notes, className }: { notes: readonly string[] | undefined; className?: string | undefined }) {
  const language = useLanguage();
  if (notes === undefined || notes.length === 0) return null;
  return (
    <p className={className}>
      {notes.map((note) => {
        const said = language === 'en' ? note : germanNote(note);
        return said === undefined ? (
          <span key={note} lang="en">
            {note}{' '}
          </span>
        ) : (
          `${said} `
        );
      })}
    </p>
  );
}
