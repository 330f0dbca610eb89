import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Button } from '../../design/controls/button';
import { QuietButton } from '../../design/controls/buttons';
import { Choice } from '../../design/controls/choice';
import { FilterField } from '../../design/controls/field';
import { Hidden } from '../../design/controls/text-field';
import { csvOf } from '../../design/export/csv';
import { saveFile } from '../../design/export/save-file';
import { useFormats, useLanguage, useTexts } from '../../design/language/language';
import { OptionsLine } from '../../design/layout/lines';
import { Empty } from '../../design/states/pane-state';
import { Glyph } from '../../design/status/glyph';
import type { TableColumn } from '../../design/table/table-column';
import { VirtualTable } from '../../design/table/virtual-table';
import { useTopParts } from '../../quality/plan/use-plan-items';
import { useView, type ViewChange } from '../../server/use-view';
import { newSince, type ChangeEntry, type LoggedEvent } from './event-log';
import { pathTextOf } from './event-names';
import { viewOf } from './event-views';
import styles from './live.module.css';
import type { LiveAddress } from './search';
import { texts } from './texts';
import type { LiveLog } from './use-event-log';
import { useEventWords } from './use-event-words';
import { useKnownNames } from './use-known-names';
import textStyles from '../../design/styles/text.module.css';

const NO_KINDS: LiveAddress['hide'] = [];
/** Rows whose names are read at once, around those in view. */
const NAMED_ROWS = 60;

/** The table of events with its filters. */
export function EventTable({ log }: { log: LiveLog }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const language = useLanguage();
  const goTo = useNavigate();
  const { view: address, change: changeAddress } = useView<LiveAddress>();
  const { find = '', hide = NO_KINDS, below, bad = false } = address;
  const change = (changes: ViewChange<LiveAddress>) => changeAddress(changes, { isStep: !('find' in changes) });
  const [view, setView] = useState({ first: 0, last: NAMED_ROWS });
  const [selectedId, setSelectedId] = useState<string>();
  const topParts = useTopParts();
  const { events } = log.shown;
  const inView = useMemo(
    () => events.slice(view.first, Math.max(view.last + 1, view.first + NAMED_ROWS)).filter((event) => event.kind === 'change'),
    [events, view],
  );
  const names = useKnownNames(inView);
  const wordsOf = useEventWords(names);
  const shown = useMemo(() => {
    const words = find.toLowerCase();
    return events.filter((event) => {
      if (event.kind === 'gap') return true;
      if (hide.includes(viewOf(event).kind)) return false;
      const said = wordsOf(event);
      if (bad && said.status !== 'outOfTolerance' && said.status !== 'inWarning') return false;
      return (
        words === '' || `${pathTextOf(event, names) ?? ''} ${viewOf(event).title[language]} ${said.text}`.toLowerCase().includes(words)
      );
    });
  }, [events, find, hide, bad, names, wordsOf, language]);
  const fresh = newSince(log.current);
  const waiting = log.isPaused ? log.current.events.length - log.shown.events.length : 0;
  const isFiltered = find !== '' || bad || hide.length > 0;

  const columns: TableColumn<LoggedEvent>[] = [
    {
      id: 'time',
      head: t.time,
      width: 92,
      align: 'end',
      cell: ({ time }) => <span className={textStyles.soft}>{formats.preciseTime(time)}</span>,
    },
    {
      id: 'status',
      head: <Hidden>{t.status}</Hidden>,
      width: 26,
      content: 'glyph',
      cell: (event) => {
        const status = event.kind === 'change' ? wordsOf(event).status : undefined;
        return (status === 'outOfTolerance' || status === 'inWarning') && <Glyph name={status} />;
      },
    },
    { id: 'event', head: t.event, width: 168, cell: (event) => (event.kind === 'gap' ? t.gap : viewOf(event).title[language]) },
    {
      id: 'where',
      head: t.where,
      isRowHeader: true,
      cell: (event) => event.kind === 'change' && <Where event={event} place={pathTextOf(event, names)} />,
    },
    { id: 'what', head: t.what, cell: (event) => (event.kind === 'gap' ? t.gapText : wordsOf(event).text) },
  ];
  const saveCsv = () => {
    const lines = shown.map((event) =>
      event.kind === 'gap'
        ? [event.time, t.gap, '', '']
        : [event.time, viewOf(event).title[language], pathTextOf(event, names) ?? '', wordsOf(event).text],
    );
    saveFile(`${t.title}.csv`, csvOf({ head: [t.time, t.event, t.where, t.what], rows: lines }, language));
  };

  return (
    <>
      <OptionsLine actions={<QuietButton onPress={saveCsv}>{t.csv}</QuietButton>}>
        <FilterField label={t.filter} value={find} onChange={(text) => change({ find: text === '' ? undefined : text })} />
        <Choice
          what={t.below}
          value={below ?? t.allParts}
          options={[
            { id: '', name: t.allParts },
            ...topParts.map(({ path, name }) => ({ id: path, name })),
            ...(below === undefined || topParts.some(({ path }) => path === below) ? [] : [{ id: below, name: below }]),
          ]}
          chosen={below ?? ''}
          onChoose={(path) => change({ below: path === '' ? undefined : path })}
        />
        <Choice
          what={t.status}
          value={bad ? t.onlyBad : t.all}
          options={[
            { id: 'all', name: t.all },
            { id: 'bad', name: t.onlyBad },
          ]}
          chosen={bad ? 'bad' : 'all'}
          onChoose={(which) => change({ bad: which === 'bad' ? true : undefined })}
        />
      </OptionsLine>
      {waiting > 0 && (
        <p className={styles.note} role="status">
          {t.paused(formats.count(waiting))}
        </p>
      )}
      {fresh > 0 && !log.isPaused && (
        <p className={styles.seen}>
          {t.newSince(formats.count(fresh), log.current.seenAt === undefined ? '' : formats.preciseTime(new Date(log.current.seenAt)))}
          <QuietButton onPress={log.look}>{t.markSeen}</QuietButton>
        </p>
      )}
      {shown.length === 0 ? (
        <Empty>
          <p>{events.length > 0 && isFiltered ? t.noMatch : t.waiting}</p>
          {events.length > 0 && isFiltered && (
            <Button onPress={() => change({ find: undefined, bad: undefined, hide: undefined })}>{t.removeFilter}</Button>
          )}
        </Empty>
      ) : (
        <VirtualTable
          keptAs="events"
          label={t.table}
          columns={columns}
          minWidth={720}
          rowCount={shown.length}
          rowAt={(index) => shown[index]}
          keyOf={(index) => shown[index]?.id ?? String(index)}
          selected={shown.findIndex(({ id }) => id === selectedId)}
          onSelect={(index) => setSelectedId(shown[index]?.id)}
          onOpen={(index) => {
            const event = shown[index];
            const link = event?.kind === 'change' ? viewOf(event).link?.(event.payload) : undefined;
            if (link) void goTo(link);
          }}
          onView={(first, last) => setView((known) => (known.first === first && known.last === last ? known : { first, last }))}
        />
      )}
    </>
  );
}

function Where({ event, place }: { event: ChangeEntry; place: string | undefined }) {
  const language = useLanguage();
  const { about, link: linkOf, title } = viewOf(event);
  const link = linkOf?.(event.payload);
  const name = about ? (place ?? '…') : title[language];
  if (link === undefined) return name;
  return (
    <Link {...link} tabIndex={-1}>
      {name}
    </Link>
  );
}
