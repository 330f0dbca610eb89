import { columnsOf, type Session, type WriteSession } from '@sinebar/database';
import { inTurns } from '../../shared/turns.ts';
import { IS_OPEN } from '../raised-alarms.ts';
import type { ImportedAlarm } from './imported-alarm-body.ts';

/** A part or characteristic that alarms name. */
export interface NamedItem {
  id: number;
  uuid: string;
  kind: 'part' | 'characteristic';
  partId: number | null;
  /** Stored path. */
  path: string;
}

const POINTS_PER_STATEMENT = 5000;

export async function findNamedItems(session: Session, uuids: readonly string[]): Promise<ReadonlyMap<string, NamedItem>> {
  const rows = await session.query<NamedItem & Record<string, unknown>>(
    'SELECT id, uuid, kind, part_id AS "partId", path FROM plan_item WHERE uuid = ANY($1::uuid[])',
    [uuids],
  );
  return new Map(rows.map((row) => [row.uuid, row]));
}

/** Finds the measurements of a part among some. @returns their ids by uuid */
export async function findMeasurements(session: Session, partId: number, uuids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for await (const slice of inTurns(uuids, POINTS_PER_STATEMENT)) {
    const rows = await session.query<{ id: string; uuid: string }>(
      'SELECT id::text AS id, uuid FROM measurement WHERE part_id = $1 AND uuid = ANY($2::uuid[])',
      [partId, slice],
    );
    for (const { id, uuid } of rows) found.set(uuid, id);
  }
  return found;
}

/** An alarm whose items and measurements are found. */
export interface ResolvedAlarm {
  alarm: ImportedAlarm;
  partId: number;
  characteristicId: number | null;
  /** Id of the measurement of the newest point; `null` without one here. */
  newestId: string | null;
  /** Ids of the measurements of the points. */
  pointIds: readonly string[];
}

/** Finds an alarm of this server that speaks of the same points, or that is open where there may be one only. @returns its uuid */
export async function findSameAlarm(session: Session, resolved: ResolvedAlarm): Promise<string | undefined> {
  const { alarm, partId, characteristicId, newestId, pointIds } = resolved;
  const key = [partId, characteristicId, alarm.kind, alarm.rule ?? '', alarm.on ?? ''];
  const isSingle = alarm.kind === 'process' || alarm.kind === 'silence';
  const [row] = await session.query<{ uuid: string }>(
    `SELECT uuid FROM alarm WHERE part_id = $1 AND characteristic_id IS NOT DISTINCT FROM $2 AND kind = $3 AND rule = $4 AND chart = $5
       AND (id IN (SELECT alarm_id FROM alarm_point WHERE characteristic_id = $2 AND kind = $3 AND rule = $4 AND chart = $5
                     AND measurement_id = ANY($6::bigint[]))
         OR ($7::boolean AND (($8::boolean AND ${IS_OPEN}) OR (kind = 'silence' AND last_measurement_id = $9::bigint))))
     ORDER BY id LIMIT 1`,
    [...key, pointIds, isSingle, alarm.state === 'raised' || alarm.state === 'acknowledged', newestId],
    { name: 'alarm-import-same' },
  );
  return row?.uuid;
}

