import { ROOT_PART_UUID, type PartChanges } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../design/language/language';
import { PaneHead } from '../../design/page/pane-head';
import { Pane } from '../../design/states/pane-state';
import { Glyph, type GlyphName } from '../../design/status/glyph';
import { statusTexts } from '../../design/status/status-texts';
import { PROCESS_GLYPHS } from '../../quality/values/process';
import { processTexts } from '../../quality/values/process-texts';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { namesAbove } from '../../quality/parts/worst-first';
import { lastShift } from './last-shift';
import styles from './start.module.css';
import { texts } from './texts';
import textStyles from '../../design/styles/text.module.css';

type Change = PartChanges['changes'][number];
type Status = Change['to'];

/** Changes in the list. */
const MAX_CHANGES = 8;

/** Shows the characteristics whose status changed in the last shift, newest first. */
export function WhatChanged({
  partUuid = ROOT_PART_UUID,
  partOf,
  refetchInterval = false,
}: {
  /** Only what changed below this part. */
  partUuid?: string;
  /** Returns the uuid of the part under which a link shows the characteristic of a path. */
  partOf: (path: string) => string;
  /** Milliseconds after which the changes are read again also when no event came: shifts end by themselves. */
  refetchInterval?: number | false;
}) {
  const t = useTexts(texts);
  const { count, dayTime } = useFormats();
  const server = useServer();
  const query = useQuery({
    queryKey: queryKeys.overview('changes', partUuid),
    queryFn: async ({ signal }) => {
      const shift = lastShift(await server.analysis.settings({ signal }), new Date());
      const { from, to } = shift;
      return { shift, ...(await server.analysis.changes(partUuid, { from, to, limit: MAX_CHANGES, signal })) };
    },
    refetchInterval,
  });
  return (
    <section aria-labelledby="changed" className={styles.changed}>
      <Pane query={query}>
        {({ shift, total, changes }) => (
          <>
            <PaneHead id="changed" name={shift.name === undefined ? t.changedInDay : t.changedInShift} note={count(total)} />
            {shift.name !== undefined && (
              <p className={styles.what}>{t.shiftTime(shift.name, dayTime(shift.from.toISOString()), dayTime(shift.to.toISOString()))}</p>
            )}
            <ul className={styles.events}>
              {changes.map((change) => (
                <ChangedItem
                  key={`${change.characteristicUuid} ${change.status} ${change.time} ${change.to}`}
                  change={change}
                  partOf={partOf}
                />
              ))}
            </ul>
            {total === 0 && <p className={styles.what}>{t.nothingChanged}</p>}
            {total > changes.length && <p className={styles.what}>{t.moreChanged(count(total - changes.length))}</p>}
          </>
        )}
      </Pane>
    </section>
  );
}

function ChangedItem({ change, partOf }: { change: Change; partOf: (path: string) => string }) {
  const { time, dateTime } = useFormats();
  const words = { ...useTexts(processTexts), ...useTexts(statusTexts) };
  const { characteristicUuid, name, path, from, to } = change;
  return (
    <li>
      <time className={textStyles.note} dateTime={change.time} title={dateTime(change.time)}>
        {time(change.time)}
      </time>
      <p>
        <Link
          to="/parts/$partUuid/characteristics/$characteristicUuid"
          params={{ partUuid: partOf(path), characteristicUuid }}
          title={namesAbove(path)}
        >
          <Glyph name={glyphOf(to)} label="" /> {name}
        </Link>
        <span className={styles.what}>{`${words[from]} → ${words[to]}`}</span>
      </p>
    </li>
  );
}

function glyphOf(status: Status): GlyphName {
  return status in PROCESS_GLYPHS ? PROCESS_GLYPHS[status as keyof typeof PROCESS_GLYPHS] : (status as GlyphName);
}
