import {
  AXIS_WIDTH,
  chartInView,
  countRuler,
  isOfCounts,
  LABELS_WIDTH,
  limitLines,
  meanLines,
  POINTS_BEYOND,
  type Ruler,
  rulerOf,
  type ShownEntry,
  type ShownNote,
  type ShownSeries,
  stageLimits,
  texts as chartTexts,
  type View,
} from '@sinebar/charts';
import { useNavigate } from '@tanstack/react-router';
import type { CharacteristicSummary } from '@sinebar/client';
import type { Ref } from 'react';
import { Counts, Individuals, Means, RunRules, Variation } from '../../../charts/control/control-charts';
import { Overview } from '../../../charts/control/overview';
import { Cursor } from '../../../charts/interaction/readout';
import { timelineOf } from '../../../charts/control/view-window';
import { ChartCursor } from '../../../charts/interaction/chart-cursor';
import { useFormats, useTexts } from '../../../design/language/language';
import { PaneHead } from '../../../design/page/pane-head';
import { useWidth } from '../../../design/page/use-width';
import { ServerNotes } from '../../../quality/server-notes/server-notes';
import { nameOf } from '../../../server/queries/plan-path';
import { useSubgroupsText } from '../options/evaluated-texts';
import { useRangeText } from '../options/range-text';
import { MemoryHead, MemoryPane } from '../panes/memory-pane';
import { measuredPoint } from '../measured-point';
import { notesAt } from '../notes/note-positions';
import { markedEntries, placeLeftOut } from '../panes/entries';
import { PointActions, PointActionsBelow, type PointActs } from '../panes/point-actions';
import { SCORE_DECIMALS, useVariationWords } from '../panes/pane-heads';
import type { CharacteristicSearch } from '../search';
import { texts } from '../texts';
import type { CharacteristicData } from '../use-characteristic';
import type { CharacteristicView } from '../use-view';
import { viewTimesOf } from '../view';
import styles from '../characteristic.module.css';

/** Least width of a plot, px. */
const MIN_PLOT = 160;
/** Upper and lower edge of the plot of means, and of their variation, px. */
const MEANS_EDGES = [14, 268] as const;
const VARIATION_EDGES = [4, 124] as const;

export interface SubgroupChartsProps {
  summary: CharacteristicSummary;
  data: CharacteristicData;
  view: CharacteristicView;
  /** The stretch in view, and the whole series. */
  shown: ShownSeries;
  all: ShownSeries;
  search: CharacteristicSearch;
  /** Element that holds the drawings. */
  charts: Ref<HTMLDivElement>;
  /** Index of the subgroup with the cursor. */
  cursor: number | undefined;
  onCursor: (index: number | undefined) => void;
  /** Notes and alarms with a place in view. */
  notes: readonly ShownNote[];
  onExclude: (entry: ShownEntry) => void;
  /** Writes a note about a point; absent without the right. */
  onNote: ((entry: ShownEntry) => void) | undefined;
}

/** The points in view and their variation, above all points in small. */
export function SubgroupCharts(props: SubgroupChartsProps) {
  const { summary, data, view, all, search, charts } = props;
  const t = useTexts(texts);
  const formats = useFormats();
  const rulerFor = useLocationRulers(summary, data);
  const baseline = useBaseline(all, search);
  const [width, measure] = useWidth();
  const plot = Math.max(MIN_PLOT, (width ?? 0) - AXIS_WIDTH - LABELS_WIDTH);
  return (
    <div ref={measure}>
      {width !== undefined && (
        <div ref={charts} data-charts={isDrawn(data) ? 'drawn' : 'waiting'}>
          <LocationAndVariation {...props} plot={plot} />
          <div className={styles.spaced} />
          <PaneHead name={t.all} note={t.allNote} />
          <Overview
            shown={all}
            view={view.view}
            {...baseline}
            total={[all.isSingle && isOfGroups(data) ? t.subgroups : t.values, formats.count(all.count)]}
            ruler={(top, bottom) => rulerFor(all, top, bottom)}
            plot={plot}
            height={112}
            onView={view.showView}
          />
        </div>
      )}
    </div>
  );
}

