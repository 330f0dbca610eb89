import { backoffMs, BackgroundLoop, Notifier, pause, type StepOutcome } from '@sinebar/concurrency';
import { advisoryKey, type Database, type Session } from '@sinebar/database';
import type { Bus, Subscription } from '@sinebar/message-bus';
import type { Logger } from '@sinebar/runtime';
import { followedChange, type ChangeApplier, type PassedMessage } from './change-applier.ts';
import { FollowPositionStore } from './follow-position-store.ts';
import type { MirrorRefill } from './mirror-refill.ts';

export interface FollowerDependencies {
  database: Database;
  bus: Pick<Bus, 'consume'>;
  applier: ChangeApplier;
  refill: MirrorRefill;
  log: Logger;
}

const TIMES = { standBy: 1000, keepAlive: 5000, idleSave: 1000, firstRetry: 100, longestRetry: 10_000, statement: 10_000 };
/** Most messages in memory before the stream has to wait. */
const MAX_WAITING = 1000;
/** Most messages of one transaction. */
const MAX_BATCH = 500;

/**
 * Follows the event stream and applies changes of parts and of other targets of files.
 * One replica leads, the holder of an advisory lock; another continues when it ends.
 * Messages are applied in batches, because one transaction for each would make the import of many parts slow.
 */
export class PartFollower {
  private readonly deps: FollowerDependencies;
  private readonly loop: BackgroundLoop;

  constructor(deps: FollowerDependencies) {
    this.deps = deps;
    this.loop = new BackgroundLoop({
      step: async () => {
        // Does not use the stop signal: the lock has to be released on the same connection.
        const options = { signal: new AbortController().signal, statementTimeoutMs: TIMES.statement };
        await deps.database.read(options, (session) => this.leadIfFree(session));
        return 'nothing';
      },
      intervalMs: TIMES.standBy,
      onFailure: (error) => deps.log.warn({ err: error }, 'following the parts was interrupted; it begins again'),
    });
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async leadIfFree(session: Session): Promise<void> {
    const [row] = await session.query<{ locked: boolean }>(`SELECT pg_try_advisory_lock(${advisoryKey('partFollower')}) AS locked`);
    if (row?.locked !== true) return;
    try {
      await this.lead(session);
    } finally {
      await session.query(`SELECT pg_advisory_unlock(${advisoryKey('partFollower')})`);
    }
  }

  private async lead(session: Session): Promise<void> {
    const ended = new AbortController();
    const signal = AbortSignal.any([this.loop.signal, ended.signal]);
    const position = await new FollowPositionStore(session).read();
    const queue = new MessageQueue(this.deps.applier, this.deps.log, signal);
    let subscription: Subscription | undefined;
    try {
      subscription = await this.deps.bus.consume({
        name: 'raw-data-parts',
        position,
        handle: (message) => queue.push(message),
        onSkipped: (position) => queue.push({ position }),
        onGap: async (state) => {
          await queue.empty();
          await this.deps.refill.run(state, signal);
        },
      });
      // The server releases the lock when the connection ends; until then no other replica leads.
      while (!signal.aborted) {
        await pause(TIMES.keepAlive, signal);
        await session.query('SELECT 1');
      }
    } finally {
      ended.abort();
      const emptied = queue.stop();
      await subscription?.stop();
      await emptied;
    }
  }
}

/** Queue of messages between the stream and the transactions that apply them. */
class MessageQueue {
  private readonly applier: ChangeApplier;
  private readonly signal: AbortSignal;
  private readonly loop: BackgroundLoop;
  private readonly progress = new Notifier();
  private waiting: PassedMessage[] = [];
  private unsaved: PassedMessage | undefined;
  private savedAt = performance.now();

  constructor(applier: ChangeApplier, log: Logger, signal: AbortSignal) {
    this.applier = applier;
    this.signal = signal;
    const retryMs = (failures: number) => backoffMs(failures, TIMES.firstRetry, TIMES.longestRetry);
    this.loop = new BackgroundLoop({
      step: (stopped) => this.step(stopped),
      intervalMs: TIMES.keepAlive,
      retryMs,
      onFailure: (error, failures) =>
        log.warn(
          { err: error, sequence: this.waiting[0]?.position.sequence, retryMs: retryMs(failures) },
          'a change of the parts could not be followed; it is tried again',
        ),
    });
    this.loop.start();
  }

  /** Resolves when nothing runs any more. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  /**
   * Resolves when there is room for more.
   * Messages that are not applied when the process ends are delivered again: the stored position is before them.
   */
  async push(message: PassedMessage): Promise<void> {
    this.waiting.push(message);
    this.loop.wake();
    await this.until(() => this.waiting.length < MAX_WAITING);
  }

  /** Resolves when all messages are applied. Discards an unsaved position: the caller sets a newer one. */
  async empty(): Promise<void> {
    await this.until(() => this.waiting.length === 0);
    this.unsaved = undefined;
  }

  private async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      this.signal.throwIfAborted();
      await this.progress.waitFor(this.progress.version, this.signal);
    }
  }

  private async step(signal: AbortSignal): Promise<StepOutcome> {
    const saveInMs = this.savedAt + TIMES.idleSave - performance.now();
    if (this.waiting.length === 0) {
      if (!this.unsaved) return 'nothing';
      if (saveInMs > 0) return { waitMs: saveInMs };
      this.waiting.push(this.unsaved);
    }
    const messages = this.waiting.slice(0, MAX_BATCH);
    // Many messages change nothing here; saving the position of each would cost a transaction.
    if (messages.some(isFollowed) || saveInMs <= 0) {
      await this.applier.apply(messages, signal);
      this.savedAt = performance.now();
      this.unsaved = undefined;
    } else {
      this.unsaved = messages.at(-1);
    }
    this.waiting.splice(0, messages.length);
    this.progress.notify();
    return 'more';
  }
}

function isFollowed({ envelope }: PassedMessage): boolean {
  return envelope !== undefined && followedChange(envelope) !== undefined;
}
