import type { DeliveryState } from '@sinebar/contracts';
import type { Session, WriteSession } from '@sinebar/database';
import type { StoredReceiver } from '../../alarms/telling/subscription-store.ts';

/** A report that is about to be made for a schedule. */
export interface ClaimedRun {
  uuid: string;
  scheduleUuid: string;
  due: Date;
  reportUuid: string;
  tries: number;
}

/** A message about a report that is about to be sent. */
export interface ClaimedSending {
  id: string;
  uuid: string;
  runUuid: string;
  scheduleUuid: string;
  reportUuid: string;
  due: Date;
  receiver: StoredReceiver;
  tries: number;
}

/** A schedule whose time has come. */
export interface DueSchedule {
  uuid: string;
  due: Date;
  cron: string;
  zone: string | null;
}

/** A time of a try that lies farther ahead was computed by a clock that was set back since. */
const MAX_AHEAD = `interval '8 hours'`;
const RUN_COLUMNS = `uuid, schedule_uuid AS "scheduleUuid", due_at AS due, report_uuid AS "reportUuid", tries`;

/** Whether there is something to make or to send. */
export async function hasScheduledWork(session: Session, now: Date): Promise<boolean> {
  const [row] = await session.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM report_schedule WHERE next_at <= $1)
       OR EXISTS (SELECT FROM report_run WHERE state = 'running' AND until_at <= $1)
       OR EXISTS (SELECT FROM report_sending WHERE state IN ('waiting', 'sending') AND (next_at <= $1 OR next_at > $1::timestamptz + ${MAX_AHEAD}))
       AS found`,
    [now],
    { name: 'report-has-work' },
  );
  return row?.found === true;
}

/** Finds schedules whose time has come. */
export function readDueSchedules(session: WriteSession, now: Date, limit: number): Promise<DueSchedule[]> {
  return session.query<DueSchedule & Record<string, unknown>>(
    `SELECT uuid, next_at AS due, content -> 'when' ->> 'cron' AS cron, content -> 'when' ->> 'zone' AS zone FROM report_schedule
     WHERE next_at <= $1 ORDER BY next_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
    [now, limit],
  );
}

export async function setNextTime(session: WriteSession, uuid: string, next: Date | undefined): Promise<void> {
  await session.query('UPDATE report_schedule SET next_at = $2 WHERE uuid = $1', [uuid, next ?? null]);
}

/** Begins a run. @param until when its process is given up. @returns undefined where there is one of that time */
export async function insertRun(
  session: WriteSession,
  { uuid, scheduleUuid, due, reportUuid, tries }: ClaimedRun,
  now: Date,
  until: Date,
): Promise<ClaimedRun | undefined> {
  const [run] = await session.query<ClaimedRun & Record<string, unknown>>(
    `INSERT INTO report_run (uuid, schedule_uuid, due_at, state, reason, report_uuid, tries, started_at, until_at)
     VALUES ($1, $2, $3, 'running', '', $4, $5, $6, $7) ON CONFLICT (schedule_uuid, due_at) DO NOTHING RETURNING ${RUN_COLUMNS}`,
    [uuid, scheduleUuid, due, reportUuid, tries, now, until],
  );
  return run;
}

/** Takes over runs whose process has ended; those that were tried often enough fail. */
export async function takeOverRuns(
  session: WriteSession,
  { now, until, maxTries, limit }: { now: Date; until: Date; maxTries: number; limit: number },
): Promise<ClaimedRun[]> {
  await session.query(
    `UPDATE report_run SET state = 'failed', reason = 'The process that made it has ended, at each try.', finished_at = $1
     WHERE state = 'running' AND until_at <= $1 AND tries >= $2`,
    [now, maxTries],
  );
  return session.query<ClaimedRun & Record<string, unknown>>(
    `UPDATE report_run SET tries = tries + 1, until_at = $2 WHERE uuid IN
       (SELECT uuid FROM report_run WHERE state = 'running' AND until_at <= $1 ORDER BY due_at LIMIT $3) RETURNING ${RUN_COLUMNS}`,
    [now, until, limit],
  );
}

