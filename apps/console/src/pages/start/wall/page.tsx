import { ROOT_PART_UUID, type PartChildren, type PartOverview } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { Button } from '../../../design/controls/button';
import { useFormats, useTexts } from '../../../design/language/language';
import { useTitle } from '../../../design/page/page';
import { CompanyLogo } from '../../../design/styles/logo';
import { Pane } from '../../../design/states/pane-state';
import { Glyph, type GlyphName } from '../../../design/status/glyph';
import { statusTexts } from '../../../design/status/status-texts';
import { FILTER_STATUSES } from '../../../quality/values/filter-statuses';
import { lightCounts } from '../../../quality/values/lights';
import { PROCESS_GLYPHS, PROCESS_STATUSES } from '../../../quality/values/process';
import { processTexts } from '../../../quality/values/process-texts';
import { useLive } from '../../../server/live/use-live';
import { childrenQuery, overviewQuery } from '../../../server/queries/overview-queries';
import { partQuery } from '../../../server/queries/plan-queries';
import { nameOf } from '../../../server/queries/plan-path';
import { useServer } from '../../../server/server';
import { useView } from '../../../server/use-view';
import { partAbove } from '../finding';
import { useFinding } from '../use-finding';
import { WhatChanged } from '../what-changed';
import { WorstCharacteristics } from '../worst-characteristics';
import type { WallAddress } from './search';
import { texts } from './texts';
import { useAwake } from './use-awake';
import { useScale } from './use-scale';
import { useTurns } from './use-turns';
import styles from './wall.module.css';

/** Characteristics that are drawn. */
const DRAWN = 6;
/** Figures are read again after this time also when no event came, ms: nobody presses "try again" here. */
const READ_AGAIN_MS = 60_000;
const SECONDS = 20;

/** What is worst and what changed, for a screen that nobody touches: it turns by itself and stays current. */
export function WallPage() {
  const { part = ROOT_PART_UUID, seconds = SECONDS } = useView<WallAddress>().view;
  const t = useTexts(texts);
  const server = useServer();
  const scale = useScale();
  const read = { refetchInterval: READ_AGAIN_MS, refetchIntervalInBackground: true };
  const children = useQuery({ ...childrenQuery(server, part), ...read });
  const overview = useQuery({ ...overviewQuery(server, part, { order: 'status', limit: DRAWN }), ...read });
  const { data: chosen } = useQuery({ ...partQuery(server, part), enabled: part !== ROOT_PART_UUID });
  useTitle(t.title);
  useAwake();
  return (
    <main id="content" className={styles.wall} style={{ zoom: scale, minHeight: `${100 / scale}vh` }}>
      <Lost />
      <Pane query={children}>
        {(parts) => (
          <Pane query={overview}>
            {(worst) => (
              <Screens
                part={part}
                name={chosen && nameOf(chosen.path)}
                parts={parts}
                overview={worst}
                seconds={seconds}
                readAt={overview.dataUpdatedAt}
              />
            )}
          </Pane>
        )}
      </Pane>
    </main>
  );
}

/** Says in letters for the whole room that the figures are old. */
function Lost() {
  const t = useTexts(texts);
  const { time } = useFormats();
  const { state, since } = useLive();
  return <div role="alert">{state === 'lost' && <p className={styles.lost}>{t.lostSince(time(new Date(since)))}</p>}</div>;
}

function Screens({
  part,
  name,
  parts,
  overview,
  seconds,
  readAt,
}: {
  part: string;
  name: string | undefined;
  parts: PartChildren['children'];
  overview: PartOverview;
  seconds: number;
  /** Time of the figures, ms since 1970. */
  readAt: number;
}) {
  const t = useTexts(texts);
  const formats = useFormats();
  const { sentence } = useFinding(parts);
  const partOf = (path: string) => (part === ROOT_PART_UUID ? partAbove(parts, path) : part);
  const screens: ReactNode[] = [
    ...(overview.characteristics.some(({ last }) => last !== undefined)
      ? [<WorstCharacteristics key="worst" partOf={partOf} characteristics={overview.characteristics} />]
      : []),
    <WhatChanged key="changed" partUuid={part} partOf={partOf} refetchInterval={READ_AGAIN_MS} />,
  ];
  const { shown, isTurning, turn, next } = useTurns(screens.length, seconds);
  return (
    <>
      <header className={styles.head}>
        <p className={styles.kicker}>
          <span>{name ?? formats.longDate(new Date(readAt))}</span>
          <CompanyLogo />
          <span>{t.asOf(formats.time(new Date(readAt)))}</span>
        </p>
        <h1>{sentence}</h1>
        <Counts totals={overview.totals} />
      </header>
      <div className={styles.screen}>{screens[shown]}</div>
      <footer className={styles.foot}>
        <span>{t.position(shown + 1, screens.length)}</span>
        {screens.length > 1 && (
          <>
            <Button kind="quiet" onPress={() => turn(!isTurning)}>
              {isTurning ? t.stopTurning : t.turn}
            </Button>
            <Button kind="quiet" onPress={next}>
              {t.next}
            </Button>
          </>
        )}
        {document.fullscreenEnabled && (
          <Button kind="quiet" onPress={() => void document.documentElement.requestFullscreen()}>
            {t.fullScreen}
          </Button>
        )}
      </footer>
    </>
  );
}

/** How many characteristics have each light, and each status of the process. */
function Counts({ totals }: { totals: PartOverview['totals'] }) {
  const t = useTexts(texts);
  const [lightWords, processWords] = [useTexts(statusTexts), useTexts(processTexts)];
  const lights = lightCounts(totals);
  return (
    <div className={styles.counts}>
      <CountList
        name={t.now}
        counts={FILTER_STATUSES.map((status) => ({ glyph: status, count: lights[status], words: lightWords[status] }))}
      />
      <CountList
        name={t.process}
        counts={PROCESS_STATUSES.map((status) => ({
          glyph: PROCESS_GLYPHS[status],
          count: totals.process[status],
          words: processWords[status],
        }))}
      />
    </div>
  );
}

function CountList({ name, counts }: { name: string; counts: readonly { glyph: GlyphName; count: number; words: string }[] }) {
  const formats = useFormats();
  const id = useId();
  const found = counts.filter(({ count }) => count > 0);
  if (found.length === 0) return null;
  return (
    <div className={styles.group}>
      <p id={id}>{name}</p>
      <ul aria-labelledby={id}>
        {found.map(({ glyph, count, words }) => (
          <li key={words}>
            <Glyph name={glyph} label="" /> <strong>{formats.count(count)}</strong> {words}
          </li>
        ))}
      </ul>
    </div>
  );
}
