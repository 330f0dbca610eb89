import type { PathScope } from '@sinebar/access-control';
import type { Alarm, AlarmKind, AlarmState, AlarmStep } from '@sinebar/contracts';
import { joinSql, pathCondition, rawSql, sql, type Session, type Sql, type WriteSession } from '@sinebar/database';
import { IS_OPEN, isToldIn, type ToldIn } from './raised-alarms.ts';

/** An alarm with what a change needs to know. */
export interface StoredAlarm {
  id: string;
  alarm: Alarm;
  part: { id: number; uuid: string; /** Stored path. */ path: string };
  characteristicId: number | null;
  /** Rule and chart; empty for other kinds. */
  rule: string;
  chart: string;
}

export interface AlarmSelection {
  ids?: readonly string[] | undefined;
  states?: readonly AlarmState[] | undefined;
  kinds?: readonly AlarmKind[] | undefined;
  partUuid?: string | undefined;
  characteristicUuid?: string | undefined;
  /** Alarms of what is at and below these paths only. */
  below?: PathScope | undefined;
  /** ISO 8601; times at which alarms were raised. */
  from?: string | undefined;
  to?: string | undefined;
  /** Whether subscribers are told: neither during a planned stop, nor of what was measured too long ago. */
  told?: boolean | undefined;
  /** Alarms that are still to be told in such a message only. */
  toldIn?: ToldIn | undefined;
}

export interface AlarmPage extends AlarmSelection {
  limit: number;
  offset: number;
}

interface AlarmRow extends Record<string, unknown> {
  id: string;
  uuid: string;
  state: AlarmState;
  kind: AlarmKind;
  rule: string;
  chart: string;
  partId: number;
  partUuid: string;
  partPath: string;
  storedPath: string;
  characteristicId: number | null;
  characteristicUuid: string | null;
  characteristicPath: string | null;
  raised: Date;
  first: Date | null;
  last: Date | null;
  points: number;
  measurementUuid: string | null;
  value: number | null;
  detail: Pick<Alarm, 'limits' | 'before' | 'after'>;
  owner: string;
  reaction: string;
  muted: boolean;
  old: boolean;
  acknowledgedBy: string;
  acknowledged: Date | null;
  closedBy: string;
  closed: Date | null;
  cause: number | null;
  causeText: string | null;
  action: number | null;
  actionText: string | null;
  note: string;
}

const COLUMNS = rawSql(`alarm.id::text AS id, alarm.uuid, alarm.state, alarm.kind, alarm.rule, alarm.chart, part.id AS "partId",
  part.uuid AS "partUuid", part.marked_path AS "partPath", part.path AS "storedPath", alarm.characteristic_id AS "characteristicId",
  item.uuid AS "characteristicUuid", item.marked_path AS "characteristicPath", alarm.raised_at AS raised, alarm.first_at AS first,
  alarm.last_at AS last, alarm.point_count AS points, m.uuid AS "measurementUuid", alarm.last_value AS value, alarm.detail, alarm.owner,
  alarm.reaction, alarm.is_muted AS muted, alarm.is_old AS old, alarm.acknowledged_by AS "acknowledgedBy",
  alarm.acknowledged_at AS acknowledged, alarm.closed_by AS "closedBy", alarm.closed_at AS closed, alarm.cause,
  alarm.cause_text AS "causeText", alarm.action, alarm.action_text AS "actionText", alarm.note`);
const PART = rawSql('alarm JOIN plan_item part ON part.id = alarm.part_id LEFT JOIN plan_item item ON item.id = alarm.characteristic_id');
const MEASUREMENT = rawSql('LEFT JOIN measurement m ON m.id = alarm.last_measurement_id');

/** Reads alarms, the newest first. @param readable paths of the parts whose alarms may be read */
export async function readAlarms(session: Session, readable: PathScope, { limit, offset, ...selection }: AlarmPage): Promise<Alarm[]> {
  const rows = await session.query<AlarmRow>(
    sql`SELECT ${COLUMNS} FROM ${PART} ${MEASUREMENT} WHERE ${conditionOf(readable, selection)}
      ORDER BY alarm.raised_at DESC, alarm.id DESC LIMIT ${limit}::int OFFSET ${offset}::int`,
  );
  return rows.map((row) => storedAlarm(row).alarm);
}

