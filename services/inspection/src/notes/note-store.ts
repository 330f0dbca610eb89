import type { PathScope } from '@sinebar/access-control';
import type { Note } from '@sinebar/contracts';
import { joinSql, pathCondition, rawSql, sql, type Session, type Sql, type WriteSession } from '@sinebar/database';
import type { NoteContent, NoteTarget } from './note-body.ts';

/** A part or characteristic that a note is about. */
export interface NotedItem {
  id: number;
  uuid: string;
  kind: 'part' | 'characteristic';
  partId: number;
  partUuid: string;
  /** Stored path of the part. */
  partPath: string;
}

/** A note with what a change needs to know. */
export interface StoredNote {
  note: Note;
  item: NotedItem;
  causeText: string | null;
}

export interface NoteSelection {
  uuid?: string | undefined;
  partUuid?: string | undefined;
  characteristicUuid?: string | undefined;
  /** Notes about what is at and below these paths only. */
  below?: PathScope | undefined;
  /** ISO 8601. */
  from?: string | undefined;
  to?: string | undefined;
  limit: number;
  offset: number;
}

type NoteRow = Omit<NotedItem, 'uuid'> & {
  uuid: string;
  itemUuid: string;
  measurementUuid: string | null;
  fromAt: Date | null;
  toAt: Date | null;
  text: string;
  cause: number | null;
  causeText: string | null;
  user: string;
  time: Date;
  modifiedBy: string;
  modified: Date | null;
};

const COLUMNS = rawSql(`note.uuid, item.id, item.uuid AS "itemUuid", item.kind, part.id AS "partId", part.uuid AS "partUuid",
  part.path AS "partPath", m.uuid AS "measurementUuid", note.from_at AS "fromAt", note.to_at AS "toAt", note.text, note.cause,
  note.cause_text AS "causeText", note.created_by AS "user", note.created_at AS time, note.modified_by AS "modifiedBy",
  note.modified_at AS modified`);
const TABLES = rawSql(`note JOIN plan_item item ON item.id = note.item_id JOIN plan_item part ON part.id = item.part_id
  LEFT JOIN measurement m ON m.id = note.measurement_id`);
/** The time that a note is about. */
const BEGINS = rawSql('coalesce(note.from_at, m.measured_at, note.created_at)');
const ENDS = rawSql(
  `CASE WHEN note.from_at IS NULL THEN coalesce(m.measured_at, note.created_at) ELSE coalesce(note.to_at, 'infinity') END`,
);

/** Reads notes, the newest first. @param readable paths of the parts whose notes may be read */
export async function readNotes(session: Session, readable: PathScope, selection: NoteSelection): Promise<Note[]> {
  const { uuid, partUuid, characteristicUuid, below, from, to, limit, offset } = selection;
  const conditions: Sql[] = [pathCondition(readable, 'part.path')];
  if (uuid !== undefined) conditions.push(sql`note.uuid = ${uuid}::uuid`);
  if (partUuid !== undefined) conditions.push(sql`item.uuid = ${partUuid}::uuid AND item.kind = 'part'`);
  if (characteristicUuid !== undefined) conditions.push(sql`item.uuid = ${characteristicUuid}::uuid AND item.kind = 'characteristic'`);
  if (below !== undefined) conditions.push(pathCondition(below, 'item.path'));
  if (from !== undefined) conditions.push(sql`${ENDS} >= ${from}::timestamptz`);
  if (to !== undefined) conditions.push(sql`${BEGINS} < ${to}::timestamptz`);
  const rows = await session.query<NoteRow & Record<string, unknown>>(
    sql`SELECT ${COLUMNS} FROM ${TABLES} WHERE ${joinSql(conditions, ' AND ')} ORDER BY note.created_at DESC, note.id DESC LIMIT ${limit}::int OFFSET ${offset}::int`,
  );
  return rows.map((row) => storedNote(row).note);
}

