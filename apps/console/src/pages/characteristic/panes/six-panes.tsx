import type { CharacteristicSummary } from '@sinebar/client';
import { useMemo, type ReactNode } from 'react';
import { Newest } from '../../../charts/control/newest';
import { rulerOf, type Ruler } from '../../../charts/control/ruler';
import { widthOf, type Labels } from '../../../charts/control/ruler-pane';
import { RunRules } from '../../../charts/control/run-rules';
import type { ShownSeries } from '../../../charts/control/shown-series';
import { Variation } from '../../../charts/control/variation';
import { Histogram } from '../../../charts/distribution/histogram';
import { Probability } from '../../../charts/distribution/probability';
import { texts as chartTexts } from '../../../charts/texts';
import { useFormats, useTexts } from '../../../design/language/language';
import { Pane } from '../../../design/states/pane-state';
import { IndicesPane, PartsPerMillion, SpansPane, useCapabilityNote } from './capability-panes';
import { GAP, type Layout } from './layout';
import { limitLines } from './limit-lines';
import { PaneHead } from '../../../design/page/pane-head';
import { texts } from '../texts';
import type { CharacteristicData } from '../use-characteristic';
import styles from '../characteristic.module.css';

export interface SixPanesProps {
  layout: Layout;
  data: CharacteristicData;
  summary: CharacteristicSummary;
  shown: ShownSeries | undefined;
  rules: readonly string[];
  /** Draws the chart of single values, which has the cursor. */
  individuals: (drawn: { ruler: Ruler; plot: number; height: number; labels: Labels; hasDates: boolean }) => ReactNode;
  /** Says how the figures were made, for the report. */
  madeOf: ReactNode;
}

/** The six panes of a capability report, at widths from a phone to a desk. */
export function SixPanes(props: SixPanesProps) {
  if (props.layout.kind === 'wide') return <WidePanes {...props} />;
  return props.layout.kind === 'narrow' ? <NarrowPanes {...props} /> : <PhonePanes {...props} />;
}

