import { advisoryKey, type Database, type Session } from '@sinebar/database';
import type { Bus, Subscription } from '@sinebar/message-bus';
import type { Logger } from '@sinebar/runtime';
import { followedChange, type ChangeApplier, type PassedMessage } from './change-applier.js';
import { FollowPositionStore } from './follow-position-store.js';
import type { MirrorRefill } from './mirror-refill.js';

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
  private readonly stopping = new AbortController();
  private loop: Promise<void> | undefined;

  constructor(deps: FollowerDependencies) {
    this.deps = deps;
  }

  start(): void {
    this.loop ??= this.standBy();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  private async standBy(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        // Does not use the stop signal: the lock has to be released on the same connection.
        await this.deps.database.read({ signal: new AbortController().signal, statementTimeoutMs: TIMES.statement }, (session) =>
          this.leadIfFree(session),
        );
      } catch (error) {
        if (!signal.aborted) this.deps.log.warn({ err: error }, 'following the event stream was interrupted and starts again');
      }
      await pause(TIMES.standBy, signal);
    }
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
    const signal = AbortSignal.any([this.stopping.signal, ended.signal]);
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
      await subscription?.stop();
      await queue.ended;
    }
  }
}

/** Queue of messages between the stream and the transactions that apply them. */
class MessageQueue {
  /** Resolves after an abort, when all work has ended. */
  readonly ended: Promise<void>;
  private readonly applier: ChangeApplier;
  private readonly log: Logger;
  private readonly signal: AbortSignal;
  private waiting: PassedMessage[] = [];
  private unsaved: PassedMessage | undefined;
  private wake: () => void = () => undefined;
  private readonly onProgress = new Set<() => void>();

  constructor(applier: ChangeApplier, log: Logger, signal: AbortSignal) {
    this.applier = applier;
    this.log = log;
    this.signal = signal;
    this.ended = this.drain();
  }

  /**
   * Resolves when there is room for more.
   * Messages that are not applied when the process ends are delivered again: the stored position is before them.
   */
  async push(message: PassedMessage): Promise<void> {
    this.waiting.push(message);
    this.wake();
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
      await new Promise<void>((resolve) => {
        const go = () => {
          this.onProgress.delete(go);
          this.signal.removeEventListener('abort', go);
          resolve();
        };
        this.onProgress.add(go);
        this.signal.addEventListener('abort', go, { once: true });
      });
    }
  }

  private async drain(): Promise<void> {
    let retryMs = TIMES.firstRetry;
    let savedAt = performance.now();
    while (!this.signal.aborted) {
      if (this.waiting.length === 0) {
        await this.rest();
        if (this.waiting.length === 0 && this.unsaved) this.waiting.push(this.unsaved);
        if (this.waiting.length === 0) continue;
      }
      const messages = this.waiting.slice(0, MAX_BATCH);
      try {
        // Many messages change nothing here; saving the position of each would cost a transaction.
        if (messages.some(isFollowed) || performance.now() - savedAt >= TIMES.idleSave) {
          await this.applier.apply(messages, this.signal);
          savedAt = performance.now();
          this.unsaved = undefined;
        } else {
          this.unsaved = messages.at(-1);
        }
        this.waiting.splice(0, messages.length);
        retryMs = TIMES.firstRetry;
      } catch (error) {
        if (this.signal.aborted) return;
        this.log.warn({ err: error, sequence: messages[0]?.position.sequence, retryMs }, 'an event could not be applied and is retried');
        await pause(retryMs, this.signal);
        retryMs = Math.min(retryMs * 2, TIMES.longestRetry);
      }
      for (const go of [...this.onProgress]) go();
    }
  }

  /** Waits for the next message; not long if a position has to be saved. */
  private async rest(): Promise<void> {
    const woken = new AbortController();
    this.wake = () => woken.abort();
    const signal = AbortSignal.any([this.signal, woken.signal]);
    await pause(this.unsaved ? TIMES.idleSave : 2 ** 30, signal);
    this.wake = () => undefined;
  }
}

function isFollowed({ envelope }: PassedMessage): boolean {
  return envelope !== undefined && followedChange(envelope) !== undefined;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
