import type { StepOutcome } from '@sinebar/concurrency';
import { tryAdvisoryLock, type Database, type WriteSession } from '@sinebar/database';
import type { Logger } from '@sinebar/runtime';
import { readPlantSettings } from '../../../evaluation/settings/settings-service.ts';
import { BackgroundJob, BUSY } from '../../../shared/background-job.ts';
import type { SubscriptionOwners } from '../subscription-owners.ts';
import { readSubscriptions, type Subscription } from '../subscription-store.ts';
import { dueAt, WallClock } from './due-time.ts';
import { deleteNotices, hasNotices, insertDue, readNotices, type DueAlarm, type Notice } from './notice-store.ts';

export interface NoticeJobDependencies {
  database: Database;
  owners: SubscriptionOwners;
  /** Called after alarms became due. */
  onDue: () => void;
  now: () => Date;
  log: Logger;
}

const NOTICES_PER_STEP = 1000;
const MAX_DUE_PER_STATEMENT = 10_000;
const STATEMENT_TIMEOUT_MS = 30_000;
/** Another replica may have raised an alarm and ended. */
const POLL: StepOutcome = { waitMs: 500 };
const MINUTE_MS = 60_000;

/** Finds for each raised alarm the subscriptions that are to tell it, and when. One replica works at a time. */
export class NoticeJob extends BackgroundJob {
  private readonly deps: NoticeJobDependencies;

  constructor(deps: NoticeJobDependencies) {
    super(deps.log, 'the subscribers of alarms could not be found; trying again');
    this.deps = deps;
  }

  async step(signal: AbortSignal): Promise<StepOutcome> {
    const { database, onDue } = this.deps;
    const work = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    if (!(await database.read(work, hasNotices))) return POLL;
    const { outcome, count } = await database.write(work, (session) => this.take(session));
    if (count > 0) onDue();
    return outcome;
  }

  private async take(session: WriteSession): Promise<{ outcome: StepOutcome; count: number }> {
    if (!(await tryAdvisoryLock(session, 'alarmNotices'))) return { outcome: BUSY, count: 0 };
    const notices = await readNotices(session, NOTICES_PER_STEP);
    const raised = notices.filter(({ state, told }) => state === 'raised' && told !== undefined);
    const due = raised.length === 0 ? [] : await this.findDue(session, raised);
    for (let i = 0; i < due.length; i += MAX_DUE_PER_STATEMENT) await insertDue(session, due.slice(i, i + MAX_DUE_PER_STATEMENT));
    await deleteNotices(
      session,
      notices.map(({ id }) => id),
    );
    return { outcome: notices.length === 0 ? POLL : 'more', count: due.length };
  }

  private async findDue(session: WriteSession, raised: readonly Notice[]): Promise<DueAlarm[]> {
    const subscriptions = await readSubscriptions(session);
    if (subscriptions.length === 0) return [];
    const clock = new WallClock((await readPlantSettings(session)).zone);
    return subscriptions.flatMap((subscription) => this.dueOf(subscription, raised, clock));
  }

  private dueOf(subscription: Subscription, raised: readonly Notice[], clock: WallClock): DueAlarm[] {
    const { owners, now } = this.deps;
    const rights = owners.rightsFor(subscription);
    if ('paused' in rights) return [];
    const { id: subscriptionId, path, kinds, escalateMinutes } = subscription;
    const readable = rights.principal.scopeOf('measurement:read');
    const nowMs = now().getTime();
    const dueNow = new Date(dueAt(nowMs, subscription, clock));
    return raised.flatMap(({ alarmId, told }) => {
      if (!told || path === null || !told.path.startsWith(path) || !kinds.includes(told.kind) || !readable.includes(told.path)) return [];
      if (escalateMinutes === null) return [{ subscriptionId, alarmId, dueAt: dueNow }];
      // A clock that was set back must not make the time of an escalation longer.
      const raisedMs = Math.min(told.raisedAt.getTime(), nowMs);
      return [{ subscriptionId, alarmId, dueAt: new Date(dueAt(raisedMs + escalateMinutes * MINUTE_MS, subscription, clock)) }];
    });
  }
}
