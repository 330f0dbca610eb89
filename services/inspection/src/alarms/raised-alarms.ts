import { randomUUID } from 'node:crypto';
import { OPEN_ALARM_STATES, type AlarmKind, type AlarmState } from '@sinebar/contracts';
import { columnsOf, type Session, type WriteSession } from '@sinebar/database';
import { inTurns } from '../shared/turns.ts';
import { alarmChanges, type AnnouncedAlarm } from './alarm-events.ts';

/** Members that tell alarms of one characteristic apart; rule and chart are empty for kinds other than `rule`. */
export interface AlarmKey {
  kind: AlarmKind;
  rule: string;
  chart: '' | 'location' | 'variation';
}

/** The transaction and the part in which alarms are stored. */
export interface AlarmWriting {
  session: WriteSession;
  part: { id: number; uuid: string; /** Stored path. */ path: string };
  /** The time of what is stored. */
  at: Date;
  isMuted: boolean;
  raised: RaisedCounts;
}

/** Counts of alarms that this process has raised, by kind. A transaction that is repeated counts its alarms again. */
export type RaisedCounts = Map<AlarmKind, number>;

/** The newest point of an alarm. */
export interface NewestPoint {
  measurementId: number | null;
  /** Milliseconds since 1970, NaN without a time. */
  time: number;
  value?: number;
}

export interface NewAlarm extends AlarmKey {
  /** Absent for the silence of a part. */
  characteristic?: { id: number; uuid: string };
  /** Ids of measurements. */
  points: readonly number[];
  /** Time of the first point, milliseconds since 1970, NaN without a time. */
  firstTime: number;
  newest?: NewestPoint;
  /** Limits of the newest point, or the statuses of the process. */
  detail: object;
  owner: string;
  reaction: string;
  /** Measured too long ago to be told. */
  isOld: boolean;
}

/** An alarm that is neither closed nor withdrawn. */
export interface OpenAlarm extends AlarmKey {
  id: string;
  uuid: string;
  characteristicId: number | null;
  characteristicUuid: string | null;
  state: AlarmState;
  isMuted: boolean;
  isOld: boolean;
  /** Milliseconds since 1970, NaN without a time. */
  lastTime: number;
  lastMeasurementId: number | null;
  lastValue: number | null;
}

export interface AlarmExtension {
  alarm: OpenAlarm;
  points: readonly number[];
  /** Time of the first of these points, milliseconds since 1970, NaN without a time. */
  firstTime: number;
  /** Absent where the newest point stays. */
  newest?: NewestPoint & { detail: object };
  isOld: boolean;
}

/** Condition of SQL on an alarm that is open. */
export const IS_OPEN = `state IN (${OPEN_ALARM_STATES.map((state) => `'${state}'`).join(', ')})`;

/**
 * Condition of SQL on an alarm that is still to be told. Nobody has seen one that the server has closed before its message was sent:
 * it is told with its present state, but no longer escalated.
 */
export function isToldIn(message: ToldIn): string {
  if (message === 'escalation') return `alarm.state = 'raised'`;
  return `(alarm.${IS_OPEN} OR (alarm.state = 'closed' AND alarm.closed_by = ''))`;
}

/** Kinds of messages about alarms. */
export type ToldIn = 'message' | 'escalation';

const POINTS_PER_STATEMENT = 5000;

const COLUMNS = `a.id::text AS id, a.uuid, a.characteristic_id AS "characteristicId", item.uuid AS "characteristicUuid", a.kind, a.rule, a.chart,
  a.state, a.is_muted AS "isMuted", a.is_old AS "isOld", a.last_measurement_id::float8 AS "lastMeasurementId",
  a.last_value AS "lastValue",
  coalesce(extract(epoch FROM a.last_at)::float8 * 1000, 'NaN') AS "lastTime"`;

