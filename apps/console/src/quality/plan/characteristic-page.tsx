import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { defineTexts, useTexts } from '../../design/language/language';
import { Page } from '../../design/page/page';
import { nameOf } from '../../server/queries/plan-path';
import { Crumbs } from './crumbs';
import styles from './item-page.module.css';
import { useAncestors } from './use-plan-items';

const texts = defineTexts({
  en: {
    views: 'Views',
    overview: 'Overview',
    chart: 'Chart',
    files: 'Files',
    measurements: 'Measurements',
    plan: 'Plan',
    planOf: (name: string) => `Plan of ${name}`,
  },
  de: {
    views: 'Ansichten',
    overview: 'Übersicht',
    chart: 'Regelkarte',
    files: 'Dateien',
    measurements: 'Messungen',
    plan: 'Plan',
    planOf: (name: string) => `Plan von ${name}`,
  },
});

/** A tab is current only at its own address, whatever is chosen on it. */
const EXACT = { exact: true, includeSearch: false };

export interface CharacteristicPageProps {
  partUuid: string;
  characteristicUuid: string;
  /** Its path, once that is known. */
  path: string | undefined;
  facts?: ReactNode;
  /** Field for the name, in the place of the heading, on the page that changes the plan. */
  nameField?: ReactNode;
  children: ReactNode;
}

/** The head that all views of a characteristic share: path, name, views and facts. */
export function CharacteristicPage({ partUuid, characteristicUuid, path, facts, nameField, children }: CharacteristicPageProps) {
  const t = useTexts(texts);
  const ancestors = useAncestors(path);
  const params = { partUuid, characteristicUuid };
  const name = path === undefined ? '' : nameOf(path);
  return (
    <Page
      title={nameField === undefined ? name : t.planOf(name)}
      {...(nameField !== undefined && { nameField })}
      crumbs={
        <Crumbs>
          {ancestors.map(({ uuid, name: ancestor }) => (
            <Link key={uuid} to="/parts/$partUuid" params={{ partUuid: uuid }} title={ancestor}>
              {ancestor}
            </Link>
          ))}
        </Crumbs>
      }
      tabs={
        <nav aria-label={t.views} className={styles.tabs}>
          <Link to="/parts/$partUuid/characteristics/$characteristicUuid" params={params} search={commonSearch} activeOptions={EXACT}>
            {t.overview}
          </Link>
          <Link to="/parts/$partUuid/characteristics/$characteristicUuid/chart" params={params} search={commonSearch} activeOptions={EXACT}>
            {t.chart}
          </Link>
          <Link to="/parts/$partUuid/characteristics/$characteristicUuid/files" params={params}>
            {t.files}
          </Link>
          <Link to="/parts/$partUuid/characteristics/$characteristicUuid/measurements" params={params}>
            {t.measurements}
          </Link>
          <Link to="/parts/$partUuid/characteristics/$characteristicUuid/plan" params={params} activeOptions={EXACT}>
            {t.plan}
          </Link>
        </nav>
      }
      facts={facts}
    >
      {children}
    </Page>
  );
}

/** Both charts show the same range in the same way, but each its own stretch. */
function commonSearch(search: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { viewFrom: _from, viewTo: _to, ...common } = search;
  return common;
}
