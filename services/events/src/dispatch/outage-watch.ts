import type { Bus } from '@sinebar/message-bus';
import type { EventDispatcher } from './event-dispatcher.ts';

/** Minimum length of an outage that is reported to clients, milliseconds. */
const REPORTED_FROM_MS = 1_000;

/** Detects when the broker becomes unreachable and when it returns. */
export class OutageWatch {
  private readonly bus: Pick<Bus, 'status'>;
  private readonly dispatcher: Pick<EventDispatcher, 'state'>;
  private readonly nowMs: () => number;
  private awaySinceMs: number | undefined;
  private isReported = false;

  constructor(bus: Pick<Bus, 'status'>, dispatcher: Pick<EventDispatcher, 'state'>, nowMs: () => number) {
    this.bus = bus;
    this.dispatcher = dispatcher;
    this.nowMs = nowMs;
  }

  /** True while clients know of an outage that is not over. */
  get isDegraded(): boolean {
    return this.isReported;
  }

  /** Checks the broker; call it several times per second. @returns the event to send to clients now */
  look(): 'Degraded' | 'Restored' | undefined {
    if (this.bus.status().connected && this.dispatcher.state === 'running') {
      this.awaySinceMs = undefined;
      if (!this.isReported) return undefined;
      this.isReported = false;
      return 'Restored';
    }
    this.awaySinceMs ??= this.nowMs();
    if (this.isReported || this.nowMs() - this.awaySinceMs < REPORTED_FROM_MS) return undefined;
    this.isReported = true;
    return 'Degraded';
  }
}
