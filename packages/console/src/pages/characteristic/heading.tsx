import type { CharacteristicSummary } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Facts, Page } from '../../design/page/page';
import { useFormats, useTexts } from '../../design/language/language';
import { ancestorsQuery } from '../../server/queries/plan-queries';
import { nameOf } from '../../server/queries/plan-path';
import { useServer } from '../../server/server';
import type { CharacteristicData } from './use-characteristic';
import { texts } from './texts';
import styles from './characteristic.module.css';

/** A tab is current only at its own address, whatever is chosen on it. */
const EXACT = { exact: true, includeSearch: false };

export interface HeadingProps {
  partUuid: string;
  characteristicUuid: string;
  data: CharacteristicData;
  facts: readonly { name: string; value: ReactNode }[];
  children: ReactNode;
}

/** Path, name, tabs and facts of a characteristic. */
export function Heading({ partUuid, characteristicUuid, data, facts, children }: HeadingProps) {
  const t = useTexts(texts);
  const server = useServer();
  const path = data.item.data?.path ?? data.summary.data?.path;
  const ancestors = useQuery(ancestorsQuery(server, path));
  const params = { partUuid, characteristicUuid };
  return (
    <Page
      title={path === undefined ? '' : nameOf(path)}
      crumbs={
        <nav aria-label={t.path} className={styles.crumbs}>
          {(ancestors.data ?? []).map(({ uuid, name }) => (
            <span key={uuid}>
              <Link to="/parts/$partUuid" params={{ partUuid: uuid }}>
                {name}
              </Link>
              <span aria-hidden className={styles.slash}>
                /
              </span>
            </span>
          ))}
        </nav>
      }
      tabs={
        <nav aria-label={t.views} className={styles.tabs}>
          <Link to="/parts/$partUuid/characteristics/$characteristicUuid" params={params} search={commonSearch} activeOptions={EXACT}>
            {t.overview}
          </Link>
          <Link to="/parts/$partUuid/characteristics/$characteristicUuid/chart" params={params} search={commonSearch} activeOptions={EXACT}>
            {t.chartTab}
          </Link>
          <Link to="/parts/$partUuid/characteristics/$characteristicUuid/files" params={params}>
            {t.files}
          </Link>
          <Link to="/parts/$partUuid/characteristics/$characteristicUuid/measurements" params={params}>
            {t.measurements}
          </Link>
        </nav>
      }
      facts={<Facts facts={facts} />}
    >
      {children}
    </Page>
  );
}

/** Both charts show the same range, but each its own stretch and subgroups. */
function commonSearch(search: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { viewFrom: _from, viewTo: _to, subgroup: _subgroup, chart: _chart, sigma: _sigma, ...common } = search;
  return common;
}

/** Nominal, tolerance and warning limits as facts: `±0.050` where both sides are alike. */
export function useLimitFacts() {
  const formats = useFormats();
  const t = useTexts(texts);
  return ({ limits }: CharacteristicSummary, decimals: number, unit: string): { name: string; value: ReactNode }[] => {
    const { nominal } = limits;
    const pair = (lower: number | undefined, upper: number | undefined, boundary?: number): string | undefined => {
      if (lower === undefined && upper === undefined) return undefined;
      if (nominal !== undefined && lower !== undefined && upper !== undefined) {
        const [below, above] = [nominal - lower, upper - nominal];
        if (Math.abs(below - above) < 10 ** -decimals / 2) return `±${formats.number(above, decimals)}`;
        return `${formats.signed(-below, decimals)} / ${formats.signed(above, decimals)}`;
      }
      const from = lower ?? boundary;
      if (from !== undefined && upper !== undefined) return `${formats.number(from, decimals)} … ${formats.number(upper, decimals)}`;
      return lower === undefined ? `≤ ${formats.number(upper!, decimals)}` : `≥ ${formats.number(lower, decimals)}`;
    };
    const tolerance = pair(limits.lowerTolerance, limits.upperTolerance, limits.lowerBoundary);
    const warning = pair(limits.lowerWarning, limits.upperWarning, limits.lowerBoundary);
    return [
      ...(nominal === undefined ? [] : [{ name: t.nominal, value: <Measured value={formats.number(nominal, decimals)} unit={unit} /> }]),
      ...(tolerance === undefined ? [] : [{ name: t.tolerance, value: tolerance }]),
      ...(warning === undefined ? [] : [{ name: t.warning, value: warning }]),
    ];
  };
}

function Measured({ value, unit }: { value: string; unit: string }) {
  return (
    <>
      {value}
      {unit !== '' && <span className={styles.unit}>{unit}</span>}
    </>
  );
}
