import { useNavigate } from '@tanstack/react-router';
import type { CharacteristicSummary } from '@sinebar/client';
import type { Ref } from 'react';
import { Means } from '../../../charts/control/means';
import { Overview } from '../../../charts/control/overview';
import { rulerOf, type Ruler } from '../../../charts/control/ruler';
import { AXIS_WIDTH, LABELS_WIDTH } from '../../../charts/control/ruler-pane';
import { RunRules } from '../../../charts/control/run-rules';
import type { ShownEntry, ShownSeries } from '../../../charts/control/shown-series';
import { Variation } from '../../../charts/control/variation';
import { timelineOf, type View } from '../../../charts/control/view-window';
import { Vertical } from '../../../charts/drawing/figure';
import { ChartCursor } from '../../../charts/interaction/chart-cursor';
import { texts as chartTexts } from '../../../charts/texts';
import { useFormats, useTexts } from '../../../design/language/language';
import { PaneHead } from '../../../design/page/pane-head';
import { useWidth } from '../../../design/page/use-width';
import { nameOf } from '../../../server/queries/plan-path';
import { useRangeText } from '../options/options';
import { meanLines } from '../panes/limit-lines';
import type { CharacteristicSearch } from '../search';
import { texts } from '../texts';
import type { CharacteristicData } from '../use-characteristic';
import type { CharacteristicView } from '../use-view';
import { DEFAULT_SUBGROUP_SIZE, rulesOf } from '../view';
import styles from '../characteristic.module.css';

/** Spans of the limits that means may lie beyond them: a drift is drawn to its end. */
const MEANS_BEYOND = 6;
/** Least width of a plot, px. */
const MIN_PLOT = 200;
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
}

/** Means and variation of the subgroups in view, above all of them in small. */
export function SubgroupCharts(props: SubgroupChartsProps) {
  const { summary, data, view, all, search, charts } = props;
  const t = useTexts(texts);
  const formats = useFormats();
  const rulerFor = useMeansRulers(summary, data.decimals);
  const baseline = useBaseline(all, search);
  const [width, measure] = useWidth();
  const plot = Math.max(MIN_PLOT, (width ?? 0) - AXIS_WIDTH - LABELS_WIDTH);
  const subgroups = Math.ceil(summary.count / (search.subgroup ?? DEFAULT_SUBGROUP_SIZE));
  return (
    <div ref={measure}>
      {width !== undefined && (
        <div ref={charts} data-charts={hasSubgroups(data) ? 'drawn' : 'waiting'}>
          <MeansAndVariation {...props} plot={plot} />
          <div className={styles.spaced} />
          <PaneHead name={t.all} note={t.allNote} />
          <Overview
            shown={all}
            view={view.view}
            {...baseline}
            total={[t.subgroups, formats.count(subgroups)]}
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

function MeansAndVariation({ summary, data, view, shown, search, cursor, onCursor, plot }: SubgroupChartsProps & { plot: number }) {
  const navigate = useNavigate();
  const t = useTexts(texts);
  const formats = useFormats();
  const rulerFor = useMeansRulers(summary, data.decimals);
  const { chart } = summary;
  const size = search.subgroup ?? DEFAULT_SUBGROUP_SIZE;
  const unit = data.unit === '' ? '' : `, ${data.unit}`;
  const isDeviation = chart?.type === 'xbarS';
  const name = nameOf(summary.path);
  const variation = isDeviation ? t.deviations : t.ranges;
  const entry = cursor === undefined ? undefined : shown.entries[Math.min(cursor, shown.entries.length - 1)];
  const [measurementUuid] = entry?.measurementUuids ?? [];
  const open =
    measurementUuid === undefined ? undefined : () => void navigate({ to: '/measurements/$measurementUuid', params: { measurementUuid } });
  const time = entry?.from === undefined ? '' : formats.dateTime(entry.from);
  return (
    <>
      <PaneHead name={t.means} note={t.meansNote(formats.count(size), unit)} />
      {hasSubgroups(data) ? (
        <ChartCursor
          label={`${t.means}, ${name}`}
          left={AXIS_WIDTH}
          plot={plot}
          stops={shown.entries.map(({ position }) => (position + 0.5) / Math.max(shown.count, 1))}
          marked={[...new Set(shown.hits.map(({ position }) => Math.floor(position)))]}
          cursor={cursor}
          onCursor={onCursor}
          readout={entry ? `${time}, ${t.mean} ${formats.number(entry.mean, data.decimals + 1)}` : ''}
          onZoom={view.zoomTo}
          onShowAll={view.showAll}
          onOpen={open}
        >
          <Means name={name} shown={shown} ruler={rulerFor(shown, ...MEANS_EDGES)} size={size} plot={plot} height={272}>
            {(x) => <CursorLine entry={entry} x={x} edges={MEANS_EDGES} />}
          </Means>
          <RunRules shown={shown} rules={rulesOf(search)} plot={plot} rowHeight={13} hasCounts />
          <div className={styles.spaced} />
          <PaneHead name={variation} note={(isDeviation ? t.deviationsNote : t.rangesNote)(formats.count(size), unit)} />
          <Variation
            name={variation}
            shown={shown}
            decimals={data.decimals}
            plot={plot}
            height={144}
            hasLabels
            {...(chart && { limits: chart.variation })}
          >
            {(x) => <CursorLine entry={entry} x={x} edges={VARIATION_EDGES} />}
          </Variation>
        </ChartCursor>
      ) : (
        <p className={styles.notes}>{(data.shown.data?.notes ?? []).join(' ')}</p>
      )}
    </>
  );
}

interface CursorLineProps {
  entry: ShownEntry | undefined;
  x: (position: number) => number;
  edges: readonly [top: number, bottom: number];
}

function CursorLine({ entry, x, edges: [top, bottom] }: CursorLineProps) {
  return entry && <Vertical x={x(entry.position + 0.5)} y1={top} y2={bottom} kind="cursor" />;
}

/** Whether the series has subgroups; without them its notes say why. */
export function hasSubgroups({ shown }: CharacteristicData): boolean {
  return shown.data?.subgroups !== undefined;
}

/** Makes the axis of means from the edges of its plot, px. */
function useMeansRulers({ limits, chart }: CharacteristicSummary, decimals: number) {
  const words = useTexts(chartTexts);
  const lines = meanLines(limits, chart, decimals, words);
  return ({ entries }: ShownSeries, top: number, bottom: number): Ruler =>
    rulerOf({
      lines,
      extremes:
        entries.length === 0
          ? undefined
          : [Math.min(...entries.map(({ minimum }) => minimum)), Math.max(...entries.map(({ maximum }) => maximum))],
      decimals,
      top,
      bottom,
      tickDistance: 34,
      mostBeyond: MEANS_BEYOND,
      ...(limits.nominal !== undefined && { nominal: limits.nominal }),
    });
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
