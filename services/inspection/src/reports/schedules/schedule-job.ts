import { randomUUID } from 'node:crypto';
import { settlesWithin, type StepOutcome } from '@sinebar/concurrency';
import { ServiceError } from '@sinebar/contracts';
import { tryAdvisoryLock, type Database, type WorkOptions, type WriteSession } from '@sinebar/database';
import type { Logger } from '@sinebar/runtime';
import { afterTry } from '../../alarms/telling/jobs/after-try.ts';
import type { SubscriptionOwners } from '../../alarms/telling/subscription-owners.ts';
import { readPlantSettings } from '../../evaluation/settings/settings-service.ts';
import { BackgroundJob, BUSY } from '../../shared/background-job.ts';
import type { ReportService } from '../report-service.ts';
import type { ReportTurns } from '../writing/report-turns.ts';
import type { ReportSender } from './report-sender.ts';
import {
  claimSendings,
  deleteOldRuns,
  extendRun,
  finishRun,
  finishSending,
  hasScheduledWork,
  insertRun,
  readDueSchedules,
  setNextTime,
  takeOverRuns,
  type ClaimedRun,
  type ClaimedSending,
} from './schedule-queue.ts';
import { readSchedules } from './schedule-store.ts';
import { nextTime } from './schedule-times.ts';

export interface ScheduleJobDependencies {
  database: Database;
  owners: SubscriptionOwners;
  reports: Pick<ReportService, 'keep' | 'read'>;
  turns: Pick<ReportTurns, 'enter'>;
  sender: Pick<ReportSender, 'send'>;
  /** Days for which runs are listed. */
  keptDays: number;
  now: () => Date;
  log: Logger;
}

const STATEMENT_TIMEOUT_MS = 30_000;
/** Schedules become due by time, and by other replicas. */
const POLL: StepOutcome = { waitMs: 1000 };
/** A run whose process has ended is taken over after this time, three times at most; a running one says so earlier. */
const RUN_LEASE_MS = 60_000;
const RENEW_MS = 15_000;
const MAX_TRIES = 3;
/** A try of a message whose process has ended is repeated after this time; every try is shorter. */
const SENDING_LEASE_MS = 90_000;
const MAX_SENDING_MS = 60_000;
/** Reports, and messages, of one process at the same time. */
const MAX_RUNS = 2;
const MAX_SENDINGS = 4;
const CLEANUP_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Time in milliseconds that messages get when the process stops. */
const STOP_MS = 1000;

/**
 * Makes the reports of schedules, once for each of their times, and sends them (docs/decisions/0080-report-schedules.md).
 * A run and a try are written before they begin and their result after it: what a process leaves when it ends, another one goes on with.
 */
export class ScheduleJob extends BackgroundJob {
  private readonly deps: ScheduleJobDependencies;
  private readonly runs = new Map<string, Promise<void>>();
  private readonly sendings = new Map<string, Promise<void>>();
  /** Aborted at once when the process stops, and after a moment for messages. */
  private readonly stoppingRuns = new AbortController();
  private readonly stopping = new AbortController();
  private cleanedMs = 0;

  constructor(deps: ScheduleJobDependencies) {
    super(deps.log, 'schedules of reports could not be read; trying again');
    this.deps = deps;
  }

  async step(signal: AbortSignal): Promise<StepOutcome> {
    const { database, now } = this.deps;
    const work = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    const at = now();
    if (!(await database.read(work, (session) => hasScheduledWork(session, at)))) {
      await this.cleanUp(signal);
      return POLL;
    }
    const claimed = await database.write(work, async (session) => {
      if (!(await tryAdvisoryLock(session, 'reportSchedules'))) return undefined;
      return { runs: await this.claimRuns(session, at), sendings: await this.claimSendings(session, at) };
    });
    if (claimed === undefined) return BUSY;
    for (const run of claimed.runs) this.begin(this.runs, run.uuid, this.make(run));
    for (const sending of claimed.sendings) this.begin(this.sendings, sending.id, this.send(sending));
    return claimed.runs.length + claimed.sendings.length > 0 ? 'more' : POLL;
  }

  override async stop(): Promise<void> {
    this.stoppingRuns.abort(new Error('the service stops'));
    await super.stop();
    await settlesWithin(Promise.all(this.sendings.values()), STOP_MS);
    this.stopping.abort(new Error('the service stops'));
    await Promise.all([...this.runs.values(), ...this.sendings.values()]);
  }

  /** Takes over what other processes have left, and begins what is due: times that were missed count once, together. */
  private async claimRuns(session: WriteSession, at: Date): Promise<ClaimedRun[]> {
    const room = () => MAX_RUNS - this.runs.size - claimed.length;
    const until = new Date(at.getTime() + RUN_LEASE_MS);
    const claimed: ClaimedRun[] = [];
    if (room() > 0) claimed.push(...(await takeOverRuns(session, { now: at, until, maxTries: MAX_TRIES, limit: room() })));
    if (room() <= 0) return claimed;
    const { zone: zoneOfPlant } = await readPlantSettings(session);
    for (const { uuid, due, cron, zone } of await readDueSchedules(session, at, room())) {
      const run = { uuid: randomUUID(), scheduleUuid: uuid, due, reportUuid: randomUUID(), tries: 1 };
      const begun = await insertRun(session, run, at, until);
      if (begun) claimed.push(begun);
      await setNextTime(session, uuid, nextTime({ cron, zone: zone ?? zoneOfPlant }, at));
    }
    return claimed;
  }

