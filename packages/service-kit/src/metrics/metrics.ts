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

/** What a process tells about itself, to be read by Prometheus: one for each process, made only where somebody can read it. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #log: Logger;

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
  gauge({ name, help, labels = [] }: MetricDescription, collect: Collect): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [this.#registry],
      collect: () => this.#read(name, collect, gauge, (value, given) => (given ? gauge.set(given, value) : gauge.set(value))),
    });
  }

  /** As {@link gauge}, of something that is counted elsewhere and only grows. */
  count({ name, help, labels = [] }: MetricDescription, collect: Collect): void {
    const counter: Counter = new Counter({
      name,
      help,
      labelNames: [...labels],
      registers: [this.#registry],
      collect: () => this.#read(name, collect, counter, (value, given) => (given ? counter.inc(given, value) : counter.inc(value))),
    });
  }

  /** One value that cannot be had leaves a gap of its own and does not take the others with it. */
  async #read(name: string, collect: Collect, metric: { reset(): void }, set: Parameters<Collect>[0]): Promise<void> {
    metric.reset();
    try {
      await collect(set);
    } catch (error) {
      this.#log.debug({ err: error, metric: name }, 'a metric cannot be read');
    }
  }
}
