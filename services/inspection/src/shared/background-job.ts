import { BackgroundLoop, backoffMs, type StepOutcome } from '@sinebar/concurrency';
import type { Logger } from '@sinebar/runtime';

/** Interval in milliseconds between checks for work of a replica that has ended. */
const INTERVAL_MS = 30_000;
/** Wait after a failed step, which is often a connection that broke; doubled with each failure up to the interval. */
const FIRST_RETRY_MS = 500;
/** Result of a step while another replica or request does the work. */
export const BUSY: StepOutcome = { waitMs: 1000 };

/** Runs short transactions in the background, one after another while there is work. */
export abstract class BackgroundJob {
  protected readonly log: Logger;
  private readonly loop: BackgroundLoop;

  /** @param failure log message for a failed step */
  constructor(log: Logger, failure: string) {
    this.log = log;
    this.loop = new BackgroundLoop({
      step: (signal) => this.step(signal),
      intervalMs: INTERVAL_MS,
      retryMs: (failures) => backoffMs(failures, FIRST_RETRY_MS, INTERVAL_MS),
      isRetryWoken: true,
      onFailure: (error) => log.warn({ err: error }, failure),
    });
  }

  abstract step(signal: AbortSignal): Promise<StepOutcome>;

  /** Number of steps that found work. */
  get stepCount(): number {
    return this.loop.stepCount;
  }

  get failureCount(): number {
    return this.loop.failureCount;
  }

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
  }

  /** Starts the next step at once, if the job has been started. */
  wake(): void {
    this.loop.wake();
  }
}
