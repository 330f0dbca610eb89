import type { Bus } from '@sinebar/message-bus';
import type { EventDispatcher } from './event-dispatcher.js';

/** An interruption shorter than this is not worth a word to clients, milliseconds. */
const WORTH_TELLING_MS = 1_000;

/** Tells when events stop coming because the broker is away, and when they come again. */
export class OutageWatch {
  private readonly bus: Pick<Bus, 'status'>;
  private readonly dispatcher: Pick<EventDispatcher, 'state'>;
  private readonly nowMs: () => number;
  private awaySinceMs: number | undefined;
  private told = false;

  constructor(bus: Pick<Bus, 'status'>, dispatcher: Pick<EventDispatcher, 'state'>, nowMs: () => number) {
    this.bus = bus;
    this.dispatcher = dispatcher;
    this.nowMs = nowMs;
  }

  /** Clients have been told of an outage that is not over. */
  get isDegraded(): boolean {
    return this.told;
  }

  /** To be called several times in a second. @returns what clients are to be told now */
  look(): 'Degraded' | 'Restored' | undefined {
    if (this.bus.status().connected && this.dispatcher.state === 'running') {
      this.awaySinceMs = undefined;
      if (!this.told) return undefined;
      this.told = false;
      return 'Restored';
    }
    this.awaySinceMs ??= this.nowMs();
    if (this.told || this.nowMs() - this.awaySinceMs < WORTH_TELLING_MS) return undefined;
    this.told = true;
    return 'Degraded';
  }
}