/** Counts alarms. @param readable paths of the parts whose alarms may be read */
export async function countAlarms(session: Session, readable: PathScope, selection: AlarmSelection): Promise<number> {
  const [row] = await session.query<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM ${PART} WHERE ${conditionOf(readable, selection)}`,
  );
  return row?.count ?? 0;
}

/** Finds alarms. @returns them by their uuids */
export async function findAlarms(session: Session, uuids: readonly string[]): Promise<ReadonlyMap<string, StoredAlarm>> {
  const rows = await session.query<AlarmRow>(sql`SELECT ${COLUMNS} FROM ${PART} ${MEASUREMENT} WHERE alarm.uuid = ANY(${uuids}::uuid[])`);
  return new Map(rows.map((row) => [row.uuid, storedAlarm(row)]));
}

/** Whether values of parts that the caller may read are still to be judged. */
export async function isJudgingPending(
  session: Session,
  readable: PathScope,
  { partUuid, characteristicUuid, below }: Pick<AlarmSelection, 'partUuid' | 'characteristicUuid' | 'below'>,
): Promise<boolean> {
  const conditions: Sql[] = [pathCondition(readable, 'part.path')];
  if (partUuid !== undefined) conditions.push(sql`part.uuid = ${partUuid}::uuid`);
  if (characteristicUuid !== undefined)
    conditions.push(sql`part.id = (SELECT part_id FROM plan_item WHERE uuid = ${characteristicUuid}::uuid)`);
  if (below !== undefined) conditions.push(pathCondition(below, 'part.path'));
  const [row] = await session.query<{ pending: boolean }>(
    sql`SELECT EXISTS (SELECT FROM alarm_change JOIN plan_item part ON part.id = alarm_change.part_id
      WHERE ${joinSql(conditions, ' AND ')}) AS pending`,
  );
  return row?.pending === true;
}

/** Reads the uuids of the measurements of an alarm's points, the oldest first. */
export async function readPointMeasurements(session: Session, id: string): Promise<string[]> {
  const rows = await session.query<{ uuid: string }>(
    `SELECT m.uuid FROM alarm_point point JOIN measurement m ON m.id = point.measurement_id WHERE point.alarm_id = $1
     ORDER BY m.measured_at NULLS FIRST, m.id`,
    [id],
    { name: 'alarm-point-measurements' },
  );
  return rows.map(({ uuid }) => uuid);
}

/** Reads the steps of an alarm, the oldest first. */
export async function readSteps(session: Session, id: string): Promise<AlarmStep[]> {
  const rows = await session.query<{
    state: AlarmState;
    at: Date;
    user: string;
    causeText: string | null;
    actionText: string | null;
    note: string;
  }>(
    `SELECT state, at, made_by AS "user", cause_text AS "causeText", action_text AS "actionText", note FROM alarm_step
     WHERE alarm_id = $1 ORDER BY id`,
    [id],
    { name: 'alarm-steps' },
  );
  return rows.map(({ state, at, user, causeText, actionText, note }) => ({
    state,
    time: at.toISOString(),
    ...(user !== '' && { user }),
    ...(causeText !== null && { causeText }),
    ...(actionText !== null && { actionText }),
    ...(note !== '' && { note }),
  }));
}

/** Locks those of the alarms that exist until the transaction ends. */
export async function lockAlarms(session: WriteSession, uuids: readonly string[]): Promise<void> {
  await session.query('SELECT FROM alarm WHERE uuid = ANY($1::uuid[]) ORDER BY id FOR UPDATE', [uuids], { name: 'alarm-lock' });
}

/** Finds another alarm about the same that is open. @returns its uuid */
export async function findOpenAlarm(
  session: Session,
  { id, part, characteristicId, alarm, rule, chart }: StoredAlarm,
): Promise<string | undefined> {
  const [row] = await session.query<{ uuid: string }>(
    `SELECT uuid FROM alarm WHERE part_id = $1 AND characteristic_id IS NOT DISTINCT FROM $2 AND kind = $3 AND rule = $4 AND chart = $5
       AND ${IS_OPEN} AND id <> $6 LIMIT 1`,
    [part.id, characteristicId, alarm.kind, rule, chart, id],
  );
  return row?.uuid;
}

/** Statement of a person about an alarm; texts are those of the entries of the catalogs. */
export interface WrittenAlarm {
  state: AlarmState;
  cause: number | undefined;
  causeText: string | undefined;
  action: number | undefined;
  actionText: string | undefined;
  note: string;
  user: string;
  at: Date;
  /** Whether the time and the user of the state are those of this change. */
  isNewState: boolean;
}

/** Changes an alarm, keeps the step, and has subscribers told of a new state. spec: decisions.md 12.3, 12.4 */
export async function writeAlarm(session: WriteSession, id: string, written: WrittenAlarm): Promise<void> {
  const { state, cause, causeText, action, actionText, note, user, at, isNewState } = written;
  const said = [cause ?? null, causeText ?? null, action ?? null, actionText ?? null, note];
  await session.query(
    `UPDATE alarm SET revision = revision + 1, state = $2, cause = $3, cause_text = $4, action = $5, action_text = $6, note = $7,
       acknowledged_by = CASE WHEN $8::boolean AND $2 = 'acknowledged' THEN $9 ELSE acknowledged_by END,
       acknowledged_at = CASE WHEN $8::boolean AND $2 = 'acknowledged' THEN $10 ELSE acknowledged_at END,
       closed_by = CASE WHEN $2 <> 'closed' THEN '' WHEN $8::boolean THEN $9 ELSE closed_by END,
       closed_at = CASE WHEN $2 <> 'closed' THEN NULL WHEN $8::boolean THEN $10 ELSE closed_at END
     WHERE id = $1`,
    [id, state, ...said, isNewState, user, at],
    { name: 'alarm-write' },
  );
  await session.query(
    'INSERT INTO alarm_step (alarm_id, state, at, made_by, cause_text, action_text, note) VALUES ($1, $2, $3, $4, $5, $6, $7)',
    [id, state, at, user, causeText ?? null, actionText ?? null, note],
    { name: 'alarm-said-step' },
  );
  if (!isNewState) return;
  await session.query('INSERT INTO alarm_notice (alarm_id, state, at) VALUES ($1, $2, $3)', [id, state, at], { name: 'alarm-said-notice' });
}

function conditionOf(readable: PathScope, selection: AlarmSelection): Sql {
  const { ids, states, kinds, partUuid, characteristicUuid, below, from, to, told, toldIn } = selection;
  const conditions: Sql[] = [pathCondition(readable, 'part.path')];
  if (ids !== undefined) conditions.push(sql`alarm.id = ANY(${ids}::bigint[])`);
  if (states !== undefined) conditions.push(sql`alarm.state = ANY(${states}::text[])`);
  if (kinds !== undefined) conditions.push(sql`alarm.kind = ANY(${kinds}::text[])`);
  if (partUuid !== undefined) conditions.push(sql`part.uuid = ${partUuid}::uuid`);
  if (characteristicUuid !== undefined) conditions.push(sql`item.uuid = ${characteristicUuid}::uuid`);
  if (below !== undefined) conditions.push(pathCondition(below, 'part.path'));
  if (from !== undefined) conditions.push(sql`alarm.raised_at >= ${from}::timestamptz`);
  if (to !== undefined) conditions.push(sql`alarm.raised_at < ${to}::timestamptz`);
  if (told !== undefined) conditions.push(sql`(alarm.is_muted OR alarm.is_old) <> ${told}::boolean`);
  if (toldIn !== undefined) conditions.push(rawSql(isToldIn(toldIn)));
  return joinSql(conditions, ' AND ');
}

function storedAlarm(row: AlarmRow): StoredAlarm {
  const { id, uuid, state, kind, rule, chart, partId, partUuid, partPath, storedPath, characteristicId, detail, owner, reaction, note } =
    row;
  const { characteristicUuid, characteristicPath, first, last, measurementUuid, value, acknowledgedBy, acknowledged, closedBy, closed } =
    row;
  return {
    id,
    part: { id: partId, uuid: partUuid, path: storedPath },
    characteristicId,
    rule,
    chart,
    alarm: {
      uuid,
      state,
      kind,
      ...(rule !== '' && { rule }),
      ...(chart !== '' && { on: chart as NonNullable<Alarm['on']> }),
      partUuid,
      partPath,
      ...(characteristicUuid !== null && { characteristicUuid }),
      ...(characteristicPath !== null && { characteristicPath }),
      raised: row.raised.toISOString(),
      ...(first && { since: first.toISOString() }),
      ...(last && { last: last.toISOString() }),
      points: row.points,
      ...(measurementUuid !== null && { measurementUuid }),
      ...(value !== null && { value }),
      ...detail,
      ...(owner !== '' && { owner }),
      ...(reaction !== '' && { reaction }),
      muted: row.muted,
      old: row.old,
      ...(acknowledgedBy !== '' && { user: acknowledgedBy }),
      ...(acknowledged && { acknowledged: acknowledged.toISOString() }),
      ...(closed && { closed: closed.toISOString() }),
      ...(closedBy !== '' && { modifiedBy: closedBy }),
      ...(row.cause !== null && { cause: row.cause }),
      ...(row.causeText !== null && { causeText: row.causeText }),
      ...(row.action !== null && { action: row.action }),
      ...(row.actionText !== null && { actionText: row.actionText }),
      ...(note !== '' && { note }),
    },
  };
}
