import { chartInView, type Labels, type Ruler, widthOf } from '@sinebar/charts';
import { Newest, RunRules, Variation } from '../../../charts/control/control-charts';
import { Histogram, Probability } from '../../../charts/distribution/distribution-charts';
import { Pane } from '../../../design/states/pane-state';
import { nameOf } from '../../../server/queries/plan-path';
import { viewTimesOf } from '../view';
import { useCharacteristicSearch } from '../use-address';
import { MemoryPane } from './memory-pane';
import { SCORE_DECIMALS, useVariationWords } from './pane-heads';
import type { Report } from './report';

interface RulerPaneProps {
  report: Report;
  ruler: Ruler;
  /** Width of the plot without axis and labels, px. */
  plot: number;
  height: number;
}

interface HistogramPaneProps extends RulerPaneProps {
  hasAxis?: boolean;
  labels?: Labels;
}

export function HistogramPane({ report: { summary }, ...drawn }: HistogramPaneProps) {
  return <Histogram summary={summary} {...drawn} />;
}

/** Keeps its place while the points are read. */
export function ProbabilityPane({ report: { data, summary }, labels, ...drawn }: RulerPaneProps & { labels: Labels }) {
  return (
    <div style={{ minWidth: widthOf(drawn.plot, false, labels), minHeight: drawn.height }}>
      <Pane query={data.probability}>
        {(plotted) => <Probability plotted={plotted} limits={summary.limits} labels={labels} {...drawn} />}
      </Pane>
    </div>
  );
}

export function NewestPane({ report: { data }, labels = 'none', ...drawn }: RulerPaneProps & { labels?: Labels }) {
  const { newest = [], ruleHits = [] } = data.series.data ?? {};
  // A hit of subgroups is no hit of its first value.
  const isSingle = data.series.data?.subgroups === undefined;
  const beyondLimits = ruleHits.filter(({ rule, on }) => isSingle && on === 'location' && rule.endsWith('1'));
  return <Newest values={newest} broken={new Set(beyondLimits.map((hit) => hit.measurementUuid))} labels={labels} {...drawn} />;
}

export function RulesPane({ report: { shown, data }, plot }: { report: Report; plot: number }) {
  return shown && <RunRules shown={shown} rules={data.evaluated.rules} plot={plot} />;
}

/** The chart that remembers earlier points, where there is one, else the variation. */
export function VariationPane({ report, plot, height }: { report: Report; plot: number; height: number }) {
  const words = useVariationWords();
  const times = viewTimesOf(useCharacteristicSearch());
  const { data, shown, summary } = report;
  const chart = shown ? chartInView(shown, summary.chart) : summary.chart;
  const { memory } = data.shown.data ?? {};
  if (memory) {
    return <MemoryPane memory={memory} data={data} name={nameOf(summary.path)} times={times} plot={plot} height={height} labels="none" />;
  }
  return (
    shown && (
      <Variation
        name={words(chart?.type, '').name}
        shown={shown}
        decimals={chart?.scores ? SCORE_DECIMALS : data.decimals}
        plot={plot}
        height={height}
        {...(chart && { limits: chart.variation })}
      />
    )
  );
}
