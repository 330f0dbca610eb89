import type { PartChildren } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { IndexDot, Strip } from '../../charts/small/small-charts';
import { QuietButton } from '../../design/controls/buttons';
import { Hidden } from '../../design/controls/text-field';
import { useFormats, useTexts } from '../../design/language/language';
import { LongName } from '../../design/layout/long-name';
import { Glyph } from '../../design/status/glyph';
import { PaneHead } from '../../design/page/pane-head';
import table from '../../design/tables/table.module.css';
import { lightCounts, lightOf, worstLight } from '../values/lights';
import { overviewQuery, statusesQuery } from '../../server/queries/overview-queries';
import { useServer } from '../../server/server';
import { processTexts } from '../values/process-texts';
import styles from './parts-table.module.css';
import { texts } from './texts';
import { useFigures } from './use-figures';
import { namesAbove, worstFirst } from './worst-first';
import { shortPath } from './short-path';
import smallStyles from '../../charts/small/small.module.css';

type Child = PartChildren['children'][number];

const STRIP_PX = 168;

export interface PartsTableProps {
  title: string;
  note: (shown: number, all: number) => string;
  parts: readonly Child[];
  /** Rows at first; a button shows the others. */
  maxRows: number;
  /** Levels above the parts: their names are left out of the paths of characteristics. */
  depth?: number;
  hasProcess?: boolean;
  /** Whether the other rows can be shown; else they are in the plan at the left. */
  canShowAll?: boolean;
}

/** One row for each part: how many are out, where they are, and the worst of them. */
export function PartsTable({ title, note, parts, maxRows, depth = 0, hasProcess = false, canShowAll = false }: PartsTableProps) {
  const t = useTexts(texts);
  const { count } = useFormats();
  const [isAllShown, setAllShown] = useState(false);
  const all = worstFirst(parts.filter(({ kind }) => kind === 'part'));
  const shown = isAllShown ? all : all.slice(0, maxRows);
  return (
    <section aria-labelledby="parts">
      <PaneHead id="parts" name={title} note={note(shown.length, all.length)} />
      <table className={`${table.data} ${styles.parts} ${hasProcess ? styles.withProcess : ''}`}>
        <thead>
          <tr>
            <th scope="col" className={table.glyph}>
              <Hidden>{t.status}</Hidden>
            </th>
            <th scope="col">{t.part}</th>
            {hasProcess && (
              <th scope="col" className={styles.processColumn}>
                {t.process}
              </th>
            )}
            <th scope="col" className={`${table.number} ${styles.countColumn}`}>
              {t.characteristics}
            </th>
            <th scope="col" className={table.number}>
              {t.out}
            </th>
            <th scope="col" className={table.number}>
              {t.warnings}
            </th>
            <th scope="col" className={styles.stripColumn}>
              {t.inPlanOrder}
            </th>
            <th scope="col" className={styles.worstColumn}>
              {t.worst}
            </th>
            <th scope="col" className={`${table.number} ${styles.newestColumn}`}>
              {t.newest}
            </th>
            <th scope="col" className={table.number}>
              Ppk
            </th>
            <th scope="col" className={styles.dotColumn}>
              <Hidden>{t.scale}</Hidden>
              <span aria-hidden className={smallStyles.scale}>
                <span>0</span>
                <span>2</span>
              </span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((part) => (
            <PartRow key={part.uuid} part={part} depth={depth} hasProcess={hasProcess} />
          ))}
        </tbody>
      </table>
      {canShowAll && shown.length < all.length && (
        <QuietButton onPress={() => setAllShown(true)}>{t.showAll(count(all.length))}</QuietButton>
      )}
    </section>
  );
}

function PartRow({ part, depth, hasProcess }: { part: Child; depth: number; hasProcess: boolean }) {
  const { uuid, name, characteristics, statuses } = part;
  const t = useTexts(texts);
  const { count, number } = useFormats();
  const figures = useFigures();
  const client = useServer();
  const order = useQuery(statusesQuery(client, uuid));
  const { data } = useQuery(overviewQuery(client, uuid, { order: 'status', limit: 1 }));
  const worst = data?.characteristics[0];
  const lights = lightCounts(statuses);
  const status = worstLight(lights);
  const ppk = worst?.overall?.pk;
  return (
    <tr data-opens>
      <td className={table.glyph}>
        <Glyph name={status} />
      </td>
      <th scope="row">
        <Link to="/parts/$partUuid" params={{ partUuid: uuid }}>
          <LongName text={name} />
        </Link>
      </th>
      {hasProcess && (
        <td className={styles.processColumn}>
          <ProcessCounts counts={statuses.process} />
        </td>
      )}
      <td className={`${table.number} ${styles.countColumn}`}>{count(characteristics)}</td>
      <td className={`${table.number} ${lights.outOfTolerance > 0 ? table.outOfTolerance : table.soft}`}>{count(lights.outOfTolerance)}</td>
      <td className={`${table.number} ${lights.inWarning > 0 ? table.inWarning : table.soft}`}>{count(lights.inWarning)}</td>
      <td className={styles.stripColumn}>
        {order.data !== undefined && status !== 'noData' && <Strip statuses={order.data.map(([, now]) => lightOf(now))} width={STRIP_PX} />}
      </td>
      {worst?.last === undefined ? (
        <td colSpan={4} className={table.soft}>
          {status === 'noData' && t.notMeasured}
        </td>
      ) : (
        <>
          <td className={styles.worstColumn}>
            <Link to="/parts/$partUuid/characteristics/$characteristicUuid" params={{ partUuid: uuid, characteristicUuid: worst.uuid }}>
              <LongName text={worst.name} />
            </Link>
            {namesAbove(worst.path, depth + 1) !== '' && (
              <span className={styles.place} title={namesAbove(worst.path, depth + 1)}>
                {shortPath(namesAbove(worst.path, depth + 1))}
              </span>
            )}
          </td>
          <td className={`${table.number} ${styles.newestColumn} ${valueClass(worst.last.status)}`}>{figures.value(worst)}</td>
          <td className={table.number}>{ppk !== undefined && number(ppk, 2)}</td>
          <td className={styles.dotColumn}>{ppk !== undefined && <IndexDot value={ppk} />}</td>
        </>
      )}
    </tr>
  );
}

/** Most words about processes in a cell. */
const MAX_WORDS = 2;

/** How many processes differ from what is wanted, the worst words first. */
function ProcessCounts({ counts }: { counts: Child['statuses']['process'] }) {
  const t = useTexts(texts);
  const words = useTexts(processTexts);
  const { count } = useFormats();
  const order = ['notStable', 'notCapable', 'uncertain', 'capable'] as const;
  const found = order.filter((word) => counts[word] > 0).slice(0, MAX_WORDS);
  return found.map((word) => (
    <span key={word} className={styles.count}>
      {t.processCount(count(counts[word]), words[word])}
    </span>
  ));
}

export function valueClass(status: 'inLimits' | 'inWarning' | 'belowTolerance' | 'aboveTolerance'): string | undefined {
  if (status === 'inLimits') return '';
  return status === 'inWarning' ? table.inWarning : table.outOfTolerance;
}
