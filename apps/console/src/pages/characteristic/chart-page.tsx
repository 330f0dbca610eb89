import { type ShownEntry, shownSeries, type ShownSeries } from '@sinebar/charts';
import type { CharacteristicSummary } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { timelineOf } from '../../charts/control/view-window';
import { Key } from '../../design/controls/text-field';
import type { CsvRow } from '../../design/export/csv';
import { useFormats, useTexts } from '../../design/language/language';
import { PaperFoot } from '../../design/page/paper-foot';
import { Failed, Skeleton } from '../../design/states/pane-state';
import { seriesQuery } from '../../server/queries/analysis-queries';
import { nameOf, ownerPathOf, plainPathOf } from '../../server/queries/plan-path';
import { useServer } from '../../server/server';
import { EvaluationButton } from './evaluation/evaluation-panel';
import { ExcludeValue } from './evaluation/exclude-value';
import { Heading, useLimitFacts } from './heading';
import type { MeasuredPoint } from './measured-point';
import { CharacteristicNotes } from './notes/characteristic-notes';
import { useAlarmMarks } from './notes/use-alarm-marks';
import { useNotes } from './notes/use-notes';
import { ChartToolbar } from './options/chart-toolbar';
import { useSubgroupsText } from './options/evaluated-texts';
import { useRangeText } from './options/range-text';
import { GroupsPane, Legend } from './panes/groups-pane';
import type { CharacteristicSearch } from './search';
import { isDrawn, isOfGroups, SubgroupCharts } from './subgroups/subgroup-charts';
import { LimitFigures, SubgroupDetail } from './subgroups/subgroup-side';
import { SubgroupVerdicts } from './subgroups/subgroup-verdicts';
import { texts } from './texts';
import { useCharacteristicParams, useCharacteristicSearch } from './use-address';
import { NEWEST, SERIES_POINTS, useCharacteristic, type CharacteristicData } from './use-characteristic';
import { useView, type CharacteristicView } from './use-view';
import { choiceOf } from './view';
import styles from './characteristic.module.css';

/** Points in view at first, where there are too many to tell them apart. */
const FIRST_VIEW = 120;
const MAX_IN_FIRST_VIEW = 240;

/** The control chart of the evaluation in large, with limits that can be frozen from a baseline. */
export function CharacteristicChartPage() {
  const { partUuid, characteristicUuid } = useCharacteristicParams();
  const asked = useCharacteristicSearch();
  const search = useFirstView(characteristicUuid, asked);
  const t = useTexts(texts);
  const formats = useFormats();
  const data = useCharacteristic(characteristicUuid, search);
  const view = useView(data, search);
  const limitFacts = useLimitFacts();
  const summary = data.summary.data;
  const subgroups = useSubgroupsText()(data.evaluated);
  const [from, to] = [view.shown?.entries[0]?.from, view.shown?.entries.at(-1)?.to];
  const facts = summary
    ? [
        ...limitFacts(summary, data.decimals, data.unit).slice(0, 2),
        isOfGroups(data)
          ? { name: t.subgroups, value: `${formats.count(pointCountOf(data, view))} ${subgroups}` }
          : { name: t.count, value: formats.count(summary.count) },
        { name: t.inView, value: formats.count(view.shown?.count ?? 0) },
        { name: t.from, value: formats.dayTime(from) },
        { name: t.to, value: formats.dayTime(to) },
      ]
    : [];
  return (
    <Heading partUuid={partUuid} characteristicUuid={characteristicUuid} data={data} facts={facts}>
      {summary && view.shown && view.all ? (
        <SubgroupPage summary={summary} data={data} view={view} shown={view.shown} all={view.all} search={search} />
      ) : (data.summary.error ?? data.series.error) ? (
        <Failed
          error={data.summary.error ?? data.series.error}
          onRetry={() => void Promise.all([data.summary.refetch(), data.series.refetch()])}
        />
      ) : (
        <Skeleton rows={12} />
      )}
    </Heading>
  );
}

/** Number of subgroups; where they are too many to be listed, as many as the usual size makes. */
function pointCountOf({ series, summary }: CharacteristicData, { all }: CharacteristicView): number {
  if (series.data?.subgroups) return all?.count ?? 0;
  return Math.ceil((summary.data?.count ?? 0) / (summary.data?.chart?.subgroupSize ?? 1));
}

/** Shows the newest points first where there are too many to tell them apart. */
function useFirstView(characteristicUuid: string, search: CharacteristicSearch): CharacteristicSearch {
  const server = useServer();
  const series = useQuery(seriesQuery(server, characteristicUuid, choiceOf(search), { points: SERIES_POINTS, newest: NEWEST }));
  return useMemo(() => {
    if (series.data === undefined || search.viewFrom !== undefined || search.viewTo !== undefined) return search;
    const size = series.data.subgroups ? 1 : (series.data.chart?.subgroupSize ?? 1);
    const { count, timeAt } = timelineOf(shownSeries(series.data, {}).entries);
    if (count / size <= MAX_IN_FIRST_VIEW) return search;
    const from = timeAt(count - FIRST_VIEW * size);
    return from === undefined ? search : { ...search, viewFrom: new Date(Math.floor(from)).toISOString() };
  }, [series.data, search]);
}

