import { ROOT_PART_UUID, SinebarError, type PartChildren, type PartOverview } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import { useTitle } from '../../design/page/page';
import { Pane, Skeleton } from '../../design/states/pane-state';
import { childrenQuery, overviewQuery } from '../../server/queries/overview-queries';
import { useServer } from '../../server/server';
import { PartsTable } from '../../quality/parts/parts-table';
import { useFigures } from '../../quality/parts/use-figures';
import { namesAbove } from '../../quality/parts/worst-first';
import { partAbove } from './finding';
import { SavedViews } from './saved-views';
import styles from './start.module.css';
import { texts } from './texts';
import { Today } from './today';
import { useFinding } from './use-finding';
import { WhatChanged } from './what-changed';
import { WorstCharacteristics } from './worst-characteristics';

/** Characteristics that are drawn on the start page. */
const DRAWN = 6;

/** Parts in the table; all are in the plan at the left. */
const MAX_PARTS = 20;

/** Its words come behind the first content of the page. */
const AlarmsOfShift = lazy(async () => ({ default: (await import('./alarms-of-shift')).AlarmsOfShift }));

/** The parts that the reader may see, worst first: the finding as a sentence, then the evidence. */
export function StartPage() {
  const { title } = useTexts(texts);
  const client = useServer();
  const parts = useQuery(childrenQuery(client, ROOT_PART_UUID));
  const overview = useQuery(overviewQuery(client, ROOT_PART_UUID, { order: 'status', limit: DRAWN }));
  useTitle(title);
  // A reader without any right learns which one is missing.
  if (parts.error instanceof SinebarError && parts.error.status === 403) return <Beginning title={title} />;
  return (
    <Pane query={parts} skeleton={<Waiting title={title} />}>
      {(children) => (children.length === 0 ? <Beginning title={title} /> : <Parts parts={children} overview={overview} />)}
    </Pane>
  );
}

/** A server without parts for this reader; most readers never see it, so it is loaded when it is needed. */
const EmptyServer = lazy(async () => ({ default: (await import('./empty-server')).EmptyServer }));

function Beginning({ title }: { title: string }) {
  return (
    <Suspense fallback={<Waiting title={title} />}>
      <EmptyServer />
    </Suspense>
  );
}

/** The frame of the page, which stands before the figures are there. */
function Waiting({ title }: { title: string }) {
  return (
    <>
      <header className={styles.head}>
        <h1>{title}</h1>
      </header>
      <Skeleton rows={8} />
    </>
  );
}

function Parts({
  parts,
  overview,
}: {
  parts: PartChildren['children'];
  overview: { data: PartOverview | undefined; error: unknown; refetch: () => unknown };
}) {
  const t = useTexts(texts);
  const { count } = useFormats();
  const partOf = (path: string) => partAbove(parts, path);
  return (
    <>
      <Head parts={parts} worst={overview.data?.characteristics[0]} />
      <SavedViews />
      <div className={styles.grid}>
        <div>
          <PartsTable
            title={t.parts}
            note={(shown, all) => (shown < all ? t.partsNoteSome(count(shown), count(all)) : t.partsNote(count(all)))}
            parts={parts}
            maxRows={MAX_PARTS}
          />
          <Pane query={overview}>
            {({ characteristics }) => <WorstCharacteristics partOf={partOf} characteristics={characteristics} />}
          </Pane>
        </div>
        <div>
          <Suspense>
            <AlarmsOfShift />
          </Suspense>
          <WhatChanged partOf={partOf} />
          <Today />
        </div>
      </div>
    </>
  );
}

function Head({ parts, worst }: { parts: PartChildren['children']; worst: PartOverview['characteristics'][number] | undefined }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const figures = useFigures();
  const { sentence, rest } = useFinding(parts);
  return (
    <header className={styles.head}>
      <div className={styles.kicker}>
        {/* oxlint-disable-next-line react/purity -- the day on which the page is drawn */}
        <p>{formats.longDate(new Date())}</p>
        <nav aria-label={t.changes}>
          <Link to="/parts/$partUuid/plan" params={{ partUuid: ROOT_PART_UUID }}>
            {t.plan}
          </Link>
          <Link to="/import">{t.import}</Link>
          <Link to="/wall">{t.wall}</Link>
        </nav>
      </div>
      <h1>{sentence}</h1>
      <p className={styles.lead}>
        {worst?.last !== undefined && (
          <>
            {t.worstIs}
            <Link
              to="/parts/$partUuid/characteristics/$characteristicUuid"
              params={{ partUuid: partAbove(parts, worst.path), characteristicUuid: worst.uuid }}
            >
              {worst.name}
            </Link>
            {namesAbove(worst.path) !== '' && t.of(namesAbove(worst.path))}
            {`: ${figures.value(worst)}, ${figures.distance(worst)}`}
            {worst.overall?.pk !== undefined && `, ${t.ppk(formats.number(worst.overall.pk, 2))}`}
            {worst.since !== undefined && `; ${figures.since(worst)}`}
            {'. '}
          </>
        )}
        {rest.length > 0 && `${rest.join('; ')}.`}
      </p>
    </header>
  );
}
