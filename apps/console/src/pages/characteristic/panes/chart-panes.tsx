import { Newest } from '../../../charts/control/newest';
import type { Ruler } from '../../../charts/control/ruler';
import { widthOf, type Labels } from '../../../charts/control/ruler-pane';
import { RunRules } from '../../../charts/control/run-rules';
import { Variation } from '../../../charts/control/variation';
import { Histogram } from '../../../charts/distribution/histogram';
import { Probability } from '../../../charts/distribution/probability';
import { useTexts } from '../../../design/language/language';
import { Pane } from '../../../design/states/pane-state';
import { texts } from '../texts';
import { SCORE_DECIMALS } from './pane-heads';
import type { Report } from './report';

interface RulerPaneProps {
  report: Report;
  ruler: Ruler;
  /** Width of the plot without axis and labels, px. */
  plot: number;
  height: number;
}

export function HistogramPane({ report: { summary }, hasAxis = false, ...drawn }: RulerPaneProps & { hasAxis?: boolean }) {
  return <Histogram summary={summary} hasAxis={hasAxis} {...drawn} />;
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
  const beyondLimits = ruleHits.filter(({ rule, on }) => on === 'location' && rule.endsWith('1'));
  return <Newest values={newest} broken={new Set(beyondLimits.map((hit) => hit.measurementUuid))} labels={labels} {...drawn} />;
}

export function RulesPane({ report: { shown, rules }, plot, rowHeight }: { report: Report; plot: number; rowHeight: number }) {
  return shown && <RunRules shown={shown} rules={rules} plot={plot} rowHeight={rowHeight} />;
}

export function VariationPane({ report, plot, height }: { report: Report; plot: number; height: number }) {
  const t = useTexts(texts);
  const { data, shown, summary } = report;
  const { chart } = summary;
  return (
    shown && (
      <Variation
        name={t.movingRange}
        shown={shown}
        decimals={chart?.scores ? SCORE_DECIMALS : data.decimals}
        plot={plot}
        height={height}
        {...(chart?.type === 'individuals' && { limits: chart.variation })}
      />
    )
  );
}