/** Reads the open alarms of a part. */
export async function readOpenAlarms(session: Session, partId: number): Promise<OpenAlarm[]> {
  return session.query<OpenAlarm & Record<string, unknown>>(
    `SELECT ${COLUMNS} FROM alarm a LEFT JOIN plan_item item ON item.id = a.characteristic_id
     WHERE a.part_id = $1 AND a.${IS_OPEN} ORDER BY a.id`,
    [partId],
    { name: 'alarms-open' },
  );
}

/** A point that belongs to an alarm, which may be closed. */
export interface OwnedPoint {
  alarm: OpenAlarm;
  measurementId: number;
}

/** Reads to which alarms the measurements belong for these characteristics, and locks them. */
export async function lockOwnedPoints(
  session: Session,
  characteristicIds: readonly number[],
  measurementIds: readonly number[],
): Promise<OwnedPoint[]> {
  const rows = await session.query<OpenAlarm & { measurementId: number } & Record<string, unknown>>(
    `SELECT ${COLUMNS}, point.measurement_id::float8 AS "measurementId"
     FROM alarm_point point JOIN alarm a ON a.id = point.alarm_id LEFT JOIN plan_item item ON item.id = a.characteristic_id
     WHERE point.measurement_id = ANY($2::bigint[]) AND point.characteristic_id = ANY($1::int[]) ORDER BY a.id FOR UPDATE OF a`,
    [characteristicIds, measurementIds.map(String)],
    { name: 'alarm-points' },
  );
  const alarms = new Map<string, OpenAlarm>();
  return rows.map(({ measurementId, ...alarm }) => {
    const known = alarms.get(alarm.id) ?? alarm;
    alarms.set(alarm.id, known);
    return { alarm: known, measurementId };
  });
}

export function isOpen({ state }: Pick<OpenAlarm, 'state'>): boolean {
  return OPEN_ALARM_STATES.some((open) => open === state);
}

/** Reads what storing alarms of a part needs. @returns `undefined` where there is no such part */
export async function alarmWriting(
  session: WriteSession,
  partId: number,
  { now, raised }: { now: () => Date; raised: RaisedCounts },
): Promise<AlarmWriting | undefined> {
  const at = now();
  const [part] = await session.query<AlarmWriting['part'] & Record<string, unknown>>(
    `SELECT id, uuid, path FROM plan_item WHERE id = $1 AND kind = 'part'`,
    [partId],
    { name: 'alarm-part' },
  );
  return part && { session, part, at, isMuted: await isPartMuted(session, part.path, at), raised };
}

/** Whether a planned stop of the part, or of one above it, keeps alarms from being told. @param path stored path of the part */
async function isPartMuted(session: Session, path: string, at: Date): Promise<boolean> {
  const [row] = await session.query<{ muted: boolean }>(
    `SELECT EXISTS (SELECT FROM alarm_mute mute JOIN plan_item part ON part.id = mute.part_id
       WHERE starts_with($1, part.path) AND mute.from_at <= $2 AND mute.until_at > $2) AS muted`,
    [path, at],
    { name: 'alarm-muted' },
  );
  return row?.muted === true;
}