/** Keeps a run while its process works. */
export async function extendRun(session: WriteSession, { uuid, tries }: ClaimedRun, until: Date): Promise<void> {
  await session.query(`UPDATE report_run SET until_at = $3 WHERE uuid = $1 AND tries = $2 AND state = 'running'`, [uuid, tries, until]);
}

/** Ends a run, and lists what is to be sent of its report. Does nothing where another process has taken it over. */
export async function finishRun(
  session: WriteSession,
  { uuid, tries }: ClaimedRun,
  outcome: { whole: boolean; sendings: readonly { uuid: string; receiver: StoredReceiver }[] } | { reason: string },
  now: Date,
): Promise<void> {
  const done = 'whole' in outcome;
  const finished = await session.execute(
    `UPDATE report_run SET state = $3, reason = $4, is_whole = $5, finished_at = $6 WHERE uuid = $1 AND tries = $2 AND state = 'running'`,
    [uuid, tries, done ? 'done' : 'failed', done ? '' : outcome.reason, done ? outcome.whole : null, now],
  );
  if (finished === 0 || !done) return;
  for (const sending of outcome.sendings) {
    await session.query(
      `INSERT INTO report_sending (uuid, run_uuid, receiver, state, tries, next_at, answer) VALUES ($1, $2, $3, 'waiting', 0, $4, '')`,
      [sending.uuid, uuid, JSON.stringify(sending.receiver), now],
    );
  }
}

/** Takes messages whose time has come. @param until time at which a try is given up whose process has ended */
export function claimSendings(
  session: WriteSession,
  { now, until, except, limit }: { now: Date; until: Date; except: readonly string[]; limit: number },
): Promise<ClaimedSending[]> {
  return session.query<ClaimedSending & Record<string, unknown>>(
    `UPDATE report_sending AS s SET state = 'sending', tries = s.tries + 1, tried_at = $1, next_at = $2 FROM report_run AS r
     WHERE r.uuid = s.run_uuid AND s.id IN (SELECT id FROM report_sending WHERE state IN ('waiting', 'sending')
       AND (next_at <= $1 OR next_at > $1::timestamptz + ${MAX_AHEAD}) AND id <> ALL($3::bigint[]) ORDER BY next_at LIMIT $4)
     RETURNING s.id::text AS id, s.uuid, s.run_uuid AS "runUuid", r.schedule_uuid AS "scheduleUuid", r.report_uuid AS "reportUuid",
       r.due_at AS due, s.receiver, s.tries`,
    [now, until, except, limit],
  );
}

/** Writes the result of a try, unless another one has begun since. */
export async function finishSending(
  session: WriteSession,
  { id, tries }: ClaimedSending,
  { state, answer, nextAt, finishedAt }: { state: DeliveryState; answer: string; nextAt: Date; finishedAt: Date | null },
): Promise<void> {
  await session.query(
    `UPDATE report_sending SET state = $3, answer = $4, next_at = $5, finished_at = $6 WHERE id = $1 AND tries = $2 AND state = 'sending'`,
    [id, tries, state, answer, nextAt, finishedAt],
  );
}

/** Deletes runs that ended before a time, with what was sent. */
export async function deleteOldRuns(session: WriteSession, before: Date): Promise<void> {
  await session.query(
    `DELETE FROM report_sending WHERE state NOT IN ('waiting', 'sending') AND run_uuid IN
       (SELECT uuid FROM report_run WHERE finished_at < $1)`,
    [before],
  );
  await session.query(
    'DELETE FROM report_run r WHERE finished_at < $1 AND NOT EXISTS (SELECT FROM report_sending s WHERE s.run_uuid = r.uuid)',
    [before],
  );
}
