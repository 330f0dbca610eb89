import type { CharacteristicSummary } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { Means } from '../../charts/control/means';
import { Overview } from '../../charts/control/overview';
import { rulerOf } from '../../charts/control/ruler';
import { AXIS_WIDTH, LABELS_WIDTH } from '../../charts/control/ruler-pane';
import { RunRules } from '../../charts/control/run-rules';
import { shownSeries, type ShownSeries } from '../../charts/control/shown-series';
import { Variation } from '../../charts/control/variation';
import { timelineOf, type View } from '../../charts/control/view-window';
import { Vertical } from '../../charts/drawing/figure';
import { pictureOf } from '../../charts/export/picture';
import { ChartCursor } from '../../charts/interaction/chart-cursor';
import { texts as chartTexts } from '../../charts/texts';
import { Button } from '../../design/controls/button';
import { Key } from '../../design/controls/text-field';
import { csvOf } from '../../design/export/csv';
import { fileNameOf, saveFile } from '../../design/export/save-file';
import { useFormats, useTexts } from '../../design/language/language';
import { AsProgram } from '../../design/program/program';
import { Failed, Skeleton } from '../../design/states/pane-state';
import { seriesQuery } from '../../server/queries/analysis-queries';
import { nameOf } from '../../server/queries/plan-path';
import { useServer } from '../../server/server';
import { Heading, useLimitFacts } from './heading';
import { meanLines } from './panes/limit-lines';
import { Options, useRangeText } from './options/options';
import { PaneHead } from '../../design/page/pane-head';
import { programRequests } from './program-requests';
import type { CharacteristicSearch } from './search';
import { LimitFigures, SubgroupDetail } from './subgroups/subgroup-side';
import { texts } from './texts';
import { useCharacteristicParams, useCharacteristicSearch } from './use-address';
import { NEWEST, SERIES_POINTS, useCharacteristic, type CharacteristicData } from './use-characteristic';
import { useNewValues } from './use-new-values';
import { useView } from './use-view';
import { useWidth } from '../../design/page/use-width';
import { SubgroupVerdicts } from './subgroups/subgroup-verdicts';
import { choiceOf, rulesOf } from './view';
import styles from './characteristic.module.css';

/** Values in a subgroup where nobody has chosen. */
const DEFAULT_SIZE = 5;
/** Subgroups in view at first, where there are too many to tell them apart. */
const FIRST_VIEW = 120;
const MOST_IN_FIRST_VIEW = 240;
/** Spans of the limits that means may lie beyond them: a drift is drawn to its end. */
const MEANS_BEYOND = 6;

