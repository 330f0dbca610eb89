import type { DeliveryState, ReportRunState, ReportSchedule } from '@sinebar/contracts';
import { joinSql, rawSql, sql, type Session, type Sql, type WriteSession } from '@sinebar/database';
import type { Owner, StoredReceiver } from '../../alarms/telling/subscription-store.ts';

/** Members that a schedule keeps as they were written. */
export interface ScheduleContent extends Pick<ReportSchedule, 'template' | 'language' | 'options' | 'days' | 'when' | 'enabled'> {
  characteristicUuids?: string[] | undefined;
  receivers: StoredReceiver[];
}

export interface Schedule {
  id: string;
  uuid: string;
  owner: Owner;
  name: string;
  partUuid: string;
  /** Stored and marked path of the part; `null` when there is none. */
  path: string | null;
  markedPath: string | null;
  content: ScheduleContent;
  createdAt: Date;
  nextAt: Date | null;
}

interface ScheduleRow extends Omit<Schedule, 'owner'>, Record<string, unknown> {
  owner: string;
  ownerName: string | null;
  claims: Record<string, unknown> | null;
  seenAt: Date | null;
}

const COLUMNS = rawSql(`s.id::text AS id, s.uuid, s.owner, o.name AS "ownerName", o.claims, o.seen_at AS "seenAt", s.name,
  s.part_uuid AS "partUuid", part.path, part.marked_path AS "markedPath", s.content, s.created_at AS "createdAt", s.next_at AS "nextAt"`);
const TABLES = rawSql(`report_schedule s LEFT JOIN alarm_owner o ON o.user_key = s.owner
  LEFT JOIN plan_item part ON part.uuid = s.part_uuid AND part.kind = 'part'`);

/** Reads schedules in the order in which they were made. @param owner user key; `undefined` for those of all users */
export async function readSchedules(
  session: Session,
  { owner, uuid }: { owner?: string | undefined; uuid?: string } = {},
): Promise<Schedule[]> {
  const conditions: Sql[] = [sql`true`];
  if (owner !== undefined) conditions.push(sql`s.owner = ${owner}`);
  if (uuid !== undefined) conditions.push(sql`s.uuid = ${uuid}::uuid`);
  const rows = await session.query<ScheduleRow>(sql`SELECT ${COLUMNS} FROM ${TABLES} WHERE ${joinSql(conditions, ' AND ')} ORDER BY s.id`);
  return rows.map(({ owner: userKey, ownerName, claims, seenAt, ...row }) => ({
    ...row,
    owner: { userKey, name: ownerName ?? '', claims, seenAt: seenAt ?? row.createdAt },
  }));
}

/** Locks a schedule that exists until the transaction ends. */
export async function lockSchedule(session: WriteSession, uuid: string): Promise<void> {
  await session.query('SELECT FROM report_schedule WHERE uuid = $1 FOR UPDATE', [uuid]);
}

/** A schedule as it is written. */
export interface WrittenSchedule extends Pick<Schedule, 'uuid' | 'name' | 'partUuid' | 'content' | 'nextAt'> {
  owner: string;
  createdAt: Date;
}

/** @returns false if there is a schedule with the uuid */
export async function insertSchedule(session: WriteSession, written: WrittenSchedule): Promise<boolean> {
  const { uuid, owner, name, partUuid, content, createdAt, nextAt } = written;
  const inserted = await session.execute(
    `INSERT INTO report_schedule (uuid, owner, name, part_uuid, content, created_at, next_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (uuid) DO NOTHING`,
    [uuid, owner, name, partUuid, JSON.stringify(content), createdAt, nextAt],
  );
  return inserted === 1;
}

export async function updateSchedule(
  session: WriteSession,
  { uuid, name, partUuid, content, nextAt }: Omit<WrittenSchedule, 'owner' | 'createdAt'>,
): Promise<void> {
  await session.query('UPDATE report_schedule SET name = $2, part_uuid = $3, content = $4, next_at = $5 WHERE uuid = $1', [
    uuid,
    name,
    partUuid,
    JSON.stringify(content),
    nextAt,
  ]);
}

/** Deletes a schedule with its runs; reports that were kept stay. */
export async function deleteSchedule(session: WriteSession, uuid: string): Promise<void> {
  await session.query('DELETE FROM report_sending WHERE run_uuid IN (SELECT uuid FROM report_run WHERE schedule_uuid = $1)', [uuid]);
  await session.query('DELETE FROM report_run WHERE schedule_uuid = $1', [uuid]);
  await session.query('DELETE FROM report_schedule_secret WHERE schedule_uuid = $1', [uuid]);
  await session.query('DELETE FROM report_schedule WHERE uuid = $1', [uuid]);
}

export async function countSchedules(session: Session, owner: string): Promise<number> {
  const [row] = await session.query<{ count: number }>('SELECT count(*)::int AS count FROM report_schedule WHERE owner = $1', [owner]);
  return row?.count ?? 0;
}

export async function writeScheduleSecret(session: WriteSession, uuid: string, secret: string): Promise<void> {
  await session.query(
    `INSERT INTO report_schedule_secret (schedule_uuid, secret) VALUES ($1, $2)
     ON CONFLICT (schedule_uuid) DO UPDATE SET secret = EXCLUDED.secret`,
    [uuid, secret],
  );
}

export async function readScheduleSecret(session: Session, uuid: string): Promise<string | undefined> {
  const [row] = await session.query<{ secret: string }>('SELECT secret FROM report_schedule_secret WHERE schedule_uuid = $1', [uuid]);
  return row?.secret;
}

/** A run with what was sent of its report. */
export interface StoredRun {
  uuid: string;
  due: Date;
  state: ReportRunState;
  reason: string;
  reportUuid: string;
  whole: boolean | null;
  started: Date;
  finished: Date | null;
  sent: StoredSending[];
}

/** Times are as JSON has them. */
interface StoredSending {
  receiver: StoredReceiver;
  state: DeliveryState;
  tries: number;
  lastTry: string | null;
  nextTry: string;
  finished: string | null;
  answer: string;
}

/** Reads runs of a schedule, the newest first. */
export function readRuns(session: Session, scheduleUuid: string, limit: number): Promise<StoredRun[]> {
  return session.query<StoredRun & Record<string, unknown>>(
    `SELECT r.uuid, r.due_at AS due, r.state, r.reason, r.report_uuid AS "reportUuid", r.is_whole AS whole, r.started_at AS started,
       r.finished_at AS finished, (SELECT coalesce(json_agg(json_build_object('receiver', s.receiver, 'state', s.state, 'tries', s.tries,
         'lastTry', s.tried_at, 'nextTry', s.next_at, 'finished', s.finished_at, 'answer', s.answer) ORDER BY s.id), '[]')
         FROM report_sending s WHERE s.run_uuid = r.uuid) AS sent
     FROM report_run r WHERE r.schedule_uuid = $1 ORDER BY r.due_at DESC, r.id DESC LIMIT $2`,
    [scheduleUuid, limit],
  );
}
