import type { Database } from '@sinebar/database';
import type { Bus, StreamState } from '@sinebar/message-bus';
import type { HealthCheck } from '@sinebar/runtime';
import { FollowPositionStore } from './follow-position-store.js';

export interface FollowLagDependencies {
  database: Database;
  bus: Pick<Bus, 'streamState'>;
  /** Rights and files of deleted parts may be wrong for as long as the lag; above this the service is not ready, and the mirror decides no rights. */
  maxAgeMs: number;
}

const LOOK_EVERY_MS = 2000;
/** Without an answer for this long it is not known any more how far the stream has got. */
const BLIND_AFTER_MS = 3 * LOOK_EVERY_MS;
const TIMEOUT_MS = 5000;
/** How long a request waits for a mirror that was not complete yet since the process started. */
const START_WAIT_MS = 5000;
const START_POLL_MS = 100;

interface Sample {
  at: number;
  epoch: string;
  lastSequence: number;
}

/** How far the mirror of the parts is behind the event stream, seen by every replica, whoever follows. */
export class FollowLag {
  private readonly database: Database;
  private readonly bus: Pick<Bus, 'streamState'>;
  private readonly maxAgeMs: number;
  private readonly createdAt = performance.now();
  private timer: NodeJS.Timeout | undefined;
  /** Ends of the stream that were not yet followed when they were seen, oldest first. */
  private samples: Sample[] = [];
  private filled = false;
  private position: number | undefined;
  private looking: Promise<void> | undefined;
  /** When the last look failed. */
  private failedAt = -Infinity;
  /** When the last look began that had an answer. */
  private answeredAt = -Infinity;
  /** Time up to which the mirror holds the whole stream. */
  private provenAt = -Infinity;

  constructor({ database, bus, maxAgeMs }: FollowLagDependencies) {
    this.database = database;
    this.bus = bus;
    this.maxAgeMs = maxAgeMs;
  }

  start(): void {
    const look = () => void this.look().catch(() => undefined);
    this.timer = setInterval(look, LOOK_EVERY_MS);
    this.timer.unref();
    look();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Sequence of the last message that was followed, as far as it is known. */
  get followed(): number | undefined {
    return this.position;
  }

  /** Milliseconds; 0 when everything is followed. While the stream cannot be asked, the time since the mirror was last known to hold all of it. */
  lagMs(): number {
    const now = performance.now();
    const oldest = this.samples[0];
    const behindMs = oldest ? now - oldest.at : 0;
    if (now - this.answeredAt <= BLIND_AFTER_MS) return behindMs;
    return Math.max(behindMs, now - Math.max(this.provenAt, this.createdAt));
  }

  /** Whether the paths in the mirror are young enough to decide about rights. */
  async isFresh(): Promise<boolean> {
    // Requests must not wait, one after another, for a stream that does not answer: the timer looks often enough.
    if (this.isYoung() || performance.now() - this.failedAt <= LOOK_EVERY_MS) return this.isYoung();
    // At the start the mirror is being brought up to date.
    const giveUpAt = performance.now() + (this.provenAt === -Infinity ? START_WAIT_MS : 0);
    for (;;) {
      const isAnswered = await this.look().then(
        () => true,
        () => false,
      );
      if (this.isYoung() || !isAnswered || performance.now() >= giveUpAt) return this.isYoung();
      await new Promise((resolve) => setTimeout(resolve, START_POLL_MS));
    }
  }

  async health(): Promise<HealthCheck> {
    const name = 'part mirror';
    const isAnswered = await this.look().then(
      () => true,
      // What was seen before still counts; the dependency that failed has a check of its own.
      () => false,
    );
    if (!this.filled) return { name, healthy: false, detail: 'the parts have not been read from the inspection service yet' };
    const lagMs = Math.round(this.lagMs());
    const ageMs = Math.round(performance.now() - this.provenAt);
    if (!isAnswered)
      return { name, healthy: ageMs <= this.maxAgeMs, detail: `cannot see the event stream; was at its end ${ageMs} ms ago` };
    return {
      name,
      healthy: lagMs <= this.maxAgeMs,
      detail: lagMs === 0 ? 'follows the event stream' : `is ${lagMs} ms behind the event stream`,
    };
  }

  private isYoung(): boolean {
    return performance.now() - this.provenAt <= this.maxAgeMs;
  }

  /** One at a time: requests that wait for a look wait for the same one. */
  private look(): Promise<void> {
    this.looking ??= this.lookOnce()
      .catch((error: unknown) => {
        this.failedAt = performance.now();
        throw error;
      })
      .finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async lookOnce(): Promise<void> {
    const at = performance.now();
    const options = { signal: AbortSignal.timeout(TIMEOUT_MS), statementTimeoutMs: TIMEOUT_MS };
    // In this order: what is followed by then was in the stream before.
    const state: StreamState = await this.bus.streamState();
    const position = await this.database.read(options, (session) => new FollowPositionStore(session).read());
    this.answeredAt = at;
    this.filled = position !== null;
    this.position = position?.sequence;
    const isFollowed = ({ epoch, lastSequence }: Pick<Sample, 'epoch' | 'lastSequence'>) =>
      position?.epoch === epoch && position.sequence >= lastSequence;
    for (const sample of this.samples) if (isFollowed(sample)) this.provenAt = Math.max(this.provenAt, sample.at);
    this.samples = this.samples.filter((sample) => sample.epoch === state.epoch && !isFollowed(sample));
    if (isFollowed(state)) {
      this.provenAt = at;
      return;
    }
    const known = this.samples.at(-1);
    if (known?.epoch !== state.epoch || known.lastSequence < state.lastSequence) {
      this.samples.push({ at, epoch: state.epoch, lastSequence: state.lastSequence });
      // Only the oldest is measured by; those in between may be thinned out.
      if (this.samples.length > 100) this.samples.splice(1, 1);
    }
  }
}
