import type { Database } from '@sinebar/database';
import type { Bus, StreamState } from '@sinebar/message-bus';
import type { HealthCheck } from '@sinebar/service-kit';
import { FollowPositionStore } from './follow-position-store.js';

/** Rights and files of deleted parts may be wrong for as long as the lag; above this the service is not ready, milliseconds. */
const MAX_LAG_MS = 30_000;
const LOOK_EVERY_MS = 2000;
const TIMEOUT_MS = 5000;

interface Sample {
  at: number;
  epoch: string;
  lastSequence: number;
}

/** How far the mirror of the parts is behind the event stream, seen by every replica, whoever follows. */
export class FollowLag {
  private readonly database: Database;
  private readonly bus: Pick<Bus, 'streamState'>;
  private timer: NodeJS.Timeout | undefined;
  /** Ends of the stream that were not yet followed when they were seen, oldest first. */
  private samples: Sample[] = [];
  private filled = false;
  private position: number | undefined;

  constructor(parts: { database: Database; bus: Pick<Bus, 'streamState'> }) {
    this.database = parts.database;
    this.bus = parts.bus;
  }

  start(): void {
    this.timer = setInterval(() => void this.look().catch(() => undefined), LOOK_EVERY_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Sequence of the last message that was followed, as far as it is known. */
  get followed(): number | undefined {
    return this.position;
  }

  /** Milliseconds; 0 when everything is followed. */
  lagMs(): number {
    const oldest = this.samples[0];
    return oldest ? performance.now() - oldest.at : 0;
  }

  async health(): Promise<HealthCheck> {
    const name = 'part mirror';
    try {
      await this.look();
    } catch {
      // What was seen before still counts; the dependency that failed has a check of its own.
    }
    if (!this.filled) return { name, healthy: false, detail: 'the parts have not been read from the inspection service yet' };
    const lagMs = Math.round(this.lagMs());
    return {
      name,
      healthy: lagMs <= MAX_LAG_MS,
      detail: lagMs === 0 ? 'follows the event stream' : `is ${lagMs} ms behind the event stream`,
    };
  }

  private async look(): Promise<void> {
    const options = { signal: AbortSignal.timeout(TIMEOUT_MS), statementTimeoutMs: TIMEOUT_MS };
    const state: StreamState = await this.bus.streamState();
    const position = await this.database.read(options, (session) => new FollowPositionStore(session).read());
    this.filled = position !== null;
    this.position = position?.sequence;
    this.samples = this.samples.filter(
      ({ epoch, lastSequence }) => epoch === state.epoch && (position?.epoch !== epoch || lastSequence > position.sequence),
    );
    const isBehind = position?.epoch !== state.epoch || position.sequence < state.lastSequence;
    const known = this.samples.at(-1);
    if (isBehind && (known?.epoch !== state.epoch || known.lastSequence < state.lastSequence)) {
      this.samples.push({ at: performance.now(), epoch: state.epoch, lastSequence: state.lastSequence });
      // Only the oldest is measured by; those in between may be thinned out.
      if (this.samples.length > 100) this.samples.splice(1, 1);
    }
  }
}
