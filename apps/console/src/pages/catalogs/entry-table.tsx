import type { CatalogEntry } from '@sinebar/client';
import { QuietButton } from '../../design/controls/buttons';
import { Hidden } from '../../design/controls/text-field';
import { useTexts } from '../../design/language/language';
import table from '../../design/tables/table.module.css';
import styles from './catalogs.module.css';
import { texts } from './texts';

export interface EntryTableProps {
  name: string;
  columns: readonly { key: number; name: string }[];
  entries: readonly CatalogEntry[];
  textOf: (attribute: number, text: string) => string;
  /** Opens the form for the texts of one; absent where the reader may not. */
  onEdit: ((entry: CatalogEntry) => void) | undefined;
  /** Asks for the deletion of one; absent where the reader may not. */
  onRemove: ((entry: CatalogEntry) => void) | undefined;
}

/** Entries of a catalog in the order of their numbers, with a column for each attribute. */
export function EntryTable({ name, columns, entries, textOf, onEdit, onRemove }: EntryTableProps) {
  const t = useTexts(texts);
  return (
    <div className={table.scrolled}>
      <table className={`${table.data} ${styles.entries}`} aria-label={name}>
        <thead>
          <tr>
            <th scope="col" className={`${table.number} ${styles.key}`}>
              {t.key}
            </th>
            {columns.map((column) => (
              <th key={column.key} scope="col">
                {column.name}
              </th>
            ))}
            {onRemove && (
              <th scope="col">
                <Hidden>{t.actions}</Hidden>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.key}>
              <th scope="row" className={table.number}>
                {entry.key}
              </th>
              {columns.map(({ key }) => (
                <td key={key}>{textOf(key, entry.attributes[key] ?? '')}</td>
              ))}
              {onRemove && (
                <td className={table.actions}>
                  {onEdit && columns.length > 0 && (
                    <QuietButton aria-label={t.editNamed(String(entry.key))} onPress={() => onEdit(entry)}>
                      {t.edit}
                    </QuietButton>
                  )}
                  <QuietButton isDanger aria-label={t.removeNamed(String(entry.key))} onPress={() => onRemove(entry)}>
                    {t.remove}
                  </QuietButton>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
