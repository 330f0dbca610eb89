import { ROOT_PART_UUID } from '@sinebar/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { defineTexts, useTexts } from '../../design/language/language';
import { Facts, Page } from '../../design/page/page';
import { Failed, isWithdrawn, Skeleton } from '../../design/states/pane-state';
import { Crumbs } from './crumbs';
import { useDrawing } from '../files/use-drawing';
import styles from './item-page.module.css';
import { nameOf, plainPathOf } from '../../server/queries/plan-path';
import { useMay } from '../../server/session/use-session';
import { useAncestors, usePart } from './use-plan-items';

const texts = defineTexts({
  en: {
    views: 'Views',
    overview: 'Overview',
    measurements: 'Measurements',
    files: 'Files',
    entry: 'Enter values',
    drawing: 'Drawing',
    notes: 'Notes',
    plan: 'Plan',
    planOf: (name: string) => `Plan of ${name}`,
    allParts: 'All parts',
  },
  de: {
    views: 'Ansichten',
    overview: 'Übersicht',
    measurements: 'Messungen',
    files: 'Dateien',
    entry: 'Werte eingeben',
    drawing: 'Zeichnung',
    notes: 'Notizen',
    plan: 'Plan',
    planOf: (name: string) => `Plan von ${name}`,
    allParts: 'Alle Teile',
  },
});

export type PartView = 'overview' | 'measurements' | 'entry' | 'drawing' | 'files' | 'notes' | 'plan';

export interface PartPageProps {
  partUuid: string;
  view: PartView;
  facts?: readonly { name: string; value: ReactNode }[];
  /** Field for the name, in the place of the heading. */
  nameField?: ReactNode;
  children: ReactNode;
}

/** The head that all views of a part share: path, name, views and facts. */
export function PartPage({ partUuid, view, facts, nameField, children }: PartPageProps) {
  const t = useTexts(texts);
  const part = usePart(partUuid);
  const ancestors = useAncestors(part.data?.path);
  const mayEnter = useMay('measurement:write', part.data && plainPathOf(part.data.path));
  const hasDrawing = useDrawing(partUuid, part.data && plainPathOf(part.data.path)).data?.file !== undefined;
  const name = partUuid === ROOT_PART_UUID ? t.allParts : nameOf(part.data?.path ?? '/');
  const titles = { ...t, overview: name, plan: t.planOf(name) };
  const isItself = view === 'overview' || nameField !== undefined;
  const above = isItself ? ancestors : [...ancestors, { uuid: partUuid, name }];
  // The texts that somebody types into the plan stay.
  if (part.error !== null && (part.data === undefined || (nameField === undefined && isWithdrawn(part.error)))) {
    return (
      <Page title={t[view]}>
        <Failed error={part.error} onRetry={() => void part.refetch()} />
      </Page>
    );
  }
  return (
    <Page
      title={titles[view]}
      {...(nameField !== undefined && { nameField })}
      crumbs={
        above.length > 0 && (
          <Crumbs>
            {above.map(({ uuid, name: ancestor }) => (
              <Link key={uuid} to="/parts/$partUuid" params={{ partUuid: uuid }} title={ancestor}>
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
          {mayEnter && partUuid !== ROOT_PART_UUID && (
            <Link to="/parts/$partUuid/entry" params={{ partUuid }} activeOptions={{ includeSearch: false }}>
              {t.entry}
            </Link>
          )}
          {(hasDrawing || view === 'drawing') && (
            <Link to="/parts/$partUuid/drawing" params={{ partUuid }} activeOptions={{ includeSearch: false }}>
              {t.drawing}
            </Link>
          )}
          <Link to="/parts/$partUuid/files" params={{ partUuid }} activeOptions={{ includeSearch: false }}>
            {t.files}
          </Link>
          <Link to="/parts/$partUuid/notes" params={{ partUuid }} activeOptions={{ includeSearch: false }}>
            {t.notes}
          </Link>
          <Link to="/parts/$partUuid/plan" params={{ partUuid }} activeOptions={{ includeSearch: false }}>
            {t.plan}
          </Link>
        </nav>
      }
      facts={facts !== undefined && <Facts facts={facts} />}
    >
      {part.data === undefined ? <Skeleton rows={6} /> : children}
    </Page>
  );
}
