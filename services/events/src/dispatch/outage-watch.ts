import type { Bus } from '@sinebar/message-bus';
import type { EventDispatcher } from './event-dispatcher.js';

/** Minimum length of an outage that clients are told about, milliseconds. */
const WORTH_TELLING_MS = 1_000;

/** Detects when the broker becomes unreachable and when it returns. */
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

  /** True while clients know of an outage that is not over. */
  get isDegraded(): boolean {
    return this.told;
  }

  /** Checks the broker; call it several times per second. @returns the event to send to clients now */
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