interface SubgroupPageProps {
  summary: CharacteristicSummary;
  data: CharacteristicData;
  view: CharacteristicView;
  /** The stretch in view, and the whole series. */
  shown: ShownSeries;
  all: ShownSeries;
  search: CharacteristicSearch;
}

function SubgroupPage(props: SubgroupPageProps) {
  const { summary, data, view, shown, all, search } = props;
  const t = useTexts(texts);
  const rangeText = useRangeText();
  const charts = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<number>();
  const [excluding, setExcluding] = useState<ShownEntry>();
  const [value, setValue] = useState<MeasuredPoint>();
  const notes = useNotes(summary, shown);
  const alarms = useAlarmMarks(summary.characteristicUuid, shown);
  const marks = useMemo(() => [...notes.marks, ...alarms.marks], [notes.marks, alarms.marks]);
  const partPath = plainPathOf(ownerPathOf(summary.path));
  const { decimals, unit } = data;
  const title = [nameOf(summary.path), rangeText(search, summary.count)];
  const start = all.entries[0]?.from;
  const entry = cursor === undefined ? undefined : shown.entries[Math.min(cursor, shown.entries.length - 1)];
  return (
    <>
      <SubgroupVerdicts summary={summary} shown={shown} data={data} search={search} decimals={decimals} unit={unit} />
      <ChartToolbar
        search={search}
        evaluation={<EvaluationButton summary={summary} search={search} data={data} />}
        evaluated={data.evaluated}
        summary={summary}
        title={title}
        zoom={{ by: view.zoomBy, showAll: () => start !== undefined && view.showTimes({ viewFrom: start }, false) }}
        table={() => ({ head: ['time', 'mean', 'variation'], rows: rowsOf(shown) })}
        picture={{ charts, lines: title }}
      />
      <Legend data={data} />
      <div className={styles.subGrid}>
        <SubgroupCharts
          {...props}
          charts={charts}
          cursor={cursor}
          onCursor={setCursor}
          notes={marks}
          onExclude={setExcluding}
          onNote={notes.write}
        />
        <aside>
          <FrozenLimits {...props} />
          {entry && isDrawn(data) && entry.measurementUuids.length > 0 && (
            <SubgroupDetail
              entry={entry}
              number={(data.shown.data?.offset ?? 0) + Math.floor(entry.position) + 1}
              isOfGroups={isOfGroups(data)}
              shown={shown}
              summary={summary}
              characteristicUuid={summary.characteristicUuid}
              decimals={decimals}
              onExclude={setValue}
            />
          )}
          <p className={styles.keys}>
            <Key>←</Key> <Key>→</Key> {t.keysHint}
          </p>
        </aside>
      </div>
      <GroupsPane summary={summary} data={data} shown={shown} />
      <CharacteristicNotes path={summary.path} data={data} notes={notes} alarms={alarms.query} view={view} />
      <PaperFoot />
      <ExcludeValue
        entry={excluding}
        value={value}
        shown={shown}
        search={search}
        partPath={partPath}
        decimals={decimals}
        onClose={() => {
          setExcluding(undefined);
          setValue(undefined);
        }}
      />
    </>
  );
}

/** Time, mean and variation of each subgroup; a subgroup of one value has no variation. */
function rowsOf({ entries, variation }: ShownSeries): CsvRow[] {
  const variations = new Map(variation.map(({ position, mean }) => [position, mean]));
  return entries.map(({ from, mean, position }) => [from, mean, variations.get(position)]);
}

/** Control limits, which freeze from the stretch in view. */
function FrozenLimits({ summary, data: { decimals, unit }, shown, search }: SubgroupPageProps) {
  const navigate = useNavigate();
  const { baselineFrom, baselineTo, ...following } = search;
  const show = (next: CharacteristicSearch) => void navigate({ to: '.', search: next, resetScroll: false });
  const freeze = () => {
    const [first, last] = [shown.entries[0]?.from, shown.entries.at(-1)?.to];
    if (first === undefined || last === undefined) return;
    show({ ...search, baselineFrom: first, baselineTo: new Date(Date.parse(last) + 1).toISOString() });
  };
  return (
    <LimitFigures
      summary={summary}
      decimals={decimals}
      unit={unit}
      isFrozen={baselineFrom !== undefined || baselineTo !== undefined}
      onFreeze={freeze}
      onRelease={() => show(following)}
    />
  );
}
