import { isOfCounts, texts as chartTexts, widthOf } from '@sinebar/charts';
import type { ReactNode } from 'react';
import { Spans } from '../../../charts/capability/capability-charts';
import { useTexts } from '../../../design/language/language';
import { CapabilityTables, IndicesPane } from './capability-panes';
import { CountPanes } from './count-panes';
import { HistogramPane, NewestPane, ProbabilityPane, RulesPane, VariationPane } from './chart-panes';
import { LocationPane } from './location-pane';
import { GAP, type Layout } from './layout';
import { CapabilityHead, HistogramHead, LocationHead, NewestHead, ProbabilityHead, VariationHead } from './pane-heads';
import { useRulers, type Report } from './report';
import styles from '../characteristic.module.css';

export interface SixPanesProps {
  layout: Layout;
  report: Report;
  /** Says how the figures were made; only the width of paper has room for it. */
  madeOf: ReactNode;
}

/** The six panes of a capability report, or those of counts, at widths from a phone to a desk. */
export function SixPanes(props: SixPanesProps) {
  if (isOfCounts(props.report.summary)) return <CountPanes {...props} />;
  if (props.layout.kind === 'wide') return <WidePanes {...props} />;
  return props.layout.kind === 'narrow' ? <NarrowPanes {...props} /> : <PhonePanes {...props} />;
}

function WidePanes({ layout, report }: SixPanesProps) {
  const rulerOf = useRulers(report);
  const height = 300 + Math.max(0, (3 - report.data.evaluated.rules.length) * 14);
  const ruler = rulerOf(height);
  const left = widthOf(layout.individuals, true, 'none');
  return (
    <div>
      <div className={styles.row}>
        <LocationHead report={report} width={left + GAP} />
        <HistogramHead report={report} width={layout.histogram + GAP} />
        <ProbabilityHead />
      </div>
      <div className={styles.row}>
        <LocationPane report={report} ruler={ruler} plot={layout.individuals} height={height} labels="none" />
        <div style={{ marginLeft: GAP }}>
          <HistogramPane report={report} ruler={ruler} plot={layout.histogram} height={height} />
        </div>
        <div style={{ marginLeft: GAP }}>
          <ProbabilityPane report={report} ruler={ruler} plot={layout.probability} height={height} labels="full" />
        </div>
      </div>
      <div className={styles.row}>
        <div className={styles.below} style={{ width: left }}>
          <RulesPane report={report} plot={layout.individuals} />
          <div className={styles.spaced}>
            <VariationHead report={report} />
            <VariationPane report={report} plot={layout.individuals} height={98} />
          </div>
          <div className={styles.spaced}>
            <NewestHead report={report} />
            <NewestPane report={report} ruler={rulerOf(138, { top: 10 })} plot={layout.newest} height={138} />
          </div>
        </div>
        <div className={styles.capability} style={{ marginLeft: GAP, width: layout.spans }}>
          <CapabilityHead report={report} />
          <Spans summary={report.summary} decimals={report.data.decimals} width={layout.spans} />
          <IndicesPane summary={report.summary} width={layout.indices} />
          <CapabilityTables summary={report.summary} decimals={report.data.decimals} />
        </div>
      </div>
    </div>
  );
}

function NarrowPanes({ layout, report, madeOf }: SixPanesProps) {
  const rulerOf = useRulers(report);
  const ruler = rulerOf(190);
  return (
    <div>
      <LocationHead report={report} />
      <LocationPane report={report} ruler={rulerOf(218)} plot={layout.individuals} height={218} labels="full" />
      <div className={styles.below}>
        <RulesPane report={report} plot={layout.individuals} />
      </div>
      <div className={styles.spaced}>
        <VariationHead report={report} />
        <VariationPane report={report} plot={layout.individuals} height={78} />
      </div>
      <div className={`${styles.row} ${styles.spaced}`}>
        <NewestHead report={report} width={widthOf(layout.newest, true, 'none') + GAP} />
        <HistogramHead report={report} width={layout.histogram + GAP} hasNote={false} />
        <ProbabilityHead />
      </div>
      <div className={styles.row}>
        <NewestPane report={report} ruler={ruler} plot={layout.newest} height={190} />
        <div style={{ marginLeft: GAP }}>
          <HistogramPane report={report} ruler={ruler} plot={layout.histogram} height={190} />
        </div>
        <div style={{ marginLeft: GAP }}>
          <ProbabilityPane report={report} ruler={ruler} plot={layout.probability} height={190} labels="full" />
        </div>
      </div>
      <div className={styles.capability}>
        <CapabilityHead report={report} />
        <div className={styles.row}>
          <div style={{ width: layout.spans }}>
            <Spans summary={report.summary} decimals={report.data.decimals} width={layout.spans} />
            <CapabilityTables summary={report.summary} decimals={report.data.decimals} />
          </div>
          <div style={{ width: layout.indices, marginLeft: 24 }}>
            <IndicesPane summary={report.summary} width={layout.indices} />
            <div className={styles.madeOf}>{madeOf}</div>
          </div>
        </div>
      </div>
    </div>
  );
}

function PhonePanes({ layout, report }: SixPanesProps) {
  const rulerOf = useRulers(report);
  const ruler = rulerOf(220);
  return (
    <div>
      <LocationHead report={report} />
      <LocationPane report={report} ruler={rulerOf(250)} plot={layout.individuals} height={250} labels="short" />
      <div className={styles.below}>
        <RulesPane report={report} plot={layout.individuals} />
      </div>
      <LineNames />
      <div className={styles.apart}>
        <NewestHead report={report} />
        <NewestPane report={report} ruler={rulerOf(170, { top: 10 })} plot={layout.newest} height={170} labels="short" />
      </div>
      <div className={`${styles.row} ${styles.apart}`}>
        <HistogramHead report={report} width={widthOf(layout.histogram, true, 'none') + GAP} hasNote={false} />
        <ProbabilityHead isShort />
      </div>
      <div className={styles.row}>
        <HistogramPane report={report} ruler={ruler} plot={layout.histogram} height={220} hasAxis />
        <div style={{ marginLeft: GAP }}>
          <ProbabilityPane report={report} ruler={ruler} plot={layout.probability} height={220} labels="none" />
        </div>
      </div>
      <div className={styles.apart}>
        <VariationHead report={report} />
        <VariationPane report={report} plot={layout.individuals + 54} height={98} />
      </div>
      <div className={styles.apart}>
        <CapabilityHead report={report} />
        <Spans summary={report.summary} decimals={report.data.decimals} width={layout.spans} />
        <IndicesPane summary={report.summary} width={layout.indices} />
        <CapabilityTables summary={report.summary} decimals={report.data.decimals} />
      </div>
    </div>
  );
}

/** Names the lines of the chart above, which has no room for them at its edge. */
function LineNames() {
  const words = useTexts(chartTexts);
  return (
    <p className={styles.lineNames}>
      <span>{words.tolerance}</span>
      <span className={styles.warningName}>{words.warning}</span>
      <span className={styles.controlName}>{words.control}</span>
      <span className={styles.meanName}>{words.mean}</span>
    </p>
  );
}