function LocationAndVariation(props: SubgroupChartsProps & { plot: number }) {
  const { summary, data, view, shown, search, cursor, onCursor, notes, onExclude, onNote, plot } = props;
  const navigate = useNavigate();
  const t = useTexts(texts);
  const formats = useFormats();
  const words = useTexts(chartTexts);
  const rulerFor = useLocationRulers(summary, data);
  const subgroups = useSubgroupsText()(data.evaluated);
  const variationWords = useVariationWords();
  const chart = chartInView(shown, summary.chart);
  const count = data.shown.data?.countChart?.type;
  const { memory } = data.shown.data ?? {};
  const areGroups = isOfGroups(data);
  const title = count ? t[`chart_${count}`] : areGroups ? t.means : t.individuals;
  const unit = data.unit === '' ? '' : `, ${data.unit}`;
  const name = nameOf(summary.path);
  const variation = variationWords(chart?.type, data.unit);
  const entry = cursor === undefined ? undefined : shown.entries[Math.min(cursor, shown.entries.length - 1)];
  const point = entry && measuredPoint(entry, shown);
  const measurementUuid = point?.measurementUuid ?? entry?.measurementUuids[0];
  const noted = entry ? notesAt(notes, entry) : [];
  const alarm = noted.findLast((mark) => mark.alarm !== undefined)?.alarm;
  const open =
    measurementUuid === undefined ? undefined : () => void navigate({ to: '/measurements/$measurementUuid', params: { measurementUuid } });
  const acts: PointActs = {
    exclude: entry && point && !areGroups ? () => onExclude(entry) : undefined,
    note: entry && onNote && (() => onNote(entry)),
    open,
    alarm: alarm === undefined ? undefined : () => void navigate({ to: '/alarms', search: { state: 'all', told: 'all', selected: alarm } }),
  };
  const time = entry?.from === undefined ? '' : formats.dateTime(entry.from);
  const [top, bottom] = MEANS_EDGES;
  const cursorLine = (x: (position: number) => number) => <CursorLine entry={entry} x={x} edges={MEANS_EDGES} />;
  const excluded = placeLeftOut(shown, data.leftOut, data.evaluated.leftOut);
  const common = { name, shown, notes, plot, height: 272, labels: 'full' as const, ruler: rulerFor(shown, top, bottom) };
  return (
    <>
      {memory && (
        <>
          <MemoryHead memory={memory} subgroups={subgroups} />
          <MemoryPane memory={memory} data={data} name={name} times={viewTimesOf(search)} plot={plot} height={200} labels="full" />
          <div className={styles.spaced} />
        </>
      )}
      <PaneHead
        name={title}
        note={
          count
            ? t[`points_${count}`]
            : areGroups
              ? t.meansNote(subgroups, unit)
              : chart?.scores
                ? t.scoredNote(t[`model_${chart.scores.model}`])
                : data.unit
        }
      />
      {isDrawn(data) ? (
        <ChartCursor
          label={`${title}, ${name}`}
          left={AXIS_WIDTH}
          plot={plot}
          stops={shown.entries.map(({ position, count }) => (position + count / 2) / Math.max(shown.count, 1))}
          marked={markedEntries(shown, notes)}
          cursor={cursor}
          onCursor={onCursor}
          readout={
            entry
              ? [
                  time,
                  `${areGroups ? words.mean : ''} ${formats.number(entry.mean, shown.decimals ?? data.decimals + 1)}`,
                  ...noted.map(({ label }) => label),
                ].join(', ')
              : ''
          }
          onZoom={view.zoomTo}
          onShowAll={view.showAll}
          onOpen={open}
          onExclude={acts.exclude}
          onNote={acts.note}
          actions={<PointActions {...acts} />}
        >
          {count ? (
            <Counts {...common} chart={title} excluded={excluded}>
              {cursorLine}
            </Counts>
          ) : areGroups ? (
            <Means {...common} subgroups={subgroups} limits={chart?.location}>
              {cursorLine}
            </Means>
          ) : (
            <Individuals {...common} excluded={excluded}>
              {cursorLine}
            </Individuals>
          )}
          <RunRules shown={shown} rules={data.evaluated.rules} plot={plot} hasCounts />
          {!count && (
            <>
              <div className={styles.spaced} />
              <PaneHead name={variation.name} note={variation.note} />
              <Variation
                name={variation.name}
                shown={shown}
                decimals={chart?.scores ? SCORE_DECIMALS : data.decimals}
                plot={plot}
                height={144}
                hasLabels
                {...(chart && { limits: chart.variation })}
              >
                {(x) => <CursorLine entry={entry} x={x} edges={VARIATION_EDGES} />}
              </Variation>
            </>
          )}
        </ChartCursor>
      ) : (
        <ServerNotes notes={data.shown.data?.notes} className={styles.notes} />
      )}
      <PointActionsBelow {...acts} />
    </>
  );
}

