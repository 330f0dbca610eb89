import { Notifier } from './notifier.js';
import { pause } from './waiting.js';

/** Result of one step: `more` to do at once, nothing before the interval has passed, or something to look at again after `waitMs`. */
export type StepOutcome = 'more' | 'nothing' | { waitMs: number };

export interface BackgroundLoopOptions {
  /** One piece of work. The signal is aborted when the loop is stopped. */
  step: (signal: AbortSignal) => Promise<StepOutcome>;
  /** Wait between two looks when there is nothing to do and nobody calls `wake`, milliseconds. */
  intervalMs: number;
  /** Wait after so many failures in a row, milliseconds, which `wake` does not shorten. Unless given, a failed step waits like one that found nothing. */
  retryMs?: (failures: number) => number;
  /** Not called for failures after `stop`. @param failures how many there were in a row */
  onFailure: (error: unknown, failures: number) => void;
}

/** Takes steps in the background while there is something to do, looks for more in intervals and when it is woken. Only `stop` ends it. */
export class BackgroundLoop {
  readonly #options: BackgroundLoopOptions;
  readonly #stopping = new AbortController();
  readonly #woken = new Notifier();
  readonly #counts = { taken: 0, failed: 0 };
  #running: Promise<void> | undefined;

  constructor(options: BackgroundLoopOptions) {
    this.#options = options;
  }

  /** Aborted by `stop`. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Steps that found something to do. */
  get stepCount(): number {
    return this.#counts.taken;
  }

  get failureCount(): number {
    return this.#counts.failed;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** There may be something to do: the next step begins at once, if the loop has been started. */
  wake(): void {
    this.#woken.notify();
  }

  /** Resolves when the running step has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the service stops'));
    await this.#running;
  }

  async #run(): Promise<void> {
    const { step, intervalMs, retryMs, onFailure } = this.#options;
    const { signal } = this.#stopping;
    let failures = 0;
    while (!signal.aborted) {
      // Read before the step looks: a call of `wake` from then on begins another step.
      const { version } = this.#woken;
      let waitMs = intervalMs;
      try {
        const outcome = await step(signal);
        failures = 0;
        if (outcome === 'more') {
          this.#counts.taken += 1;
          continue;
        }
        if (outcome !== 'nothing') ({ waitMs } = outcome);
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        this.#counts.failed += 1;
        onFailure(error, failures);
        if (retryMs) {
          await pause(retryMs(failures), signal);
          continue;
        }
      }
      await this.#wait(version, waitMs);
    }
  }

  /** Ends after `ms`, with a call of `wake` since `version`, or when the loop is stopped. */
  async #wait(version: number, ms: number): Promise<void> {
    const ended = new AbortController();
    const { signal } = this.#stopping;
    const stop = () => ended.abort();
    signal.addEventListener('abort', stop, { once: true });
    const timer = setTimeout(stop, ms);
    try {
      await this.#woken.waitFor(version, signal.aborted ? signal : ended.signal);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }
}
