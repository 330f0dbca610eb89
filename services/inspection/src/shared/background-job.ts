import { BackgroundLoop, type StepOutcome } from '@sinebar/concurrency';
import type { Logger } from '@sinebar/runtime';

/** Between two looks for work that a replica has left behind, milliseconds. */
const INTERVAL_MS = 30_000;
/** Result of a step while another replica or request does the work. */
export const BUSY: StepOutcome = { waitMs: 1000 };

/** Short transactions in the background, one step after another while there is something to do. */
export abstract class BackgroundJob {
  protected readonly log: Logger;
  private readonly loop: BackgroundLoop;

  /** @param failure what the log says when a step fails; the next one comes after the usual interval */
  constructor(log: Logger, failure: string) {
    this.log = log;
    this.loop = new BackgroundLoop({
      step: (signal) => this.step(signal),
      intervalMs: INTERVAL_MS,
      onFailure: (error) => log.warn({ err: error }, failure),
    });
  }

  /** One short transaction. */
  abstract step(signal: AbortSignal): Promise<StepOutcome>;

  /** Steps that found something to do. */
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

  /** There is something to do: begins at once, if the job has been started. */
  wake(): void {
    this.loop.wake();
  }
}