interface CursorLineProps {
  entry: ShownEntry | undefined;
  x: (position: number) => number;
  edges: readonly [top: number, bottom: number];
}

function CursorLine({ entry, x, edges: [top, bottom] }: CursorLineProps) {
  return entry && <Cursor x={x(entry.position + entry.count / 2)} top={top} bottom={bottom} />;
}

/** Whether the points are means of subgroups. */
export function isOfGroups({ summary, evaluated: { subgroups } }: CharacteristicData): boolean {
  if (summary.data && isOfCounts(summary.data)) return false;
  const type = summary.data?.chart?.type;
  return type === undefined ? subgroups.by !== undefined || (subgroups.size ?? 1) > 1 : type !== 'individuals';
}

/** Whether there are points to draw; where subgroups are missing, notes of the series say why. */
export function isDrawn(data: CharacteristicData): boolean {
  return isOfGroups(data) ? data.shown.data?.subgroups !== undefined : data.shown.data !== undefined;
}

/** Makes the axis of values or means from the edges of its plot, px. */
function useLocationRulers({ limits, chart: newest }: CharacteristicSummary, data: CharacteristicData) {
  const words = useTexts(chartTexts);
  const { decimals } = data;
  const areGroups = isOfGroups(data);
  return (shown: ShownSeries, top: number, bottom: number): Ruler => {
    if (shown.decimals !== undefined) return countRuler(shown, words, [top, bottom]);
    const ends = shown.entries.flatMap(({ minimum, maximum }) => [minimum, maximum]);
    if (isDrawn(data)) ends.push(...stageLimits(shown));
    return rulerOf({
      lines: (areGroups ? meanLines : limitLines)(limits, chartInView(shown, newest), decimals, words),
      extremes: shown.entries.length === 0 ? undefined : [Math.min(...ends), Math.max(...ends)],
      decimals,
      top,
      bottom,
      tickDistance: 34,
      ...(areGroups && { mostBeyond: POINTS_BEYOND }),
      ...(limits.nominal !== undefined && { nominal: limits.nominal }),
    });
  };
}

/** The stretch that the limits were frozen from, and its name; empty while the limits follow from all values. */
function useBaseline(all: ShownSeries, { baselineFrom: from, baselineTo: to }: CharacteristicSearch) {
  const t = useTexts(texts);
  const rangeText = useRangeText();
  if (from === undefined && to === undefined) return {};
  const { count, positionOf } = timelineOf(all.entries);
  const baseline: View = {
    start: from === undefined ? 0 : positionOf(Date.parse(from)),
    end: to === undefined ? count : positionOf(Date.parse(to)),
  };
  return { baseline, baselineText: `${t.limitsFrom} ${rangeText({ from, to }, 0)}` };
}