/** Stores new alarms with their points. */
export async function raiseAlarms(writing: AlarmWriting, alarms: readonly NewAlarm[]): Promise<OpenAlarm[]> {
  const { session, part, at, isMuted } = writing;
  const raised: OpenAlarm[] = [];
  for await (const slice of inTurns(alarms)) {
    const rows = slice.map(({ characteristic, points, firstTime, newest, detail, ...alarm }) => ({
      ...alarm,
      uuid: randomUUID(),
      characteristicId: characteristic?.id ?? null,
      firstTime: msOrNull(firstTime),
      lastTime: msOrNull(newest?.time ?? NaN),
      lastId: newest?.measurementId ?? null,
      value: newest?.value ?? null,
      count: points.length,
      detail: JSON.stringify(detail),
    }));
    const stored = await session.query<{ id: string; uuid: string }>(
      `INSERT INTO alarm (uuid, part_id, characteristic_id, kind, rule, chart, state, revision, raised_at, first_at, last_at, point_count,
         last_measurement_id, last_value, detail, owner, reaction, is_muted, is_old)
       SELECT n.uuid, $1, n.characteristic, n.kind, n.rule, n.chart, 'raised', 1, $2, to_timestamp(n.first / 1000), to_timestamp(n.last / 1000),
         n.count, n.measurement, n.value, n.detail, n.owner, n.reaction, $3, n.is_old
       FROM unnest($4::uuid[], $5::int[], $6::text[], $7::text[], $8::text[], $9::float8[], $10::float8[], $11::int[], $12::bigint[],
         $13::float8[], $14::json[], $15::text[], $16::text[], $17::bool[])
         AS n (uuid, characteristic, kind, rule, chart, first, last, count, measurement, value, detail, owner, reaction, is_old)
       RETURNING id::text AS id, uuid`,
      [
        part.id,
        at,
        isMuted,
        ...columnsOf(rows, 'uuid', 'characteristicId', 'kind', 'rule', 'chart', 'firstTime', 'lastTime', 'count', 'lastId'),
        ...columnsOf(rows, 'value', 'detail', 'owner', 'reaction', 'isOld'),
      ],
      { name: 'alarm-raise' },
    );
    const ids = new Map(stored.map(({ id, uuid }) => [uuid, id]));
    const opened = rows.map(({ uuid, kind, rule, chart, isOld, characteristicId, lastId, lastTime, value }, i): OpenAlarm => ({
      id: ids.get(uuid)!,
      uuid,
      kind,
      rule,
      chart,
      characteristicId,
      characteristicUuid: slice[i]!.characteristic?.uuid ?? null,
      state: 'raised',
      isMuted,
      isOld,
      lastTime: lastTime ?? NaN,
      lastMeasurementId: lastId,
      lastValue: value,
    }));
    await addPoints(
      session,
      opened.map((alarm, i) => ({ alarm, points: slice[i]!.points })),
    );
    await addSteps(writing, opened, 'raised');
    session.announce(alarmChanges('AlarmRaised', announced(writing, opened)));
    raised.push(...opened);
    for (const { kind } of opened) writing.raised.set(kind, (writing.raised.get(kind) ?? 0) + 1);
  }
  return raised;
}

/** Adds points to open alarms. An alarm that was too old to be told, or of a planned stop, is told once it goes on now, behind the stop. */
export async function extendAlarms(writing: AlarmWriting, extensions: readonly AlarmExtension[]): Promise<void> {
  const { session, isMuted } = writing;
  for await (const slice of inTurns(extensions)) {
    await addPoints(session, slice);
    const rows = slice.map(({ alarm, firstTime, newest, isOld }) => ({
      id: alarm.id,
      firstTime: msOrNull(firstTime),
      isNewer: newest !== undefined,
      time: msOrNull(newest?.time ?? NaN),
      measurement: newest?.measurementId ?? null,
      value: newest?.value ?? null,
      detail: JSON.stringify(newest?.detail ?? {}),
      isOld,
    }));
    await session.query(
      `UPDATE alarm SET revision = revision + 1, point_count = (SELECT count(*) FROM alarm_point WHERE alarm_id = alarm.id),
         first_at = CASE WHEN to_timestamp(x.first / 1000) < first_at THEN to_timestamp(x.first / 1000) ELSE first_at END,
         last_at = CASE WHEN x.is_newer THEN to_timestamp(x.time / 1000) ELSE last_at END,
         last_measurement_id = CASE WHEN x.is_newer THEN x.measurement ELSE last_measurement_id END,
         last_value = CASE WHEN x.is_newer THEN x.value ELSE last_value END, detail = CASE WHEN x.is_newer THEN x.detail ELSE alarm.detail END,
         is_old = alarm.is_old AND x.is_old, is_muted = alarm.is_muted AND ($9 OR x.is_old)
       FROM unnest($1::bigint[], $2::bool[], $3::float8[], $4::bigint[], $5::float8[], $6::json[], $7::bool[], $8::float8[])
         AS x (id, is_newer, time, measurement, value, detail, is_old, first)
       WHERE alarm.id = x.id`,
      [...columnsOf(rows, 'id', 'isNewer', 'time', 'measurement', 'value', 'detail', 'isOld', 'firstTime'), isMuted],
      { name: 'alarm-extend' },
    );
    const begun = slice.filter(({ alarm, isOld }) => !isTold(alarm) && !isOld && !(alarm.isMuted && isMuted));
    await addNotices(
      writing,
      begun.map(({ alarm }) => ({ ...alarm, isOld: false, isMuted: false })),
      'raised',
    );
    session.announce(
      alarmChanges(
        'AlarmChanged',
        announced(
          writing,
          slice.map(({ alarm }) => alarm),
        ),
      ),
    );
  }
}

