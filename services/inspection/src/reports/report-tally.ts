import { ClientDisconnected } from '@sinebar/http';
import { BUILT_IN_TEMPLATES, isBuiltIn } from '@sinebar/report';
import type { Metrics } from '@sinebar/runtime';

/** End of a report; a client that goes aborts the one that is sent to it. */
type Outcome = 'made' | 'failed' | 'aborted';

const OUTCOMES: readonly Outcome[] = ['made', 'failed', 'aborted'];
const SECONDS = [0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600];
/** Label of the templates of a plant, whose names are not known beforehand. */
const OWN = 'own';
const TEMPLATES: readonly string[] = [...BUILT_IN_TEMPLATES, OWN];

/** Counts the reports of this process. */
export class ReportTally {
  private running = 0;
  private readonly ended = new Map(TEMPLATES.map((template) => [template, { made: 0, failed: 0, aborted: 0 }]));
  private observeSeconds: (template: string, seconds: number) => void = () => undefined;

  /** Counts a report while it is written, and how it ends. @param signal ends it with its client */
  async count<T>(template: string, signal: AbortSignal, write: () => Promise<T>): Promise<T> {
    const label = isBuiltIn(template) ? template : OWN;
    const counts = this.ended.get(label)!;
    this.running += 1;
    const start = performance.now();
    try {
      const result = await write();
      counts.made += 1;
      this.observeSeconds(label, (performance.now() - start) / 1000);
      return result;
    } catch (error) {
      counts[signal.reason instanceof ClientDisconnected ? 'aborted' : 'failed'] += 1;
      throw error;
    } finally {
      this.running -= 1;
    }
  }

  /** Defines the metrics. */
  observe(metrics: Metrics): void {
    metrics.gauge({ name: 'sinebar_reports_running', help: 'Reports that are being written' }, (set) => set(this.running));
    metrics.count(
      {
        name: 'sinebar_reports_total',
        help: 'Reports that ended: made, failed, or aborted by their client',
        labels: ['template', 'outcome'],
      },
      (set) => {
        for (const [template, counts] of this.ended) for (const outcome of OUTCOMES) set(counts[outcome], { template, outcome });
      },
    );
    const seconds = metrics.histogram({
      name: 'sinebar_report_seconds',
      help: 'Time to write a report and to send or keep it, seconds',
      labels: ['template'],
      buckets: SECONDS,
    });
    for (const template of TEMPLATES) seconds.zero({ template });
    this.observeSeconds = (template, value) => seconds.observe({ template }, value);
  }
}