/** Panes that all layouts draw, each at its own sizes. */
function usePanes({ data, summary, shown, rules, individuals }: SixPanesProps) {
  const t = useTexts(texts);
  const words = useTexts(chartTexts);
  const formats = useFormats();
  const capabilityNote = useCapabilityNote();
  const { decimals, unit, probability, series } = data;
  const { limits, minimum, maximum, chart } = summary;
  const lines = useMemo(() => limitLines(limits, chart, decimals, words), [limits, chart, decimals, words]);
  const extremes = minimum === undefined || maximum === undefined ? undefined : ([minimum, maximum] as const);
  const ruler = (height: number, { top = 8, below = 22 } = {}) =>
    rulerOf({
      lines,
      extremes,
      decimals,
      top,
      bottom: height - below,
      ...(limits.nominal !== undefined && { nominal: limits.nominal }),
    });
  const excluded = data.exclusions.length;
  const count = formats.count(summary.count);
  const inView = shown && shown.count < summary.count ? t.inViewNote(formats.count(shown.count), count) : undefined;
  const whole = excluded > 0 ? t.individualsExcluded(count, formats.count(excluded)) : t.individualsNote(count);
  const edges = summary.histogram?.edges ?? [];
  const binWidth = edges.length > 1 ? edges[1]! - edges[0]! : undefined;
  const broken = new Set(
    (series.data?.ruleHits ?? []).filter(({ rule, on }) => on === 'location' && rule.endsWith('1')).map((hit) => hit.measurementUuid),
  );
  const variationNote = [
    unit,
    chart?.type === 'individuals'
      ? t.movingRangeNote(formats.number(chart.variation.centerLine, decimals + 1), formats.number(chart.variation.upper, decimals + 1))
      : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
  return {
    ruler,
    heads: {
      individuals: { name: t.individuals, note: inView ?? whole },
      histogram: {
        name: t.histogram,
        note: binWidth === undefined ? '' : t.histogramNote(formats.number(Number(binWidth.toPrecision(3))), unit),
      },
      probability: { name: t.probability, note: t.probabilityNote },
      variation: { name: t.movingRange, note: variationNote },
      newest: {
        name: t.newest25(formats.count(series.data?.newest?.length ?? 25)),
        note: limits.nominal === undefined ? unit : t.newestNote(unit === '' ? '' : `, ${unit}`),
      },
      capability: { name: t.capability, note: capabilityNote(summary, decimals) },
    },
    individuals: (drawn: Ruler, plot: number, height: number, labels: Labels, hasDates = false) =>
      individuals({ ruler: drawn, plot, height, labels, hasDates }),
    histogram: (drawn: Ruler, plot: number, height: number, hasAxis = false) => (
      <Histogram summary={summary} ruler={drawn} plot={plot} height={height} hasAxis={hasAxis} />
    ),
    probability: (drawn: Ruler, plot: number, height: number, labels: Labels) => (
      <div style={{ minWidth: widthOf(plot, false, labels), minHeight: height }}>
        <Pane query={probability}>
          {(plotted) => <Probability plotted={plotted} limits={limits} ruler={drawn} plot={plot} height={height} labels={labels} />}
        </Pane>
      </div>
    ),
    rules: (plot: number, rowHeight: number) => shown && <RunRules shown={shown} rules={rules} plot={plot} rowHeight={rowHeight} />,
    variation: (plot: number, height: number) =>
      shown && (
        <Variation
          name={t.movingRange}
          shown={shown}
          decimals={decimals}
          plot={plot}
          height={height}
          {...(chart?.type === 'individuals' && { limits: chart.variation })}
        />
      ),
    newest: (drawn: Ruler, plot: number, height: number, labels: Labels = 'none') => (
      <Newest values={series.data?.newest ?? []} broken={broken} ruler={drawn} plot={plot} height={height} labels={labels} />
    ),
  };
}

function WidePanes(props: SixPanesProps) {
  const { layout, summary, data, rules } = props;
  const { ruler, heads, ...draw } = usePanes(props);
  const height = 306 + Math.max(0, (3 - rules.length) * 12);
  const shared = ruler(height);
  const left = widthOf(layout.individuals, true, 'none');
  return (
    <div>
      <div className={styles.row}>
        <PaneHead {...heads.individuals} width={left + GAP} />
        <PaneHead {...heads.histogram} width={layout.histogram + GAP} />
        <PaneHead {...heads.probability} />
      </div>
      <div className={styles.row}>
        {draw.individuals(shared, layout.individuals, height, 'none')}
        <div style={{ marginLeft: GAP }}>{draw.histogram(shared, layout.histogram, height)}</div>
        <div style={{ marginLeft: GAP }}>{draw.probability(shared, layout.probability, height, 'full')}</div>
      </div>
      <div className={styles.row}>
        <div className={styles.below} style={{ width: left }}>
          {draw.rules(layout.individuals, 12)}
          <div className={styles.spaced}>
            <PaneHead {...heads.variation} />
            {draw.variation(layout.individuals, 98)}
          </div>
          <div className={styles.spaced}>
            <PaneHead {...heads.newest} />
            {draw.newest(ruler(138, { top: 10 }), layout.newest, 138)}
          </div>
        </div>
        <div className={styles.capability} style={{ marginLeft: GAP, width: layout.spans }}>
          <PaneHead {...heads.capability} />
          <SpansPane summary={summary} decimals={data.decimals} spans={layout.spans} />
          <IndicesPane summary={summary} indices={layout.indices} />
          <PartsPerMillion summary={summary} />
        </div>
      </div>
    </div>
  );
}

function NarrowPanes(props: SixPanesProps) {
  const { layout, summary, data, madeOf } = props;
  const { ruler, heads, ...draw } = usePanes(props);
  const below = ruler(190);
  return (
    <div>
      <PaneHead {...heads.individuals} />
      {draw.individuals(ruler(218), layout.individuals, 218, 'full')}
      <div className={styles.below}>{draw.rules(layout.individuals, 13)}</div>
      <div className={styles.spaced}>
        <PaneHead {...heads.variation} />
        {draw.variation(layout.individuals, 78)}
      </div>
      <div className={`${styles.row} ${styles.spaced}`}>
        <PaneHead {...heads.newest} width={widthOf(layout.newest, true, 'none') + GAP} />
        <PaneHead name={heads.histogram.name} width={layout.histogram + GAP} />
        <PaneHead {...heads.probability} />
      </div>
      <div className={styles.row}>
        {draw.newest(below, layout.newest, 190)}
        <div style={{ marginLeft: GAP }}>{draw.histogram(below, layout.histogram, 190)}</div>
        <div style={{ marginLeft: GAP }}>{draw.probability(below, layout.probability, 190, 'full')}</div>
      </div>
      <div className={styles.capability}>
        <PaneHead {...heads.capability} />
        <div className={styles.row}>
          <div style={{ width: layout.spans }}>
            <SpansPane summary={summary} decimals={data.decimals} spans={layout.spans} />
            <PartsPerMillion summary={summary} />
          </div>
          <div style={{ width: layout.indices, marginLeft: 24 }}>
            <IndicesPane summary={summary} indices={layout.indices} />
            <div className={styles.madeOf}>{madeOf}</div>
          </div>
        </div>
      </div>
    </div>
  );
}

function PhonePanes(props: SixPanesProps) {
  const { layout, summary, data } = props;
  const words = useTexts(chartTexts);
  const { ruler, heads, ...draw } = usePanes(props);
  const shared = ruler(220);
  return (
    <div>
      <PaneHead {...heads.individuals} />
      {draw.individuals(ruler(250), layout.individuals, 250, 'short')}
      <div className={styles.below}>{draw.rules(layout.individuals, 13)}</div>
      <p className={styles.lineNames}>
        <span>{words.tolerance}</span>
        <span className={styles.warningName}>{words.warning}</span>
        <span className={styles.controlName}>{words.control}</span>
        <span className={styles.meanName}>{words.mean}</span>
      </p>
      <div className={styles.apart}>
        <PaneHead {...heads.newest} />
        {draw.newest(ruler(170, { top: 10 }), layout.newest, 170, 'short')}
      </div>
      <div className={`${styles.row} ${styles.apart}`}>
        <PaneHead name={heads.histogram.name} width={widthOf(layout.histogram, true, 'none') + GAP} />
        <PaneHead name={heads.probability.name} note="%" />
      </div>
      <div className={styles.row}>
        {draw.histogram(shared, layout.histogram, 220, true)}
        <div style={{ marginLeft: GAP }}>{draw.probability(shared, layout.probability, 220, 'none')}</div>
      </div>
      <div className={styles.apart}>
        <PaneHead {...heads.variation} />
        {draw.variation(layout.individuals + 54, 98)}
      </div>
      <div className={styles.apart}>
        <PaneHead {...heads.capability} />
        <SpansPane summary={summary} decimals={data.decimals} spans={layout.spans} />
        <IndicesPane summary={summary} indices={layout.indices} />
        <PartsPerMillion summary={summary} />
      </div>
    </div>
  );
}
