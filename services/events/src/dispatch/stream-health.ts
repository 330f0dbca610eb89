import type { Bus } from '@sinebar/message-bus';
import type { HealthCheck } from '@sinebar/runtime';
import type { EventDispatcher } from './event-dispatcher.ts';

/** Time behind without progress after which the gateway is unhealthy. */
const STUCK_AFTER_MS = 30_000;

/** Reports whether the stream is followed and how far the live clients lag. */
export class StreamHealth {
  private behindSince: { sequence: number; atMs: number } | undefined;
  private readonly bus: Pick<Bus, 'status' | 'streamState'>;
  private readonly dispatcher: Pick<EventDispatcher, 'position' | 'state'>;
  private readonly nowMs: () => number;

  constructor(bus: Pick<Bus, 'status' | 'streamState'>, dispatcher: Pick<EventDispatcher, 'position' | 'state'>, nowMs: () => number) {
    this.bus = bus;
    this.dispatcher = dispatcher;
    this.nowMs = nowMs;
  }

  async check(): Promise<HealthCheck[]> {
    const { connected, description } = this.bus.status();
    return [{ name: 'message bus', healthy: connected, detail: description }, await this.checkStream(connected)];
  }

  private async checkStream(connected: boolean): Promise<HealthCheck> {
    const name = 'event stream';
    const { position, state } = this.dispatcher;
    if (state !== 'running' || !position) return { name, healthy: false, detail: `the subscription is ${state}` };
    if (!connected) return { name, healthy: false, detail: `stopped behind message ${position.sequence}` };
    try {
      const { epoch, lastSequence } = await this.bus.streamState();
      const behind = epoch === position.epoch ? Math.max(0, lastSequence - position.sequence) : lastSequence;
      const stuckMs = this.stuckMs(position.sequence, behind);
      return { name, healthy: stuckMs < STUCK_AFTER_MS, detail: `followed up to message ${position.sequence}, ${behind} behind` };
    } catch (error) {
      return { name, healthy: false, detail: error instanceof Error ? error.message : 'the state of the stream cannot be read' };
    }
  }

  /** Returns how long the dispatcher has been behind at the same message, milliseconds, as far as observed. */
  private stuckMs(sequence: number, behind: number): number {
    if (behind === 0) {
      this.behindSince = undefined;
      return 0;
    }
    if (this.behindSince?.sequence !== sequence) this.behindSince = { sequence, atMs: this.nowMs() };
    return this.nowMs() - this.behindSince.atMs;
  }
}
