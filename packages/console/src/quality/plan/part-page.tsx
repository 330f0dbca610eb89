import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { defineTexts, useTexts } from '../../design/language/language';
import { Facts, Page } from '../../design/page/page';
import { Failed, Skeleton } from '../../design/states/pane-state';
import styles from './part-page.module.css';
import { namesOf } from './plan-path';
import { ROOT_PART, useAncestors, usePart } from './place';

const texts = defineTexts({
  en: {
    path: 'Path',
    views: 'Views',
    overview: 'Overview',
    measurements: 'Measurements',
    files: 'Files',
    allParts: 'All parts',
  },
  de: {
    path: 'Pfad',
    views: 'Ansichten',
    overview: 'Übersicht',
    measurements: 'Messungen',
    files: 'Dateien',
    allParts: 'Alle Teile',
  },
});

export type PartView = 'overview' | 'measurements' | 'files';

export interface PartPageProps {
  partUuid: string;
  view: PartView;
  facts?: readonly { name: string; value: ReactNode }[];
  children: ReactNode;
}

/** The head that all views of a part share: path, name, views and facts. */
export function PartPage({ partUuid, view, facts, children }: PartPageProps) {
  const t = useTexts(texts);
  const part = usePart(partUuid);
  const ancestors = useAncestors(part.data?.path);
  const name = partUuid === ROOT_PART ? t.allParts : (namesOf(part.data?.path ?? '/').at(-1) ?? '');
  const isOverview = view === 'overview';
  const above = isOverview ? ancestors : [...ancestors, { uuid: partUuid, name }];
  if (part.error !== null && part.data === undefined) {
    return (
      <Page title={t[view]}>
        <Failed error={part.error} onRetry={() => void part.refetch()} />
      </Page>
    );
  }
  return (
    <Page
      title={isOverview ? name : t[view]}
      crumbs={
        above.length > 0 && (
          <Crumbs>
            {above.map(({ uuid, name: ancestor }) => (
              <Link key={uuid} to="/parts/$partUuid" params={{ partUuid: uuid }}>
                {ancestor}
              </Link>
            ))}
          </Crumbs>
        )
      }
      tabs={
        <nav className={styles.tabs} aria-label={t.views}>
          <Link to="/parts/$partUuid" params={{ partUuid }} activeOptions={{ exact: true, includeSearch: false }}>
            {t.overview}
          </Link>
          <Link to="/parts/$partUuid/measurements" params={{ partUuid }} activeOptions={{ includeSearch: false }}>
            {t.measurements}
          </Link>
          <Link to="/parts/$partUuid/files" params={{ partUuid }} activeOptions={{ includeSearch: false }}>
            {t.files}
          </Link>
        </nav>
      }
      facts={facts !== undefined && <Facts facts={facts} />}
    >
      {part.data === undefined ? <Skeleton rows={6} /> : children}
    </Page>
  );
}

/** The path above what a page shows, before its name. */
export function Crumbs({ children }: { children: readonly ReactNode[] }) {
  const t = useTexts(texts);
  return (
    <nav className={styles.crumbs} aria-label={t.path}>
      {children.map((crumb, index) => (
        <span key={index} className={styles.crumb}>
          {crumb}
          <span className={styles.slash} aria-hidden="true">
            /
          </span>
        </span>
      ))}
    </nav>
  );
}
