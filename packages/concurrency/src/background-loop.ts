import { Notifier } from './notifier.ts';
import { pause } from './waiting.ts';

/** Result of a step: `more` continues at once, `nothing` after the interval, `waitMs` after that time. */
export type StepOutcome = 'more' | 'nothing' | { waitMs: number };

export interface BackgroundLoopOptions {
  /** Runs one step. The signal is aborted when the loop is stopped. */
  step: (signal: AbortSignal) => Promise<StepOutcome>;
  /** Milliseconds between checks for work without a call of `wake`. */
  intervalMs: number;
  /** Returns the wait in milliseconds after consecutive failures; by default the interval. */
  retryMs?: (failures: number) => number;
  /** Whether `wake` shortens the wait of `retryMs`; by default not. */
  isRetryWoken?: boolean;
  /** Not called for failures after `stop`. @param failures consecutive failures */
  onFailure: (error: unknown, failures: number) => void;
}

/** Runs steps in the background while there is work; checks for work in intervals and when it is woken. Only `stop` ends it. */
export class BackgroundLoop {
  private readonly options: BackgroundLoopOptions;
  private readonly stopping = new AbortController();
  private readonly woken = new Notifier();
  private readonly counts = { taken: 0, failed: 0 };
  private running: Promise<void> | undefined;

  constructor(options: BackgroundLoopOptions) {
    this.options = options;
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Number of steps that found work. */
  get stepCount(): number {
    return this.counts.taken;
  }

  get failureCount(): number {
    return this.counts.failed;
  }

  start(): void {
    this.running ??= this.run();
  }

  /** Starts the next step at once, if the loop has been started. */
  wake(): void {
    this.woken.notify();
  }

  /** Resolves when the running step has ended. */
  async stop(): Promise<void> {
    this.stopping.abort(new Error('the service stops'));
    await this.running;
  }

  private async run(): Promise<void> {
    const { step, intervalMs, retryMs, isRetryWoken = false, onFailure } = this.options;
    const { signal } = this.stopping;
    let failures = 0;
    while (!signal.aborted) {
      // Read before the step, so that a later call of `wake` starts another step.
      const { version } = this.woken;
      let waitMs = intervalMs;
      try {
        const outcome = await step(signal);
        failures = 0;
        if (outcome === 'more') {
          this.counts.taken += 1;
          continue;
        }
        if (outcome !== 'nothing') ({ waitMs } = outcome);
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        this.counts.failed += 1;
        onFailure(error, failures);
        if (retryMs) waitMs = retryMs(failures);
        if (retryMs && !isRetryWoken) {
          await pause(waitMs, signal);
          continue;
        }
      }
      await this.woken.waitFor(version, signal, waitMs);
    }
  }
}
