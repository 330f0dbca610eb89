import { randomUUID } from 'node:crypto';
import { settlesWithin, type StepOutcome } from '@sinebar/concurrency';
import { tryAdvisoryLock, type Database, type WriteSession } from '@sinebar/database';
import type { Logger } from '@sinebar/runtime';
import { BackgroundJob, BUSY } from '../../../shared/background-job.ts';
import type { StoredReceiver } from '../subscription-store.ts';
import {
  claimDeliveries,
  deleteOldDeliveries,
  finishTry,
  hasWork,
  insertDelivery,
  readDueDeliveries,
  readDueSubscriptions,
  takeDue,
  type ClaimedDelivery,
  type DueDelivery,
} from './delivery-queue.ts';
import { afterTry } from './after-try.ts';
import { takeTurn } from './message-rate.ts';
import type { MessageSender } from './message-sender.ts';

export interface DeliveryJobDependencies {
  database: Database;
  sender: Pick<MessageSender, 'send'>;
  now: () => Date;
  log: Logger;
}

/** A try whose process has ended is repeated after this time; every try is shorter. */
const LEASE_MS = 90_000;
const MAX_TRY_MS = 60_000;
/** Tries of one process at the same time, and to the same receiver: one that is slow holds up nobody else. */
const LIMITS = { mail: 8, webhook: 32, host: 4 } as const;
const SUBSCRIPTIONS_PER_STEP = 200;
const STATEMENT_TIMEOUT_MS = 30_000;
const CLEANUP_MS = 3_600_000;
/** Time in milliseconds that running tries get when the process stops. */
const STOP_MS = 1000;
/** Messages become due by time, and by other replicas. */
const POLL: StepOutcome = { waitMs: 500 };

interface Running {
  /** Host of a webhook; empty for mail. */
  host: string;
  done: Promise<void>;
}

/**
 * Collects due alarms into messages and sends them.
 * A try is written before it begins and its result after it, so a message arrives at least once, always with the same uuid.
 */
export class DeliveryJob extends BackgroundJob {
  private readonly deps: DeliveryJobDependencies;
  private readonly running = new Map<string, Running>();
  private readonly stopping = new AbortController();
  private cleanedMs = 0;

  constructor(deps: DeliveryJobDependencies) {
    super(deps.log, 'messages about alarms could not be collected; trying again');
    this.deps = deps;
  }

  async step(signal: AbortSignal): Promise<StepOutcome> {
    const { database, now } = this.deps;
    const work = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    const at = now();
    if (!(await database.read(work, (session) => hasWork(session, at)))) {
      await this.cleanUp(signal);
      return POLL;
    }
    const claimed = await database.write(work, (session) => this.claim(session, at));
    if (claimed === undefined) return BUSY;
    for (const { delivery, host } of claimed) this.begin(delivery, host);
    return claimed.length > 0 ? 'more' : POLL;
  }

  override async stop(): Promise<void> {
    await super.stop();
    const tries = Promise.all([...this.running.values()].map(({ done }) => done));
    await settlesWithin(tries, STOP_MS);
    this.stopping.abort(new Error('the service stops'));
    await tries;
  }

  private async claim(session: WriteSession, at: Date): Promise<{ delivery: ClaimedDelivery; host: string }[] | undefined> {
    if (!(await tryAdvisoryLock(session, 'alarmDeliveries'))) return undefined;
    await this.collect(session, at);
    const chosen = this.choose(await readDueDeliveries(session, at, [...this.running.keys()]));
    if (chosen.size === 0) return [];
    const claimed = await claimDeliveries(session, [...chosen.keys()], at, new Date(at.getTime() + LEASE_MS));
    return claimed.map((delivery) => ({ delivery, host: chosen.get(delivery.id) ?? '' }));
  }

  /** Makes one message of everything that is due for a subscription. */
  private async collect(session: WriteSession, at: Date): Promise<void> {
    for (const subscription of await readDueSubscriptions(session, at, SUBSCRIPTIONS_PER_STEP)) {
      const { id: subscriptionId, receiver, isFailing, rateAt: before } = subscription;
      const rateAt = takeTurn(receiver, isFailing, before ?? undefined, at);
      if (!rateAt) continue;
      const alarmIds = await takeDue(session, subscription, at);
      if (alarmIds.length > 0) await insertDelivery(session, { uuid: randomUUID(), subscriptionId, alarmIds, at, rateAt });
    }
  }

  /** Chooses the messages for which there is room. @returns hosts by the ids of messages */
  private choose(due: readonly DueDelivery[]): Map<string, string> {
    const hosts = [...this.running.values()].map(({ host }) => host);
    const chosen = new Map<string, string>();
    for (const { id, receiver } of due) {
      const host = hostOf(receiver);
      const isMail = host === '';
      const alike = hosts.filter((other) => (other === '') === isMail);
      if (alike.length >= (isMail ? LIMITS.mail : LIMITS.webhook)) continue;
      if (!isMail && alike.filter((other) => other === host).length >= LIMITS.host) continue;
      hosts.push(host);
      chosen.set(id, host);
    }
    return chosen;
  }

  private begin(delivery: ClaimedDelivery, host: string): void {
    const done = this.attempt(delivery)
      .catch((error: unknown) => {
        // The try is repeated after its lease.
        if (!this.stopping.signal.aborted)
          this.log.warn({ err: error, delivery: delivery.uuid }, 'a message about alarms could not be sent');
      })
      .finally(() => {
        this.running.delete(delivery.id);
        this.wake();
      });
    this.running.set(delivery.id, { host, done });
  }

  private async attempt(delivery: ClaimedDelivery): Promise<void> {
    const { database, sender, now } = this.deps;
    const { signal } = this.stopping;
    const { state, answer } = await sender.send(delivery, AbortSignal.any([signal, AbortSignal.timeout(MAX_TRY_MS)]));
    const tried = afterTry(delivery.tries, { state, answer }, now());
    if (tried.state === 'failed') this.log.warn({ delivery: delivery.uuid, tries: delivery.tries }, 'a message about alarms has failed');
    await database.write({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, (session) => finishTry(session, delivery, tried));
  }

  private async cleanUp(signal: AbortSignal): Promise<void> {
    const at = this.deps.now();
    if (Math.abs(at.getTime() - this.cleanedMs) < CLEANUP_MS) return;
    this.cleanedMs = at.getTime();
    await this.deps.database.write({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, (session) => deleteOldDeliveries(session, at));
  }
}

function hostOf(receiver: StoredReceiver): string {
  return receiver.kind === 'email' ? '' : new URL(receiver.url).host;
}
