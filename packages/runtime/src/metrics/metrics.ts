import { withTimeout } from '@sinebar/concurrency';
import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { Logger } from '../logger.ts';

export type Labels = Readonly<Record<string, string>>;
/** Sets the current value of each combination of labels. */
export type Collect = (set: (value: number, labels?: Labels) => void) => void | Promise<void>;

export interface MetricDescription {
  name: string;
  /** One sentence, with the unit. */
  help: string;
  /** Label names; their values are few and never come from a client. */
  labels?: readonly string[];
}

interface ReadMetric {
  metric: { reset(): void };
  collects: Collect[];
  set: (value: number, labels?: Labels) => void;
}

/** Time after which a value is left out, milliseconds: a scrape takes at most about ten seconds for all values. */
const READ_TIMEOUT_MS = 2000;

/** Metrics of a process for Prometheus: one instance per process, made only where they can be read. */
export class Metrics {
  /** Registry for metrics that register themselves. */
  readonly registry = new Registry();
  private readonly log: Logger;
  /** Metrics by name: several services in one process share a metric, each with its own label. */
  private readonly read = new Map<string, ReadMetric>();

  /** @param plant label of every metric; none for the only plant */
  constructor(log: Logger, plant = '') {
    this.log = log;
    if (plant !== '') this.registry.setDefaultLabels({ plant });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  counter({ name, help, labels = [] }: MetricDescription): Counter<string> {
    return new Counter<string>({ name, help, labelNames: [...labels], registers: [this.registry] });
  }

  histogram({ name, help, labels = [], buckets }: MetricDescription & { buckets: readonly number[] }): Histogram<string> {
    return new Histogram<string>({ name, help, labelNames: [...labels], buckets: [...buckets], registers: [this.registry] });
  }

  /** Registers a gauge whose value is read at each scrape. */
  gauge(description: MetricDescription, collect: Collect): void {
    this.add(description, collect, (options) => {
      const metric = new Gauge<string>(options);
      return { metric, set: (value, labels) => (labels ? metric.set(labels, value) : metric.set(value)) };
    });
  }

  /** Registers a counter that is counted elsewhere and only grows. */
  count(description: MetricDescription, collect: Collect): void {
    this.add(description, collect, (options) => {
      const metric = new Counter<string>(options);
      return { metric, set: (value, labels) => (labels ? metric.inc(labels, value) : metric.inc(value)) };
    });
  }

  private add(
    { name, help, labels = [] }: MetricDescription,
    collect: Collect,
    make: (options: {
      name: string;
      help: string;
      labelNames: string[];
      registers: Registry[];
      collect: () => Promise<void>;
    }) => Omit<ReadMetric, 'collects'>,
  ): void {
    const known = this.read.get(name);
    if (known) {
      known.collects.push(collect);
      return;
    }
    const made = make({ name, help, labelNames: [...labels], registers: [this.registry], collect: () => this.readNow(name) });
    this.read.set(name, { ...made, collects: [collect] });
  }

  private async readNow(name: string): Promise<void> {
    const read = this.read.get(name);
    if (!read) return;
    read.metric.reset();
    await Promise.all(read.collects.map((collect) => this.readOne(name, collect, read.set)));
  }

  /** A value that cannot be read is left out; the others are still reported. */
  private async readOne(name: string, collect: Collect, set: ReadMetric['set']): Promise<void> {
    let late = false;
    try {
      const reading = collect((value, labels) => {
        if (!late) set(value, labels);
      });
      if (!(reading instanceof Promise)) return;
      await withTimeout(reading, READ_TIMEOUT_MS, () => new Error(`not read within ${READ_TIMEOUT_MS} ms`));
    } catch (error) {
      this.log.debug({ err: error, metric: name }, 'a metric cannot be read');
    } finally {
      late = true;
    }
  }
}
