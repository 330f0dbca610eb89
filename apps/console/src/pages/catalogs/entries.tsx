import type { Catalog, CatalogEntry } from '@sinebar/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/controls/button';
import { QuietButton } from '../../design/controls/buttons';
import { ConfirmDialog } from '../../design/controls/confirm-dialog';
import { FilterField } from '../../design/controls/field';
import { useFormats, useTexts } from '../../design/language/language';
import { OptionsLine, Rare, TableFoot } from '../../design/layout/lines';
import { PaneHead } from '../../design/page/pane-head';
import { Empty } from '../../design/states/pane-state';
import { useAttributeText, type Configuration } from '../../quality/attributes/configuration';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { useMayOnServer } from '../../server/session/use-session';
import { AddEntry } from './add-entry';
import { EditEntry, RenameCatalog } from './edit-entry';
import { EntryTable } from './entry-table';
import { texts } from './texts';

/** Most entries in the table; the filter finds the others. */
const MAX_ROWS = 500;

export interface EntriesProps {
  catalog: Catalog;
  configuration: Configuration;
  find: string;
  onFind: (text: string) => void;
  /** Called when the catalog itself was deleted. */
  onRemoved: () => void;
}

/** Entries of one catalog; with the right they can be added and deleted. */
export function Entries({ catalog, configuration, find, onFind, onRemoved }: EntriesProps) {
  const t = useTexts(texts);
  const { count } = useFormats();
  const server = useServer();
  const queries = useQueryClient();
  const attributeText = useAttributeText(configuration);
  const mayWrite = useMayOnServer('catalog:write');
  const [isAdding, setAdding] = useState(false);
  const [edited, setEdited] = useState<CatalogEntry>();
  const [isRenaming, setRenaming] = useState(false);
  const [removed, setRemoved] = useState<CatalogEntry>();
  const { uuid, name, validAttributes, catalogEntries } = catalog;
  const columns = validAttributes.map((key) => ({ key, name: configuration.byKey.get(key)?.description ?? String(key) }));
  const textOf = (attribute: number, text: string) => attributeText(attribute, text).text;
  const textsOf = ({ attributes }: CatalogEntry) => columns.map(({ key }) => textOf(key, attributes[key] ?? ''));
  const wanted = find.trim().toLowerCase();
  const found = catalogEntries
    .filter((entry) => [String(entry.key), ...textsOf(entry)].some((text) => text.toLowerCase().includes(wanted)))
    .sort((a, b) => a.key - b.key);
  const shown = found.slice(0, MAX_ROWS);
  const users = [...configuration.byKey.values()]
    .filter((definition) => definition.definitionType === 'CatalogAttributeDefinition' && definition.catalog === uuid)
    .map(({ description }) => description);
  const [isRemoving, setRemoving] = useState(false);
  const renew = () => queries.invalidateQueries({ queryKey: queryKeys.configuration() });
  return (
    <>
      <PaneHead name={name} note={`${t.usedBy} ${users.length === 0 ? t.notUsed : users.join(', ')}`} />
      <OptionsLine
        actions={
          mayWrite && (
            <>
              <Rare>
                <QuietButton onPress={() => setRenaming(true)}>{t.rename}</QuietButton>
                <QuietButton isDanger isDisabled={users.length > 0} onPress={() => setRemoving(true)}>
                  {t.removeCatalog}
                </QuietButton>
              </Rare>
              <Button kind="primary" onPress={() => setAdding(true)}>
                {t.add}
              </Button>
            </>
          )
        }
      >
        <FilterField label={t.filter} value={find} onChange={onFind} />
      </OptionsLine>
      {shown.length > 0 ? (
        <EntryTable
          name={name}
          columns={columns}
          entries={shown}
          textOf={textOf}
          onEdit={mayWrite ? setEdited : undefined}
          onRemove={mayWrite ? setRemoved : undefined}
        />
      ) : (
        <Empty>
          <p>{catalogEntries.length === 0 ? t.noEntries : t.nothingFound}</p>
        </Empty>
      )}
      <TableFoot note={!mayWrite ? t.readOnly : users.length > 0 ? t.inUse(users.join(', ')) : undefined}>
        {t.shown(count(shown.length), count(found.length), count(catalogEntries.length))}
      </TableFoot>
      {isAdding && (
        <AddEntry
          catalog={catalog}
          columns={columns}
          onAdd={async (entry) => {
            await server.catalogs.addEntries(uuid, [entry]);
            await renew();
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {isRenaming && <RenameCatalog catalog={catalog} onClose={() => setRenaming(false)} />}
      {edited && <EditEntry catalog={catalog} entry={edited} columns={columns} onClose={() => setEdited(undefined)} />}
      {isRemoving && (
        <ConfirmDialog
          title={t.removeCatalogTitle(name)}
          goes={[t.goesEntries(count(catalogEntries.length))]}
          action={t.removeAction}
          onConfirm={async () => {
            await server.catalogs.delete([uuid]);
            onRemoved();
            await renew();
          }}
          onClose={() => setRemoving(false)}
        />
      )}
      {removed && (
        <ConfirmDialog
          title={t.removeTitle(String(removed.key), name)}
          goes={[
            t.goesEntry(
              String(removed.key),
              textsOf(removed)
                .filter((text) => text !== '')
                .join(', '),
            ),
            t.goesReferences,
          ]}
          action={t.removeAction}
          onConfirm={async () => {
            await server.catalogs.deleteEntries(uuid, [removed.key]);
            await renew();
          }}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </>
  );
}