  private async claimSendings(session: WriteSession, at: Date): Promise<ClaimedSending[]> {
    const limit = MAX_SENDINGS - this.sendings.size;
    if (limit <= 0) return [];
    const until = new Date(at.getTime() + SENDING_LEASE_MS);
    return claimSendings(session, { now: at, until, except: [...this.sendings.keys()], limit });
  }

  private begin(among: Map<string, Promise<void>>, id: string, work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => {
        // Another try follows after the lease.
        if (!this.stoppingRuns.signal.aborted) this.log.warn({ err: error }, 'the report of a schedule could not be made or sent');
      })
      .finally(() => {
        among.delete(id);
        this.wake();
      });
    among.set(id, done);
  }

  private async make(run: ClaimedRun): Promise<void> {
    const { database, now } = this.deps;
    const { signal } = this.stoppingRuns;
    const work = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    const keepUntil = (ms: number, options: WorkOptions = work) =>
      database.write(options, (session) => extendRun(session, run, new Date(now().getTime() + ms))).catch(() => undefined);
    const renewal = setInterval(() => void keepUntil(RUN_LEASE_MS), RENEW_MS);
    try {
      const outcome = await this.makeReport(run).catch((error: unknown) => {
        if (error instanceof ServiceError && error.code !== 'Unavailable') return { reason: error.message };
        throw error;
      });
      signal.throwIfAborted();
      if ('reason' in outcome) this.log.warn({ schedule: run.scheduleUuid, reason: outcome.reason }, 'the report of a schedule has failed');
      await database.write(work, (session) => finishRun(session, run, outcome, now()));
    } finally {
      clearInterval(renewal);
      // Another process goes on at once; without a database it does after the lease.
      if (signal.aborted) await keepUntil(0, { ...work, signal: AbortSignal.timeout(STOP_MS) });
    }
  }

  private async makeReport({ scheduleUuid, reportUuid, due }: ClaimedRun): Promise<Parameters<typeof finishRun>[2]> {
    const { database, owners, reports, turns } = this.deps;
    const work = { signal: this.stoppingRuns.signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    const [schedule] = await database.read(work, (session) => readSchedules(session, { uuid: scheduleUuid }));
    if (!schedule) return { reason: 'The schedule was deleted.' };
    const rights = owners.principalOf(schedule.owner);
    if ('paused' in rights) return { reason: PAUSED[rights.paused] };
    const { principal } = rights;
    const { template, characteristicUuids, language, options, days, receivers } = schedule.content;
    const order = {
      template,
      selection: { partUuid: schedule.partUuid, ...(characteristicUuids && { characteristicUuids }) },
      language,
      format: 'pdf' as const,
      options,
      ...(days !== undefined && { from: new Date(due.getTime() - days * DAY_MS).toISOString() }),
      to: due.toISOString(),
      keep: true,
    };
    const reader = { ...work, principal, fingerprint: 'schedule', headers: {}, readInTurn: <T>(read: () => Promise<T>) => read() };
    const leave = await turns.enter(work.signal);
    try {
      const { ended } = await reports.keep(order, reader, reportUuid);
      await ended;
    } finally {
      leave();
    }
    const { state, reason, whole } = await reports.read(reportUuid, { ...work, principal });
    if (state !== 'done') return { reason: reason ?? 'It could not be written.' };
    return { whole, sendings: receivers.map((receiver) => ({ uuid: randomUUID(), receiver })) };
  }

  private async send(sending: ClaimedSending): Promise<void> {
    const { database, sender, now } = this.deps;
    const { signal } = this.stopping;
    const result = await sender.send(sending, AbortSignal.any([signal, AbortSignal.timeout(MAX_SENDING_MS)]));
    const tried = afterTry(sending.tries, result, now());
    if (tried.state === 'failed') this.log.warn({ sending: sending.uuid, tries: sending.tries }, 'a report could not be sent');
    await database.write({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, (session) => finishSending(session, sending, tried));
  }

  private async cleanUp(signal: AbortSignal): Promise<void> {
    const at = this.deps.now();
    if (Math.abs(at.getTime() - this.cleanedMs) < CLEANUP_MS) return;
    this.cleanedMs = at.getTime();
    const before = new Date(at.getTime() - this.deps.keptDays * DAY_MS);
    await this.deps.database.write({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, (session) => deleteOldRuns(session, before));
  }
}

const PAUSED = {
  user: 'The user of the schedule is not in the access policy any more.',
  signIn: 'The user of the schedule has not signed in for too long.',
} as const;
