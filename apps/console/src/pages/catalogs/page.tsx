import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/controls/button';
import { useFormats, useTexts } from '../../design/language/language';
import { Fill } from '../../design/layout/fill';
import { TableFoot } from '../../design/layout/lines';
import { Split } from '../../design/layout/split';
import { Page } from '../../design/page/page';
import { Empty, Failed, Skeleton } from '../../design/states/pane-state';
import { useConfiguration } from '../../quality/attributes/configuration';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { useMayOnServer } from '../../server/session/use-session';
import { useView } from '../../server/use-view';
import { CatalogList } from './catalog-list';
import styles from './catalogs.module.css';
import { CreateCatalog } from './create-catalog';
import { Entries } from './entries';
import type { CatalogsAddress } from './search';
import { texts } from './texts';

/** Catalogs of the server, and the entries of one of them. */
export function CatalogsPage() {
  const t = useTexts(texts);
  const { compare } = useFormats();
  const queries = useQueryClient();
  const { view, change } = useView<CatalogsAddress>();
  const server = useServer();
  const mayWrite = useMayOnServer('catalog:write');
  const [isCreating, setCreating] = useState(false);
  const { configuration, isReady, error } = useConfiguration();
  const catalogs = [...configuration.catalogs.values()].sort((a, b) => compare(a.name, b.name));
  const chosen = view.catalog === undefined ? catalogs[0] : configuration.catalogs.get(view.catalog);
  if (!isReady) {
    return (
      <Page title={t.title}>
        {error === null || error === undefined ? (
          <Skeleton rows={6} />
        ) : (
          <Failed error={error} onRetry={() => void queries.invalidateQueries({ queryKey: queryKeys.configuration() })} />
        )}
      </Page>
    );
  }
  const create = mayWrite && (
    <>
      <Button kind={catalogs.length === 0 ? 'primary' : 'plain'} onPress={() => setCreating(true)}>
        {t.create}
      </Button>
      {isCreating && (
        <CreateCatalog
          catalogs={catalogs}
          definitions={configuration.of('catalog')}
          onCreate={async (catalog) => {
            await server.catalogs.create([catalog]);
            await queries.invalidateQueries({ queryKey: queryKeys.configuration() });
            change({ catalog: catalog.uuid, find: undefined });
          }}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  );
  if (catalogs.length === 0) {
    return (
      <Page title={t.title}>
        <Empty>
          <p>{t.noCatalogs}</p>
          {create}
        </Empty>
        {!mayWrite && <TableFoot>{t.readOnly}</TableFoot>}
      </Page>
    );
  }
  return (
    <Page title={t.title} tabs={mayWrite && <div className={styles.create}>{create}</div>}>
      <Fill>
        <Split isRuled isDetailFirst detailLabel={t.title} detail={<CatalogList catalogs={catalogs} chosen={chosen?.uuid} />}>
          {chosen === undefined ? (
            <Empty>
              <p>{t.unknown}</p>
            </Empty>
          ) : (
            <Entries
              key={chosen.uuid}
              catalog={chosen}
              configuration={configuration}
              find={view.find ?? ''}
              onFind={(text) => change({ find: text === '' ? undefined : text })}
              onRemoved={() => change({ catalog: undefined, find: undefined })}
            />
          )}
        </Split>
      </Fill>
    </Page>
  );
}
