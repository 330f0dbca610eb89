import { useQueryClient } from '@tanstack/react-query';
import { useFormats, useTexts } from '../../design/language/language';
import { Fill } from '../../design/layout/fill';
import { Split } from '../../design/layout/split';
import { Page } from '../../design/page/page';
import { Empty, Failed, Skeleton } from '../../design/states/pane-state';
import { useConfiguration } from '../../quality/attributes/configuration';
import { KEYS } from '../../server/queries/keys';
import { useView } from '../../server/use-view';
import { CatalogList } from './catalog-list';
import { Entries } from './entries';
import type { CatalogsAddress } from './search';
import { texts } from './texts';

/** Catalogs of the server, and the entries of one of them. */
export function CatalogsPage() {
  const t = useTexts(texts);
  const { compare } = useFormats();
  const queries = useQueryClient();
  const { view, change } = useView<CatalogsAddress>();
  const { configuration, isReady, error } = useConfiguration();
  const catalogs = [...configuration.catalogs.values()].sort((a, b) => compare(a.name, b.name));
  const chosen = view.catalog === undefined ? catalogs[0] : configuration.catalogs.get(view.catalog);
  if (!isReady) {
    return (
      <Page title={t.title}>
        {error === null || error === undefined ? (
          <Skeleton rows={6} />
        ) : (
          <Failed error={error} onRetry={() => void queries.invalidateQueries({ queryKey: [KEYS.configuration] })} />
        )}
      </Page>
    );
  }
  if (catalogs.length === 0) {
    return (
      <Page title={t.title}>
        <Empty>
          <p>{t.noCatalogs}</p>
        </Empty>
      </Page>
    );
  }
  return (
    <Page title={t.title}>
      <Fill>
        <Split isRuled detailLabel={t.title} detail={<CatalogList catalogs={catalogs} chosen={chosen?.uuid} />}>
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
            />
          )}
        </Split>
      </Fill>
    </Page>
  );
}
