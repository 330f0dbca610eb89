import type { Catalog, CatalogEntry } from '@sinebar/client';
import { useQueryClient } from '@tanstack/react-query';
import { useTexts } from '../../design/language/language';
import { RenameDialog } from '../../quality/editing/rename-dialog';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { texts } from './texts';

export interface EditEntryProps {
  catalog: Catalog;
  entry: CatalogEntry;
  columns: readonly { key: number; name: string }[];
  onClose: () => void;
}

/** Changes the texts of an entry; what refers to it keeps referring to it. */
export function EditEntry({ catalog, entry, columns, onClose }: EditEntryProps) {
  const t = useTexts(texts);
  const server = useServer();
  const queries = useQueryClient();
  return (
    <RenameDialog
      title={t.editTitle(String(entry.key), catalog.name)}
      fields={columns.map(({ key, name }) => ({ id: String(key), label: name, text: entry.attributes[key] ?? '' }))}
      onSave={async (written) => {
        // Writing a catalog writes all of its entries: those of others must be there.
        const current = await server.catalogs.get(catalog.uuid);
        if (!current.catalogEntries.some(({ key }) => key === entry.key)) throw new Error(t.gone(String(entry.key)));
        const attributes = Object.fromEntries(Object.entries(written).filter(([, text]) => text !== ''));
        const catalogEntries = current.catalogEntries.map((each) => (each.key === entry.key ? { ...each, attributes } : each));
        await server.catalogs.update([{ ...current, catalogEntries }]);
        await queries.invalidateQueries({ queryKey: queryKeys.configuration() });
      }}
      onClose={onClose}
    />
  );
}

/** Changes the name of a catalog; its entries stay. */
export function RenameCatalog({ catalog, onClose }: Pick<EditEntryProps, 'catalog' | 'onClose'>) {
  const t = useTexts(texts);
  const server = useServer();
  const queries = useQueryClient();
  const { uuid, name, validAttributes } = catalog;
  return (
    <RenameDialog
      title={t.renameTitle(name)}
      fields={[{ id: 'name', label: t.catalogName, text: name }]}
      problemOf={({ name: written = '' }) => (written.trim() === '' ? t.noName : undefined)}
      onSave={async ({ name: written = '' }) => {
        await server.catalogs.update([{ uuid, name: written.trim(), validAttributes }]);
        await queries.invalidateQueries({ queryKey: queryKeys.configuration() });
      }}
      onClose={onClose}
    />
  );
}