/** An alarm whose points go. */
export interface PointsNeeded {
  /** Number of points below which the alarm is none. */
  least: number;
  /** Whether its value is that of the measurement; otherwise it is computed from several. */
  isOfMeasurement: boolean;
}

/** Takes points from open alarms. */
export async function removePoints(
  writing: AlarmWriting,
  owned: readonly OwnedPoint[],
  needed: (alarm: OpenAlarm) => PointsNeeded,
): Promise<void> {
  const { session } = writing;
  if (owned.length === 0) return;
  const alarms = new Map(owned.map(({ alarm }) => [alarm.id, alarm]));
  for await (const slice of inTurns(owned, POINTS_PER_STATEMENT)) {
    const rows = slice.map(({ alarm: { id }, measurementId }) => ({ id, measurementId }));
    await session.query(
      `DELETE FROM alarm_point USING unnest($1::bigint[], $2::bigint[]) AS x (id, measurement_id)
       WHERE alarm_point.alarm_id = x.id AND alarm_point.measurement_id = x.measurement_id`,
      columnsOf(rows, 'id', 'measurementId'),
      { name: 'alarm-points-remove' },
    );
  }
  const left = await session.query<{ id: string; count: number }>(
    'SELECT alarm_id::text AS id, count(*)::int AS count FROM alarm_point WHERE alarm_id = ANY($1::bigint[]) GROUP BY alarm_id',
    [[...alarms.keys()]],
  );
  const counts = new Map(left.map(({ id, count }) => [id, count]));
  const isEmpty = (alarm: OpenAlarm) => (counts.get(alarm.id) ?? 0) < needed(alarm).least;
  const changed = [...alarms.values()];
  await endAlarms(writing, changed.filter(isEmpty), 'withdrawn');
  const kept = changed.filter((alarm) => !isEmpty(alarm));
  if (kept.length === 0) return;
  // A value that was computed from several measurements was not kept for the point that is now the newest one.
  await session.query(
    `WITH newest AS MATERIALIZED (
       SELECT DISTINCT ON (point.alarm_id) point.alarm_id, point.measurement_id, m.measured_at,
         CASE WHEN point.alarm_id = ANY($2::bigint[]) THEN m."values"[array_position(s.characteristic_ids, point.characteristic_id)] END AS value,
         min(m.measured_at) OVER (PARTITION BY point.alarm_id) AS first_at,
         (SELECT count(*) FROM alarm_point other WHERE other.alarm_id = point.alarm_id) AS count
       FROM alarm_point point JOIN measurement m ON m.id = point.measurement_id
         LEFT JOIN characteristic_set s ON s.id = m.characteristic_set_id
       WHERE point.alarm_id = ANY($1::bigint[])
       ORDER BY point.alarm_id, m.measured_at DESC NULLS LAST, m.id DESC)
     UPDATE alarm SET revision = revision + 1, point_count = newest.count, first_at = newest.first_at, last_at = newest.measured_at,
       last_value = CASE WHEN last_measurement_id = newest.measurement_id THEN last_value ELSE newest.value END,
       last_measurement_id = newest.measurement_id
     FROM newest WHERE alarm.id = newest.alarm_id`,
    [kept.map(({ id }) => id), kept.filter((alarm) => needed(alarm).isOfMeasurement).map(({ id }) => id)],
  );
  session.announce(alarmChanges('AlarmChanged', announced(writing, kept)));
}

