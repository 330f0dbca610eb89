import type { Principal } from '@sinebar/access-control';
import { Notifier } from '@sinebar/concurrency';
import type { StreamMessage } from '@sinebar/message-bus';
import { Audience } from '../audience/audience.ts';

/** Watch of one reader of the feed. */
export interface ChangeWatch {
  /**
   * Waits until a change that the reader may see is dispatched after message `sequence`.
   * @returns false after the time-out or {@link ChangeWaiters.releaseAll}. @throws the signal's reason on abort
   */
  behind(sequence: number, timeoutMs: number, signal: AbortSignal): Promise<boolean>;
  /** Ends the watch; call it after the last wait. */
  stop(): void;
}

interface Watcher {
  /** Sequence of the last message of which the reader may see a part. */
  last: number;
  woken: Notifier;
}

/** Readers of the feed that wait for changes. Rights are evaluated once per set of rights and message, as for sockets. */
export class ChangeWaiters {
  private readonly audience = new Audience();
  private readonly rooms = new Map<string, Set<Watcher>>();
  private readonly watchers = new Set<Watcher>();

  watch(principal: Principal): ChangeWatch {
    const room = this.audience.enter(principal, []);
    const watcher: Watcher = { last: 0, woken: new Notifier() };
    const members = this.rooms.get(room) ?? new Set<Watcher>();
    this.rooms.set(room, members.add(watcher));
    this.watchers.add(watcher);
    return {
      behind: (sequence, timeoutMs, signal) => wait(watcher, sequence, timeoutMs, signal),
      stop: () => {
        if (!this.watchers.delete(watcher)) return;
        members.delete(watcher);
        if (members.size === 0) this.rooms.delete(room);
        this.audience.leave(principal, []);
      },
    };
  }

  deliver({ envelope, position }: StreamMessage): void {
    if (this.watchers.size === 0) return;
    for (const { rooms } of this.audience.deliveries(envelope)) {
      for (const watcher of rooms.flatMap((room) => [...(this.rooms.get(room) ?? [])])) {
        watcher.last = position.sequence;
        watcher.woken.notify();
      }
    }
  }

  /** Ends every wait: the stream was replaced, rights have changed, or the process stops. */
  releaseAll(): void {
    for (const watcher of this.watchers) watcher.woken.notify();
  }
}

async function wait(watcher: Watcher, sequence: number, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted();
  if (watcher.last > sequence) return true;
  await watcher.woken.waitFor(watcher.woken.version, signal, timeoutMs);
  signal.throwIfAborted();
  return watcher.last > sequence;
}
