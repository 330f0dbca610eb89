import { withTimeout } from '@sinebar/concurrency';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Logger } from '../logger.js';

export type Labels = Readonly<Record<string, string>>;
/** Gives the value at this moment, of each combination of labels. */
export type Collect = (set: (value: number, labels?: Labels) => void) => void | Promise<void>;

export interface MetricDescription {
  name: string;
  /** One sentence, with the unit. */
  help: string;
  /** Names of labels, whose values are few and never come from a client. */
  labels?: readonly string[];
}

interface ReadMetric {
  metric: { reset(): void };
  collects: Collect[];
  set: (value: number, labels?: Labels) => void;
}

/** A value that takes longer is left out: whoever reads the metrics waits about ten seconds for all of them, milliseconds. */
const READ_TIMEOUT_MS = 2000;

/** What a process tells about itself, to be read by Prometheus: one for each process, made only where somebody can read it. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #log: Logger;
  /** By name: several services in one process tell the same, each with its own label. */
  readonly #read = new Map<string, ReadMetric>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** The registry, for what registers itself. */
  get registry(): Registry {
    return this.#registry;
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Everything in the text format of Prometheus. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  counter({ name, help, labels = [] }: MetricDescription): Counter {
    return new Counter({ name, help, labelNames: [...labels], registers: [this.#registry] });
  }

  histogram({ name, help, labels = [], buckets }: MetricDescription & { buckets: readonly number[] }): Histogram {
    return new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers: [this.#registry] });
  }

  /** A value that is looked up when somebody reads it, and costs nothing until then. */
  gauge(description: MetricDescription, collect: Collect): void {
    this.#add(description, collect, (options) => {
      const metric: Gauge = new Gauge(options);
      return { metric, set: (value, labels) => (labels ? metric.set(labels, value) : metric.set(value)) };
    });
  }

  /** As {@link gauge}, of something that is counted elsewhere and only grows. */
  count(description: MetricDescription, collect: Collect): void {
    this.#add(description, collect, (options) => {
      const metric: Counter = new Counter(options);
      return { metric, set: (value, labels) => (labels ? metric.inc(labels, value) : metric.inc(value)) };
    });
  }

  #add(
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
    const known = this.#read.get(name);
    if (known) {
      known.collects.push(collect);
      return;
    }
    const made = make({ name, help, labelNames: [...labels], registers: [this.#registry], collect: () => this.#readNow(name) });
    this.#read.set(name, { ...made, collects: [collect] });
  }

  async #readNow(name: string): Promise<void> {
    const read = this.#read.get(name);
    if (!read) return;
    read.metric.reset();
    await Promise.all(read.collects.map((collect) => this.#readOne(name, collect, read.set)));
  }

  /** One value that cannot be had leaves a gap of its own and does not take the others with it. */
  async #readOne(name: string, collect: Collect, set: ReadMetric['set']): Promise<void> {
    let late = false;
    try {
      const reading = collect((value, labels) => {
        if (!late) set(value, labels);
      });
      if (!(reading instanceof Promise)) return;
      await withTimeout(reading, READ_TIMEOUT_MS, () => new Error(`not read within ${READ_TIMEOUT_MS} ms`));
    } catch (error) {
      this.#log.debug({ err: error, metric: name }, 'a metric cannot be read');
    } finally {
      late = true;
    }
  }
}
