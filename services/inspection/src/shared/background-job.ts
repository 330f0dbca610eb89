import type { Logger } from '@sinebar/runtime';

/** What one step found: `more` to do at once, work that somebody else is `busy` with, or nothing. */
export type StepOutcome = 'more' | 'busy' | 'nothing';

/** Between two looks for work that a replica has left behind, milliseconds. */
const INTERVAL_MS = 30_000;
/** Pause while another replica or request does the work, milliseconds. */
const BUSY_MS = 1000;

/** Takes steps in the background while there is something to do, and looks for more in intervals and when it is woken. */
export abstract class BackgroundJob {
  protected readonly log: Logger;
  private readonly failure: string;
  private readonly controller = new AbortController();
  private running: Promise<void> | undefined;
  private wanted = false;
  private readonly counts = { taken: 0, failed: 0 };
  private endPause: (() => void) | undefined;

  /** @param failure what the log says when a step fails; the next one comes after the usual interval */
  constructor(log: Logger, failure: string) {
    this.log = log;
    this.failure = failure;
  }

  /** One short transaction. */
  abstract step(signal: AbortSignal): Promise<StepOutcome>;

  /** Steps that found something to do. */
  get stepCount(): number {
    return this.counts.taken;
  }

  get failureCount(): number {
    return this.counts.failed;
  }

  start(): void {
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.controller.abort(new Error('the service stops'));
    this.endPause?.();
    await this.running;
  }

  /** There is something to do: begins at once, if the job has been started. */
  wake(): void {
    this.wanted = true;
    this.endPause?.();
  }

  private async run(): Promise<void> {
    while (!this.controller.signal.aborted) {
      this.wanted = false;
      await this.pause(await this.steps());
    }
  }

  /** @returns the milliseconds after which to look again */
  private async steps(): Promise<number> {
    const { signal } = this.controller;
    try {
      for (;;) {
        const outcome = await this.step(signal);
        if (outcome === 'busy') return BUSY_MS;
        if (outcome === 'nothing') return INTERVAL_MS;
        this.counts.taken += 1;
      }
    } catch (error) {
      if (signal.aborted) return INTERVAL_MS;
      this.counts.failed += 1;
      this.log.warn({ err: error }, this.failure);
      return INTERVAL_MS;
    }
  }

  private async pause(ms: number): Promise<void> {
    if (this.wanted || this.controller.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.endPause = undefined;
  }
}
