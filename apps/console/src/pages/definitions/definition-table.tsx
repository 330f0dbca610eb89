import type { AnyAttributeDefinition, Catalog } from '@sinebar/client';
import { QuietButton } from '../../design/controls/buttons';
import { Hidden } from '../../design/controls/text-field';
import { useFormats, useTexts } from '../../design/language/language';
import table from '../../design/tables/table.module.css';
import styles from './definitions.module.css';
import { texts } from './texts';

export interface DefinitionTableProps {
  name: string;
  definitions: readonly AnyAttributeDefinition[];
  catalogs: ReadonlyMap<string, Catalog>;
  /** Asks for another name; absent where the reader may not. */
  onRename: ((definition: AnyAttributeDefinition) => void) | undefined;
  /** Asks for the deletion of one; absent where the reader may not. */
  onRemove: ((definition: AnyAttributeDefinition) => void) | undefined;
}

/** Definitions in the order of their keys. */
export function DefinitionTable({ name, definitions, catalogs, onRename, onRemove }: DefinitionTableProps) {
  const t = useTexts(texts);
  const { count } = useFormats();
  const lengthOf = (definition: AnyAttributeDefinition) =>
    definition.definitionType === 'AttributeDefinition' && definition.length !== undefined ? t.characters(count(definition.length)) : '';
  return (
    <div className={table.scrolled}>
      <table className={table.data} aria-label={name}>
        <thead>
          <tr>
            <th scope="col" className={`${table.number} ${styles.key}`}>
              {t.key}
            </th>
            <th scope="col">{t.name}</th>
            <th scope="col">{t.type}</th>
            <th scope="col" className={styles.minor}>
              {t.length}
            </th>
            <th scope="col" className={styles.minor}>
              {t.catalog}
            </th>
            {onRemove && (
              <th scope="col">
                <Hidden>{t.actions}</Hidden>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {definitions.map((definition) => {
            const isCatalog = definition.definitionType === 'CatalogAttributeDefinition';
            return (
              <tr key={definition.key}>
                <td className={table.number}>{definition.key}</td>
                <th scope="row">{definition.description}</th>
                <td>{isCatalog ? t.Catalog : t[definition.type]}</td>
                <td className={`${table.soft} ${styles.minor}`}>{lengthOf(definition)}</td>
                <td className={`${table.soft} ${styles.minor}`}>
                  {isCatalog ? (catalogs.get(definition.catalog)?.name ?? definition.catalog) : ''}
                </td>
                {onRemove && (
                  <td className={table.actions}>
                    {onRename && (
                      <QuietButton aria-label={t.renameNamed(definition.description)} onPress={() => onRename(definition)}>
                        {t.rename}
                      </QuietButton>
                    )}
                    <QuietButton isDanger aria-label={t.removeNamed(definition.description)} onPress={() => onRemove(definition)}>
                      {t.remove}
                    </QuietButton>
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