export async function findNote(session: Session, uuid: string): Promise<StoredNote | undefined> {
  const [row] = await session.query<NoteRow & Record<string, unknown>>(
    sql`SELECT ${COLUMNS} FROM ${TABLES} WHERE note.uuid = ${uuid}::uuid`,
  );
  return row && storedNote(row);
}

/** Locks a note that exists until the transaction ends. */
export async function lockNote(session: WriteSession, uuid: string): Promise<void> {
  await session.query('SELECT FROM note WHERE uuid = $1 FOR UPDATE', [uuid]);
}

export async function findNotedItem(session: Session, { kind, uuid }: NoteTarget): Promise<NotedItem | undefined> {
  const [item] = await session.query<NotedItem & Record<string, unknown>>(
    `SELECT item.id, item.uuid, item.kind, part.id AS "partId", part.uuid AS "partUuid", part.path AS "partPath"
     FROM plan_item item JOIN plan_item part ON part.id = item.part_id WHERE item.uuid = $1 AND item.kind = $2`,
    [uuid, kind],
    { name: 'noted-item' },
  );
  return item;
}

/** Finds a measurement of a part, and keeps it from being deleted until the transaction ends. @returns its id */
export async function keepMeasurement(session: WriteSession, uuid: string, partId: number): Promise<string | undefined> {
  const [row] = await session.query<{ id: string }>(
    'SELECT id::text AS id FROM measurement WHERE uuid = $1 AND part_id = $2 FOR KEY SHARE',
    [uuid, partId],
  );
  return row?.id;
}

/** A note as it is written; `measurementId` is that of the content. */
export interface WrittenNote {
  uuid: string;
  content: NoteContent;
  measurementId: string | undefined;
  causeText: string | undefined;
  user: string;
  at: Date;
}

const contentColumns = ({ content: { text, cause, from, to }, measurementId, causeText }: WrittenNote) => [
  measurementId ?? null,
  from ?? null,
  to ?? null,
  text,
  cause ?? null,
  causeText ?? null,
];

/** @returns false if there is a note with the uuid */
export async function insertNote(session: WriteSession, itemId: number, note: WrittenNote): Promise<boolean> {
  const inserted = await session.execute(
    `INSERT INTO note (uuid, item_id, created_by, created_at, measurement_id, from_at, to_at, text, cause, cause_text, modified_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, '') ON CONFLICT (uuid) DO NOTHING`,
    [note.uuid, itemId, note.user, note.at, ...contentColumns(note)],
  );
  return inserted === 1;
}

export async function updateNote(session: WriteSession, note: WrittenNote): Promise<void> {
  await session.query(
    `UPDATE note SET modified_by = $2, modified_at = $3, measurement_id = $4, from_at = $5, to_at = $6, text = $7, cause = $8, cause_text = $9
     WHERE uuid = $1`,
    [note.uuid, note.user, note.at, ...contentColumns(note)],
  );
}

export async function deleteNote(session: WriteSession, uuid: string): Promise<void> {
  await session.query('DELETE FROM note WHERE uuid = $1', [uuid]);
}

function storedNote(row: NoteRow): StoredNote {
  const { itemUuid: uuid, id, kind, partId, partUuid, partPath, measurementUuid, fromAt, toAt, cause, causeText, user, modifiedBy } = row;
  return {
    item: { id, uuid, kind, partId, partUuid, partPath },
    causeText,
    note: {
      uuid: row.uuid,
      partUuid,
      ...(kind === 'characteristic' && { characteristicUuid: uuid }),
      ...(measurementUuid !== null && { measurementUuid }),
      ...(fromAt && { from: fromAt.toISOString() }),
      ...(toAt && { to: toAt.toISOString() }),
      text: row.text,
      ...(cause !== null && { cause }),
      ...(causeText !== null && { causeText }),
      ...(user !== '' && { user }),
      time: row.time.toISOString(),
      ...(modifiedBy !== '' && { modifiedBy }),
      ...(row.modified && { modified: row.modified.toISOString() }),
    },
  };
}
