import type { AlarmKind, AlarmState } from '@sinebar/contracts';
import { columnsOf, type Session, type WriteSession } from '@sinebar/database';
import { isToldIn } from '../../raised-alarms.ts';

/** A step of an alarm that subscribers may be told. */
export interface Notice {
  id: string;
  state: AlarmState;
  alarmId: string;
  /** Absent for an alarm that was deleted, and one that is not told. */
  told: { kind: AlarmKind; raisedAt: Date; /** Stored path of the part. */ path: string } | undefined;
}

export interface DueAlarm {
  subscriptionId: string;
  alarmId: string;
  dueAt: Date;
}

export async function hasNotices(session: Session): Promise<boolean> {
  return (await session.query('SELECT FROM alarm_notice LIMIT 1', [], { name: 'alarm-has-notices' })).length > 0;
}

/** Reads the oldest notices. */
export async function readNotices(session: Session, limit: number): Promise<Notice[]> {
  const rows = await session.query<{
    id: string;
    state: AlarmState;
    alarmId: string;
    kind: AlarmKind | null;
    raisedAt: Date | null;
    path: string | null;
    isTold: boolean | null;
  }>(
    // Without conditions on alarms, of which PostgreSQL expects too few to pass, and without a name, which keeps a plan for few alarms:
    // both plans read all alarms for each notice.
    `SELECT n.id::text AS id, n.state, n.alarm_id::text AS "alarmId", alarm.kind, alarm.raised_at AS "raisedAt", part.path,
       NOT alarm.is_muted AND NOT alarm.is_old AND ${isToldIn('message')} AS "isTold"
     FROM alarm_notice n LEFT JOIN alarm ON alarm.id = n.alarm_id LEFT JOIN plan_item part ON part.id = alarm.part_id
     ORDER BY n.id LIMIT $1`,
    [limit],
  );
  return rows.map(({ kind, raisedAt, path, isTold, ...notice }) => ({
    ...notice,
    told: isTold && kind !== null && raisedAt && path !== null ? { kind, raisedAt, path } : undefined,
  }));
}

export async function deleteNotices(session: WriteSession, ids: readonly string[]): Promise<void> {
  await session.query('DELETE FROM alarm_notice WHERE id = ANY($1::bigint[])', [ids]);
}

/** Adds alarms that are to be told. One that was told or is to be told already stays as it is. */
export async function insertDue(session: WriteSession, due: readonly DueAlarm[]): Promise<void> {
  if (due.length === 0) return;
  await session.query(
    `INSERT INTO alarm_due (subscription_id, alarm_id, due_at) SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[])
     ON CONFLICT (subscription_id, alarm_id) DO NOTHING`,
    columnsOf(due, 'subscriptionId', 'alarmId', 'dueAt'),
  );
}