/** Closes alarms by themselves, or withdraws them with all their points. */
export async function endAlarms(writing: AlarmWriting, alarms: readonly OpenAlarm[], state: 'closed' | 'withdrawn'): Promise<void> {
  const { session, at } = writing;
  for await (const slice of inTurns(alarms)) {
    const ids = slice.map(({ id }) => id);
    await session.query(
      `UPDATE alarm SET state = $2, closed_at = $3, revision = revision + 1,
         point_count = CASE WHEN $2 = 'withdrawn' THEN 0 ELSE point_count END
       WHERE id = ANY($1::bigint[])`,
      [ids, state, at],
      { name: 'alarm-end' },
    );
    // A point of a withdrawn alarm may belong to another one.
    if (state === 'withdrawn') await session.query('DELETE FROM alarm_point WHERE alarm_id = ANY($1::bigint[])', [ids]);
    const ended = slice.map((alarm) => ({ ...alarm, state }));
    await addSteps(writing, ended, state);
    session.announce(alarmChanges('AlarmChanged', announced(writing, ended)));
  }
}

async function addPoints(session: Session, added: readonly { alarm: OpenAlarm; points: readonly number[] }[]): Promise<void> {
  const rows = added.flatMap(({ alarm, points }) => points.map((measurementId) => ({ ...alarm, measurementId })));
  for await (const slice of inTurns(rows, POINTS_PER_STATEMENT)) {
    await session.query(
      `INSERT INTO alarm_point (characteristic_id, kind, rule, chart, measurement_id, alarm_id)
       SELECT * FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[]) ON CONFLICT DO NOTHING`,
      columnsOf(slice, 'characteristicId', 'kind', 'rule', 'chart', 'measurementId', 'id'),
      { name: 'alarm-points-add' },
    );
  }
}

/** Records a step of alarms that the server made, and has it told. */
async function addSteps(writing: AlarmWriting, alarms: readonly OpenAlarm[], state: AlarmState): Promise<void> {
  await writing.session.query(
    `INSERT INTO alarm_step (alarm_id, state, at, made_by, note) SELECT id, $2, $3, '', '' FROM unnest($1::bigint[]) AS id`,
    [alarms.map(({ id }) => id), state, writing.at],
    { name: 'alarm-step' },
  );
  await addNotices(writing, alarms, state);
}

async function addNotices({ session, at }: AlarmWriting, alarms: readonly OpenAlarm[], state: AlarmState): Promise<void> {
  const told = alarms.filter(isTold).map(({ id }) => id);
  if (told.length === 0) return;
  await session.query(
    'INSERT INTO alarm_notice (alarm_id, state, at) SELECT id, $2, $3 FROM unnest($1::bigint[]) AS id',
    [told, state, at],
    { name: 'alarm-notice' },
  );
}

function isTold({ isMuted, isOld }: OpenAlarm): boolean {
  return !isMuted && !isOld;
}

function announced({ part }: AlarmWriting, alarms: readonly OpenAlarm[]): AnnouncedAlarm[] {
  return alarms.map(({ uuid, characteristicUuid, kind, state }) => ({
    uuid,
    part,
    characteristicUuid: characteristicUuid ?? undefined,
    Kind: kind,
    State: state,
  }));
}

function msOrNull(ms: number): number | null {
  return Number.isNaN(ms) ? null : ms;
}
