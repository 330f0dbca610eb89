import { pause } from '@sinebar/concurrency';
import type { Database } from '@sinebar/database';
import type { Bus, StreamState } from '@sinebar/message-bus';
import type { HealthCheck } from '@sinebar/runtime';
import { FollowPositionStore } from './follow-position-store.ts';

export interface FollowLagDependencies {
  database: Database;
  bus: Pick<Bus, 'streamState'>;
  /**
   * Longest accepted lag in milliseconds, for which rights and files of deleted parts may be out of date.
   * Above it the service is not ready and does not use the mirror to decide rights.
   */
  maxAgeMs: number;
}

const LOOK_EVERY_MS = 2000;
/** Time without an answer after which the end of the stream counts as unknown. */
const BLIND_AFTER_MS = 3 * LOOK_EVERY_MS;
const TIMEOUT_MS = 5000;
/** Longest wait of a request after the start for a complete mirror. */
const START_WAIT_MS = 5000;
const START_POLL_MS = 100;

interface Sample {
  at: number;
  epoch: string;
  lastSequence: number;
}

/** Measures the lag of the part mirror behind the event stream, on every replica. */
export class FollowLag {
  private readonly database: Database;
  private readonly bus: Pick<Bus, 'streamState'>;
  private readonly maxAgeMs: number;
  private readonly createdAt = performance.now();
  private timer: NodeJS.Timeout | undefined;
  /** Observed ends of the stream that were not reached yet, oldest first. */
  private samples: Sample[] = [];
  private filled = false;
  private position: number | undefined;
  private looking: Promise<void> | undefined;
  private failedAt = -Infinity;
  /** Start of the last check that had an answer. */
  private answeredAt = -Infinity;
  /** Time up to which the mirror is known to be complete. */
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

  /** Sequence of the last followed message, if known. */
  get followed(): number | undefined {
    return this.position;
  }

  /** Lag in milliseconds; while the stream does not answer, the time since the mirror was last known to be complete. */
  lagMs(): number {
    const now = performance.now();
    const oldest = this.samples[0];
    const behindMs = oldest ? now - oldest.at : 0;
    if (now - this.answeredAt <= BLIND_AFTER_MS) return behindMs;
    return Math.max(behindMs, now - Math.max(this.provenAt, this.createdAt));
  }

  /** Whether the paths in the mirror are recent enough to decide about rights. */
  async isFresh(): Promise<boolean> {
    // The timer checks often enough, so requests do not wait one after another for a stream that does not answer.
    if (this.isYoung() || performance.now() - this.failedAt <= LOOK_EVERY_MS) return this.isYoung();
    // After a start the mirror is still catching up.
    const giveUpAt = performance.now() + (this.provenAt === -Infinity ? START_WAIT_MS : 0);
    for (;;) {
      const isAnswered = await this.look().then(
        () => true,
        () => false,
      );
      if (this.isYoung() || !isAnswered || performance.now() >= giveUpAt) return this.isYoung();
      await pause(START_POLL_MS);
    }
  }

  async health(): Promise<HealthCheck> {
    const name = 'part mirror';
    const isAnswered = await this.look().then(
      () => true,
      // Earlier observations still count; the failed dependency has a health check of its own.
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

  /** Runs one check at a time; all waiting requests share it. */
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
    // Reads the stream first: the position read after it can only be further.
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
      // Only the oldest sample counts for the lag; samples in between may be dropped.
      if (this.samples.length > 100) this.samples.splice(1, 1);
    }
  }
}
