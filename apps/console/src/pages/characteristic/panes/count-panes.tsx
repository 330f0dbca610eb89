import { AXIS_WIDTH, LABELS_WIDTH, widthOf } from '@sinebar/charts';
import { ServerNotes } from '../../../quality/server-notes/server-notes';
import { HistogramPane, NewestPane, RulesPane } from './chart-panes';
import { GAP, type Layout } from './layout';
import { LocationPane } from './location-pane';
import { HistogramHead, LocationHead, NewestHead } from './pane-heads';
import { useRulers, type Report } from './report';
import styles from '../characteristic.module.css';

/** The panes of a characteristic that counts: the chart, and the counts against their limits. It has no index and no model. */
export function CountPanes({ layout, report }: { layout: Layout; report: Report }) {
  const rulerOf = useRulers(report);
  const isPhone = layout.kind === 'phone';
  const width = layout.kind === 'wide' ? widthOf(layout.individuals, true, 'none') + GAP + layout.spans : undefined;
  const plot = width === undefined ? layout.individuals : width - AXIS_WIDTH - LABELS_WIDTH;
  const labels = isPhone ? 'short' : 'full';
  const newest = isPhone ? plot : plot - layout.histogram - GAP;
  const ruler = rulerOf(190);
  const { notes } = report.summary;
  return (
    <div>
      <LocationHead report={report} />
      <LocationPane report={report} ruler={rulerOf(280)} plot={plot} height={280} labels={labels} />
      <RulesPane report={report} plot={plot} />
      <div className={`${isPhone ? '' : styles.row} ${styles.spaced}`}>
        <div>
          <NewestHead report={report} />
          <NewestPane report={report} ruler={ruler} plot={newest} height={190} labels={isPhone ? 'short' : 'none'} />
        </div>
        <div className={isPhone ? styles.spaced : ''} style={isPhone ? {} : { marginLeft: GAP }}>
          <HistogramHead report={report} hasNote={false} />
          <HistogramPane
            report={report}
            ruler={ruler}
            plot={layout.histogram}
            height={190}
            hasAxis={isPhone}
            labels={isPhone ? 'none' : 'full'}
          />
        </div>
      </div>
      <ServerNotes notes={notes} className={styles.notes} />
    </div>
  );
}