/** Means and ranges of subgroups, with limits that can be frozen from a baseline. */
export function CharacteristicChartPage() {
  const { partUuid, characteristicUuid } = useCharacteristicParams();
  const asked = useCharacteristicSearch();
  const search = useFirstView(
    characteristicUuid,
    useMemo(() => ({ subgroup: DEFAULT_SIZE, ...asked }), [asked]),
  );
  const t = useTexts(texts);
  const formats = useFormats();
  const data = useCharacteristic(characteristicUuid, search);
  const view = useView(data, search);
  const limitFacts = useLimitFacts();
  const summary = data.summary.data;
  const size = search.subgroup ?? DEFAULT_SIZE;
  const [from, to] = [view.shown?.entries[0]?.from, view.shown?.entries.at(-1)?.to];
  const when = (time: string | undefined) => (time === undefined ? '' : `${formats.day(time)} ${formats.time(time)}`);
  const facts = summary
    ? [
        ...limitFacts(summary, data.decimals, data.unit).slice(0, 2),
        { name: t.subgroups, value: t.subgroupsOf(formats.count(Math.ceil(summary.count / size)), formats.count(size)) },
        { name: t.inView, value: formats.count(view.shown?.count ?? 0) },
        { name: t.from, value: when(from) },
        { name: t.to, value: when(to) },
      ]
    : [];
  return (
    <Heading partUuid={partUuid} characteristicUuid={characteristicUuid} data={data} facts={facts}>
      {summary && view.shown && view.all ? (
        <Charts summary={summary} data={data} view={view} shown={view.shown} all={view.all} search={search} />
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

/** Shows the newest subgroups first where there are too many to tell them apart. */
function useFirstView(characteristicUuid: string, search: CharacteristicSearch): CharacteristicSearch {
  const server = useServer();
  const series = useQuery(seriesQuery(server, characteristicUuid, choiceOf(search), { points: SERIES_POINTS, newest: NEWEST }));
  return useMemo(() => {
    if (series.data === undefined || search.viewFrom !== undefined || search.viewTo !== undefined) return search;
    const size = series.data.subgroups ? 1 : (search.subgroup ?? DEFAULT_SIZE);
    const { count, timeAt } = timelineOf(shownSeries(series.data, {}).entries);
    if (count / size <= MOST_IN_FIRST_VIEW) return search;
    const from = timeAt(count - FIRST_VIEW * size);
    return from === undefined ? search : { ...search, viewFrom: new Date(Math.floor(from)).toISOString() };
  }, [series.data, search]);
}

interface ChartsProps {
  summary: CharacteristicSummary;
  data: CharacteristicData;
  view: ReturnType<typeof useView>;
  shown: ShownSeries;
  all: ShownSeries;
  search: CharacteristicSearch;
}

function Charts({ summary, data, view, shown, all, search }: ChartsProps) {
  const { partUuid, characteristicUuid } = useCharacteristicParams();
  const navigate = useNavigate();
  const t = useTexts(texts);
  const words = useTexts(chartTexts);
  const formats = useFormats();
  const rangeText = useRangeText();
  const [width, measure] = useWidth();
  const charts = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<number>();
  const fresh = useNewValues(partUuid, characteristicUuid, search.follow ?? false);
  const { decimals, unit } = data;
  const { chart, limits } = summary;
  const size = search.subgroup ?? DEFAULT_SIZE;
  const name = nameOf(summary.path);
  const unitText = unit === '' ? '' : `, ${unit}`;
  const lines = meanLines(limits, chart, decimals, words);
  const extremesOf = ({ entries }: ShownSeries) =>
    [Math.min(...entries.map(({ minimum }) => minimum)), Math.max(...entries.map(({ maximum }) => maximum))] as const;
  const rulerFor = (series: ShownSeries, top: number, bottom: number) =>
    rulerOf({
      lines,
      extremes: series.entries.length === 0 ? undefined : extremesOf(series),
      decimals,
      top,
      bottom,
      tickDistance: 34,
      mostBeyond: MEANS_BEYOND,
      ...(limits.nominal !== undefined && { nominal: limits.nominal }),
    });
  const plot = Math.max(200, (width ?? 0) - AXIS_WIDTH - LABELS_WIDTH);
  const at = cursor === undefined ? undefined : shown.entries[Math.min(cursor, shown.entries.length - 1)];
  const hasSubgroups = data.shown.data?.subgroups !== undefined;
  const rules = rulesOf(search);
  const timeline = timelineOf(all.entries);
  const { baselineFrom, baselineTo } = search;
  const isFrozen = baselineFrom !== undefined || baselineTo !== undefined;
  const baseline: View | undefined = isFrozen
    ? {
        start: baselineFrom === undefined ? 0 : timeline.positionOf(Date.parse(baselineFrom)),
        end: baselineTo === undefined ? timeline.count : timeline.positionOf(Date.parse(baselineTo)),
      }
    : undefined;
  const line = (x: (position: number) => number, top: number, bottom: number) =>
    at && <Vertical x={x(at.position + 0.5)} y1={top} y2={bottom} kind="cursor" />;
  const title = [name, rangeText(search, summary.count)];
  const [first, last] = [shown.entries[0]?.from, shown.entries.at(-1)?.to];
  const readout = at ? `${at.from === undefined ? '' : formats.dateTime(at.from)}, ${t.mean} ${formats.number(at.mean, decimals + 1)}` : '';
  return (
    <>
      <SubgroupVerdicts summary={summary} shown={shown} series={data.series.data} search={search} decimals={decimals} unit={unit} />
      <Options search={search} count={summary.count}>
        {fresh.count > 0 && (
          <span className={styles.newValues} role="status">
            <Button kind="quiet" onPress={fresh.read}>
              {fresh.count === 1 ? t.oneNewValue : t.newValues(formats.count(fresh.count))}
            </Button>
          </span>
        )}
        <Button kind="quiet" aria-label={t.zoomIn} onPress={() => view.zoomBy(0.5)}>
          +
        </Button>
        <Button kind="quiet" aria-label={t.zoomOut} onPress={() => view.zoomBy(2)}>
          −
        </Button>
        <Button kind="quiet" onPress={() => all.entries[0]?.from !== undefined && view.showTimes({ viewFrom: all.entries[0].from }, false)}>
          {t.showAll}
        </Button>
        <AsProgram requests={programRequests(characteristicUuid, search, t)} answer={summary} />
        <Button
          kind="quiet"
          onPress={() =>
            saveFile(
              fileNameOf(title, 'csv'),
              csvOf(
                ['time', 'mean', 'variation'],
                shown.entries.map(({ from, mean }, i) => [from, mean, shown.variation[i]?.mean]),
              ),
            )
          }
        >
          {t.csv}
        </Button>
        <Button
          kind="quiet"
          onPress={() => {
            if (charts.current)
              void pictureOf({ element: charts.current, lines: [name, title[1] ?? '', location.href] }).then((picture) =>
                saveFile(fileNameOf(title, 'png'), picture),
              );
          }}
        >
          {t.png}
        </Button>
        <Button kind="quiet" onPress={() => print()}>
          {t.print}
        </Button>
      </Options>
      <div className={styles.subGrid}>
        <div ref={measure}>
          {width !== undefined && (
            <div ref={charts} data-charts={hasSubgroups ? 'drawn' : 'waiting'}>
              <PaneHead name={t.means} note={t.meansNote(formats.count(size), unitText)} />
              {hasSubgroups ? (
                <ChartCursor
                  label={`${t.means}, ${name}`}
                  left={AXIS_WIDTH}
                  plot={plot}
                  stops={shown.entries.map(({ position }) => (position + 0.5) / Math.max(shown.count, 1))}
                  marked={[...new Set(shown.hits.map(({ position }) => Math.floor(position)))]}
                  cursor={cursor}
                  onCursor={setCursor}
                  readout={readout}
                  onZoom={view.zoomTo}
                  onShowAll={view.showAll}
                  onOpen={
                    at?.measurementUuids[0] === undefined
                      ? undefined
                      : () =>
                          void navigate({ to: '/measurements/$measurementUuid', params: { measurementUuid: at.measurementUuids[0] ?? '' } })
                  }
                >
                  <Means name={name} shown={shown} ruler={rulerFor(shown, 14, 268)} size={size} plot={plot} height={272}>
                    {(x) => line(x, 14, 268)}
                  </Means>
                  <RunRules shown={shown} rules={rules} plot={plot} rowHeight={13} hasCounts />
                  <div className={styles.spaced} />
                  <PaneHead
                    name={chart?.type === 'xbarS' ? t.deviations : t.ranges}
                    note={(chart?.type === 'xbarS' ? t.deviationsNote : t.rangesNote)(formats.count(size), unitText)}
                  />
                  <Variation
                    name={chart?.type === 'xbarS' ? t.deviations : t.ranges}
                    shown={shown}
                    decimals={decimals}
                    plot={plot}
                    height={144}
                    hasLabels
                    {...(chart && { limits: chart.variation })}
                  >
                    {(x) => line(x, 4, 124)}
                  </Variation>
                </ChartCursor>
              ) : (
                <p className={styles.notes}>{(data.shown.data?.notes ?? []).join(' ')}</p>
              )}
              <div className={styles.spaced} />
              <PaneHead name={t.all} note={t.allNote} />
              <Overview
                shown={all}
                view={view.view}
                {...(baseline && { baseline, baselineText: `${t.limitsFrom} ${rangeText({ from: baselineFrom, to: baselineTo }, 0)}` })}
                total={[t.subgroups, formats.count(Math.ceil(summary.count / size))]}
                ruler={(top, bottom) => rulerFor(all, top, bottom)}
                plot={plot}
                height={112}
                onView={view.showView}
              />
            </div>
          )}
        </div>
        <aside>
          <LimitFigures
            summary={summary}
            size={size}
            decimals={decimals}
            unit={unit}
            isFrozen={isFrozen}
            onFreeze={() => {
              if (first === undefined || last === undefined) return;
              void navigate({
                to: '.',
                search: { ...search, baselineFrom: first, baselineTo: new Date(Date.parse(last) + 1).toISOString() },
                resetScroll: false,
              });
            }}
            onRelease={() => {
              const { baselineFrom: _from, baselineTo: _to, ...rest } = search;
              void navigate({ to: '.', search: rest, resetScroll: false });
            }}
          />
          {at && hasSubgroups && (
            <SubgroupDetail
              entry={at}
              number={(data.shown.data?.offset ?? 0) + Math.floor(at.position) + 1}
              shown={shown}
              summary={summary}
              characteristicUuid={characteristicUuid}
              decimals={decimals}
            />
          )}
          <p className={styles.keys}>
            <Key>←</Key> <Key>→</Key> {t.keysHint}
          </p>
        </aside>
      </div>
    </>
  );
}