/** Stores an alarm as it is, without telling anybody. @returns false if there is an alarm with the uuid */
export async function insertAlarm(session: WriteSession, resolved: ResolvedAlarm): Promise<boolean> {
  const { alarm, partId, characteristicId, newestId, pointIds } = resolved;
  const { limits, before, after, measurementUuids: _points, steps, ...members } = alarm;
  const detail = { ...(limits && { limits }), ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
  const row = {
    ...members,
    rule: alarm.rule ?? '',
    on: alarm.on ?? '',
    owner: alarm.owner ?? '',
    reaction: alarm.reaction ?? '',
    user: alarm.user ?? '',
    modifiedBy: alarm.modifiedBy ?? '',
    note: alarm.note ?? '',
    detail,
    partId,
    characteristicId,
    newestId,
  };
  // The time of a measurement is exact to the microsecond, that of an answer to the millisecond.
  const [stored] = await session.query<{ id: string }>(
    `INSERT INTO alarm (uuid, part_id, characteristic_id, kind, rule, chart, state, revision, raised_at, first_at, last_at, point_count,
       last_measurement_id, last_value, detail, owner, reaction, is_muted, is_old, acknowledged_by, acknowledged_at, closed_by, closed_at,
       cause, cause_text, action, action_text, note)
     SELECT a.uuid, a."partId", a."characteristicId", a.kind, a.rule, a."on", a.state, 1, a.raised, a.since, coalesce(m.measured_at, a.last),
       a.points, a."newestId", a.value, a.detail, a.owner, a.reaction, a.muted, a.old, a."user", a.acknowledged, a."modifiedBy", a.closed,
       a.cause, a."causeText", a.action, a."actionText", a.note
     FROM json_to_record($1) AS a (uuid uuid, "partId" int, "characteristicId" int, kind text, rule text, "on" text, state text,
       raised timestamptz, since timestamptz, last timestamptz, points int, "newestId" bigint, value float8, detail json, owner text,
       reaction text, muted boolean, old boolean, "user" text, acknowledged timestamptz, "modifiedBy" text, closed timestamptz,
       cause int, "causeText" text, action int, "actionText" text, note text)
       LEFT JOIN measurement m ON m.id = a."newestId"
     ON CONFLICT (uuid) DO NOTHING RETURNING id::text AS id`,
    [JSON.stringify(row)],
    { name: 'alarm-import' },
  );
  if (!stored) return false;
  const { id } = stored;
  await session.query(
    `INSERT INTO alarm_step (alarm_id, state, at, made_by, cause_text, action_text, note)
     SELECT $1, state, at, coalesce("user", ''), "causeText", "actionText", coalesce(note, '')
     FROM ROWS FROM (json_to_recordset($2) AS (state text, time timestamptz, "user" text, "causeText" text, "actionText" text, note text))
       WITH ORDINALITY AS step (state, at, "user", "causeText", "actionText", note, n) ORDER BY n`,
    [id, JSON.stringify(steps)],
    { name: 'alarm-import-steps' },
  );
  const key = { characteristicId, kind: alarm.kind, rule: row.rule, chart: row.on, alarmId: id };
  for await (const slice of inTurns(pointIds, POINTS_PER_STATEMENT)) {
    const rows = slice.map((measurementId) => ({ ...key, measurementId }));
    await session.query(
      `INSERT INTO alarm_point (characteristic_id, kind, rule, chart, measurement_id, alarm_id)
       SELECT * FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[]) ON CONFLICT DO NOTHING`,
      columnsOf(rows, 'characteristicId', 'kind', 'rule', 'chart', 'measurementId', 'alarmId'),
      { name: 'alarm-import-points' },
    );
  }
  return true;
}

/**
 * Finds those of some alarms that a user may replace: raised during a stop that this user has planned for the part or one above it,
 * while nobody has said anything about them.
 */
export async function findReplaceable(session: Session, uuids: readonly string[], user: string): Promise<ReadonlySet<string>> {
  const rows = await session.query<{ uuid: string }>(
    `SELECT alarm.uuid FROM alarm JOIN plan_item part ON part.id = alarm.part_id
     WHERE alarm.uuid = ANY($1::uuid[]) AND alarm.is_muted AND alarm.acknowledged_at IS NULL AND alarm.cause IS NULL AND alarm.action IS NULL
       AND alarm.note = '' AND alarm.closed_by = ''
       AND EXISTS (SELECT FROM alarm_mute mute JOIN plan_item stopped ON stopped.id = mute.part_id
         WHERE starts_with(part.path, stopped.path) AND mute.created_by = $2 AND alarm.raised_at >= mute.from_at
           AND alarm.raised_at < mute.until_at)`,
    [uuids, user],
  );
  return new Set(rows.map(({ uuid }) => uuid));
}

/** Deletes alarms with all that is kept about them. @param ids of the table */
export async function deleteAlarmsById(session: WriteSession, ids: readonly string[]): Promise<void> {
  await session.query(
    `WITH points AS (DELETE FROM alarm_point WHERE alarm_id = ANY($1::bigint[])),
       steps AS (DELETE FROM alarm_step WHERE alarm_id = ANY($1::bigint[])),
       notices AS (DELETE FROM alarm_notice WHERE alarm_id = ANY($1::bigint[]))
     DELETE FROM alarm WHERE id = ANY($1::bigint[])`,
    [ids],
    { name: 'alarm-replace' },
  );
}
