import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Limits the time that callers together take from one turn of the event loop, so that many answers that become ready in one turn do not
 * delay everything else.
 */
export class TurnLimit {
  private readonly limitMs: number;
  private readonly now: () => number;
  /** Time at which the first caller of the present turn began. */
  private startedAt: number | undefined;

  /** @param now current time in milliseconds */
  constructor(limitMs: number, now: () => number = () => performance.now()) {
    this.limitMs = limitMs;
    this.now = now;
  }

  /** Resolves at once while the present turn has time left, else in a later turn. */
  async wait(): Promise<void> {
    for (;;) {
      if (this.startedAt === undefined) {
        this.startedAt = this.now();
        setImmediate(() => (this.startedAt = undefined));
        return;
      }
      if (this.now() - this.startedAt < this.limitMs) return;
      await nextTurn();
    }
  }
}
