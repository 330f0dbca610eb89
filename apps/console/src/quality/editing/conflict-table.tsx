import { Button } from '../../design/controls/button';
import { defineTexts, useTexts } from '../../design/language/language';
import table from '../../design/tables/table.module.css';
import type { Conflict } from './draft';
import styles from './editing.module.css';

const texts = defineTexts({
  en: {
    title: 'Changed by somebody else meanwhile',
    lead: 'Choose for each field which text counts; nothing is saved before.',
    field: 'Field',
    was: 'It was',
    theirs: 'Theirs',
    mine: 'Yours',
    choice: 'Choice',
    keep: 'Keep yours',
    take: 'Take theirs',
    keepOf: (field: string) => `Keep yours for ${field}`,
    takeOf: (field: string) => `Take theirs for ${field}`,
    empty: '(empty)',
  },
  de: {
    title: 'Inzwischen von jemand anderem geändert',
    lead: 'Wählen Sie für jedes Feld, welcher Text gilt; vorher wird nichts gespeichert.',
    field: 'Feld',
    was: 'Vorher',
    theirs: 'Von anderen',
    mine: 'Von Ihnen',
    choice: 'Auswahl',
    keep: 'Meinen behalten',
    take: 'Anderen nehmen',
    keepOf: (field: string) => `Meinen behalten für ${field}`,
    takeOf: (field: string) => `Anderen nehmen für ${field}`,
    empty: '(leer)',
  },
});

export interface ConflictTableProps {
  conflicts: readonly Conflict[];
  nameOf: (field: string) => string;
  /** Shows a text of a field as a reader knows it. */
  textOf: (field: string, text: string) => string;
  onKeep: (field: string) => void;
  onTake: (field: string) => void;
}

/** Both sides of what two people have changed at once. */
export function ConflictTable({ conflicts, nameOf, textOf, onKeep, onTake }: ConflictTableProps) {
  const t = useTexts(texts);
  if (conflicts.length === 0) return null;
  const shown = (field: string, text: string) => (text === '' ? t.empty : textOf(field, text));
  return (
    <div role="alert" className={styles.conflicts}>
      <h2>{t.title}</h2>
      <p>{t.lead}</p>
      <table className={table.data} aria-label={t.title}>
        <thead>
          <tr>
            <th scope="col">{t.field}</th>
            <th scope="col">{t.was}</th>
            <th scope="col">{t.theirs}</th>
            <th scope="col">{t.mine}</th>
            <th scope="col">{t.choice}</th>
          </tr>
        </thead>
        <tbody>
          {conflicts.map(({ field, was, theirs, mine }) => (
            <tr key={field}>
              <th scope="row">{nameOf(field)}</th>
              <td className={table.soft}>{shown(field, was)}</td>
              <td>{shown(field, theirs)}</td>
              <td>{shown(field, mine)}</td>
              <td>
                <Button kind="quiet" aria-label={t.keepOf(nameOf(field))} onPress={() => onKeep(field)}>
                  {t.keep}
                </Button>
                <Button kind="quiet" aria-label={t.takeOf(nameOf(field))} onPress={() => onTake(field)}>
                  {t.take}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
