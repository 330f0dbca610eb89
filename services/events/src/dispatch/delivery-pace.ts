import { pause } from '@sinebar/concurrency';

/** Maximum messages of one burst: so many short events fit into the buffer of a connection. */
const BURST_MESSAGES = 100;
/** A shorter burst leaves enough time for other work, milliseconds. */
const SHORT_BURST_MS = 3;
const MAX_REST_MS = 50;

/**
 * Leaves half of the time of a busy process to other work than deliveries.
 * After a burst of deliveries it rests as long as the burst has lasted. The messages that arrive meanwhile are the next burst, whose events
 * go out in few writes: the more wait, the less each of them costs.
 */
export class DeliveryPace {
  private readonly nowMs: () => number;
  private isBurst = false;
  private burstMessages = 0;
  private restUntilMs = -Infinity;

  constructor(nowMs: () => number = () => performance.now()) {
    this.nowMs = nowMs;
  }

  /** Returns `undefined` if the next message may be delivered now, otherwise a promise that resolves when it may, or on abort. */
  turn(signal: AbortSignal): Promise<void> | undefined {
    if (this.isBurst ? this.burstMessages < BURST_MESSAGES : this.nowMs() >= this.restUntilMs) {
      this.count();
      return undefined;
    }
    return this.rest(signal);
  }

  private async rest(signal: AbortSignal): Promise<void> {
    while (this.isBurst && !signal.aborted) await nextTurnOfLoop();
    await pause(this.restUntilMs - this.nowMs(), signal);
    this.count();
  }

  private count(): void {
    if (!this.isBurst) {
      this.isBurst = true;
      this.burstMessages = 0;
      const begunMs = this.nowMs();
      // Behind the writes of the burst, which are made in this turn of the event loop.
      setImmediate(() => this.end(begunMs));
    }
    this.burstMessages += 1;
  }

  private end(begunMs: number): void {
    const now = this.nowMs();
    this.isBurst = false;
    const lastedMs = now - begunMs;
    this.restUntilMs = lastedMs < SHORT_BURST_MS ? now : now + Math.min(lastedMs, MAX_REST_MS);
  }
}

function nextTurnOfLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
