import type { PathScope } from '@sinebar/access-control';
import type { AlarmMute } from '@sinebar/contracts';
import { joinSql, pathCondition, rawSql, sql, type Session, type WriteSession } from '@sinebar/database';

export interface MutedPart {
  id: number;
  uuid: string;
  /** Stored path. */
  path: string;
}

export interface StoredMute {
  mute: AlarmMute;
  part: MutedPart;
}

export interface MuteSelection {
  /** Planned stops of what is at and below these paths only. */
  below?: PathScope | undefined;
  /** ISO 8601: those that end later. */
  from: string;
  /** ISO 8601: those that begin earlier. */
  to?: string | undefined;
  limit: number;
  offset: number;
}

interface MuteRow extends Record<string, unknown> {
  uuid: string;
  partId: number;
  partUuid: string;
  partPath: string;
  storedPath: string;
  from: Date;
  until: Date;
  reason: string;
  user: string;
}

const COLUMNS = rawSql(`mute.uuid, part.id AS "partId", part.uuid AS "partUuid", part.marked_path AS "partPath", part.path AS "storedPath",
  mute.from_at AS "from", mute.until_at AS until, mute.reason, mute.created_by AS "user"`);
const TABLES = rawSql('alarm_mute mute JOIN plan_item part ON part.id = mute.part_id');

/** Reads planned stops, the latest beginning first. @param readable paths of the parts whose stops may be read */
export async function readMutes(session: Session, readable: PathScope, selection: MuteSelection): Promise<AlarmMute[]> {
  const { below, from, to, limit, offset } = selection;
  const conditions = [pathCondition(readable, 'part.path'), sql`mute.until_at > ${from}::timestamptz`];
  if (below !== undefined) conditions.push(pathCondition(below, 'part.path'));
  if (to !== undefined) conditions.push(sql`mute.from_at < ${to}::timestamptz`);
  const rows = await session.query<MuteRow>(
    sql`SELECT ${COLUMNS} FROM ${TABLES} WHERE ${joinSql(conditions, ' AND ')}
      ORDER BY mute.from_at DESC, mute.id DESC LIMIT ${limit}::int OFFSET ${offset}::int`,
  );
  return rows.map((row) => storedMute(row).mute);
}

export async function findMute(session: Session, uuid: string): Promise<StoredMute | undefined> {
  const [row] = await session.query<MuteRow>(sql`SELECT ${COLUMNS} FROM ${TABLES} WHERE mute.uuid = ${uuid}::uuid`);
  return row && storedMute(row);
}

export async function findMutedPart(session: Session, part: { uuid: string } | { path: string }): Promise<MutedPart | undefined> {
  const condition = 'uuid' in part ? sql`uuid = ${part.uuid}::uuid` : sql`path = ${part.path}`;
  const [found] = await session.query<MutedPart & Record<string, unknown>>(
    sql`SELECT id, uuid, path FROM plan_item WHERE kind = 'part' AND ${condition}`,
  );
  return found;
}

export interface WrittenMute {
  uuid: string;
  from: string;
  until: string;
  reason: string;
  user: string;
}

/** @returns false if there is a planned stop with the uuid */
export async function insertMute(
  session: WriteSession,
  partId: number,
  { uuid, from, until, reason, user }: WrittenMute,
): Promise<boolean> {
  const inserted = await session.execute(
    `INSERT INTO alarm_mute (uuid, part_id, from_at, until_at, reason, created_by) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (uuid) DO NOTHING`,
    [uuid, partId, from, until, reason, user],
  );
  return inserted === 1;
}

/** Ends a stop that is going on, and removes one that has not begun; one that is over stays as it was. */
export async function endMute(session: WriteSession, uuid: string, at: Date): Promise<void> {
  await session.query('UPDATE alarm_mute SET until_at = $2 WHERE uuid = $1 AND from_at < $2 AND until_at > $2', [uuid, at]);
  await session.query('DELETE FROM alarm_mute WHERE uuid = $1 AND from_at >= $2', [uuid, at]);
}

function storedMute({ uuid, partId, partUuid, partPath, storedPath, from, until, reason, user }: MuteRow): StoredMute {
  return {
    part: { id: partId, uuid: partUuid, path: storedPath },
    mute: { uuid, partUuid, partPath, from: from.toISOString(), until: until.toISOString(), reason, ...(user !== '' && { user }) },
  };
}
