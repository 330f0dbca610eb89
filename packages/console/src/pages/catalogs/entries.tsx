import type { Catalog, CatalogEntry } from '@sinebar/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/controls/button';
import { ConfirmDialog } from '../../design/controls/confirm-dialog';
import { FilterField } from '../../design/controls/field';
import { useFormats, useTexts } from '../../design/language/language';
import { OptionsLine, PaneHead, TableFoot } from '../../design/layout/lines';
import { Empty } from '../../design/states/pane-state';
import { useAttributeText, type Configuration } from '../../quality/attributes/configuration';
import { KEYS } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { useMayOnServer } from '../../server/session/use-session';
import { AddEntry } from './add-entry';
import { EntryTable } from './entry-table';
import { texts } from './texts';

/** Most entries in the table; the filter finds the others. */
const MOST_ROWS = 500;

export interface EntriesProps {
  catalog: Catalog;
  configuration: Configuration;
  find: string;
  onFind: (text: string) => void;
}

/** Entries of one catalog; with the right they can be added and deleted. */
export function Entries({ catalog, configuration, find, onFind }: EntriesProps) {
  const t = useTexts(texts);
  const { count } = useFormats();
  const server = useServer();
  const queries = useQueryClient();
  const attributeText = useAttributeText(configuration);
  const mayWrite = useMayOnServer('catalog:write');
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<CatalogEntry>();
  const { uuid, name, validAttributes, catalogEntries } = catalog;
  const columns = validAttributes.map((key) => ({ key, name: configuration.byKey.get(key)?.description ?? String(key) }));
  const textOf = (attribute: number, text: string) => attributeText(attribute, text).text;
  const textsOf = ({ attributes }: CatalogEntry) => columns.map(({ key }) => textOf(key, attributes[key] ?? ''));
  const wanted = find.trim().toLowerCase();
  const found = catalogEntries
    .filter((entry) => [String(entry.key), ...textsOf(entry)].some((text) => text.toLowerCase().includes(wanted)))
    .sort((a, b) => a.key - b.key);
  const shown = found.slice(0, MOST_ROWS);
  const renew = () => queries.invalidateQueries({ queryKey: [KEYS.configuration] });
  return (
    <>
      <PaneHead name={name} />
      <OptionsLine
        actions={
          mayWrite && (
            <Button kind="primary" onPress={() => setAdding(true)}>
              {t.add}
            </Button>
          )
        }
      >
        <FilterField label={t.filter} value={find} onChange={onFind} />
      </OptionsLine>
      {shown.length > 0 ? (
        <EntryTable name={name} columns={columns} entries={shown} textOf={textOf} onRemove={mayWrite ? setRemoved : undefined} />
      ) : (
        <Empty>
          <p>{catalogEntries.length === 0 ? t.noEntries : t.nothingFound}</p>
        </Empty>
      )}
      <TableFoot note={mayWrite ? undefined : t.readOnly}>
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
