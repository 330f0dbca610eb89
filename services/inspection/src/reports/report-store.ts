import type { PathScope } from '@sinebar/access-control';
import type { KeptReport } from '@sinebar/contracts';
import { joinSql, pathCondition, rawSql, sql, type Session, type Sql, type WriteSession } from '@sinebar/database';

/** A kept report with what its rights follow from. */
export interface StoredReport {
  report: KeptReport;
  /** User key of who had it made. */
  owner: string;
  /** Stored path of the part when it was made. */
  path: string;
}

interface ReportRow extends Record<string, unknown> {
  uuid: string;
  owner: string;
  user: string;
  template: string;
  title: string;
  partUuid: string;
  path: string;
  markedPath: string;
  created: Date;
  from: Date | null;
  to: Date;
  language: KeptReport['language'];
  state: KeptReport['state'];
  reason: string;
  pages: number | null;
  sizeBytes: number | null;
  sha256: string | null;
  whole: boolean;
  expires: Date;
}

const COLUMNS = rawSql(`uuid, owner, made_by AS "user", template, title, part_uuid AS "partUuid", path, marked_path AS "markedPath",
  created_at AS created, from_at AS "from", to_at AS "to", language, state, reason, pages, size_bytes AS "sizeBytes", sha256,
  is_whole AS whole, expires_at AS expires`);

/** Reader of kept reports: of the own ones, and of whole ones with nothing that the reader may not see. */
export interface ReportReader {
  owner: string;
  /** Paths of which the reader may read the plan, the measurements, and the files: a report may have a drawing. */
  readable: readonly PathScope[];
}

function readableBy({ owner, readable }: ReportReader): Sql {
  const conditions = readable.map((scope) => pathCondition(scope, 'path'));
  return sql`(owner = ${owner} OR is_whole AND ${joinSql(conditions, ' AND ')})`;
}

/** Reads kept reports, the newest first. */
export async function readReports(
  session: Session,
  reader: ReportReader,
  { uuid, partUuid, limit }: { uuid?: string | undefined; partUuid?: string | undefined; limit: number },
): Promise<StoredReport[]> {
  const conditions = [readableBy(reader)];
  if (uuid !== undefined) conditions.push(sql`uuid = ${uuid}::uuid`);
  if (partUuid !== undefined) conditions.push(sql`part_uuid = ${partUuid}::uuid`);
  const rows = await session.query<ReportRow>(
    sql`SELECT ${COLUMNS} FROM report WHERE ${joinSql(conditions, ' AND ')} ORDER BY created_at DESC, id DESC LIMIT ${limit}::int`,
  );
  return rows.map(stored);
}

/** A report that begins to be written. */
export interface NewReport {
  uuid: string;
  owner: string;
  user: string;
  template: string;
  title: string;
  partUuid: string;
  path: string;
  markedPath: string;
  created: Date;
  from: string | undefined;
  to: string;
  language: KeptReport['language'];
  whole: boolean;
  /** Time at which it is given up if its process has not ended. */
  expires: Date;
}

export async function insertReport(session: WriteSession, report: NewReport): Promise<void> {
  const { uuid, owner, user, template, title, partUuid, path, markedPath, created, from, to, language, whole, expires } = report;
  await session.query(
    `INSERT INTO report (uuid, owner, made_by, template, title, part_uuid, path, marked_path, created_at, from_at, to_at, language, state,
       reason, is_whole, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'running', '', $13, $14)`,
    [uuid, owner, user, template, title, partUuid, path, markedPath, created, from ?? null, to, language, whole, expires],
  );
}

export async function insertContent(session: WriteSession, uuid: string, position: number, bytes: Buffer): Promise<void> {
  await session.query('INSERT INTO report_content (report_uuid, position, bytes) VALUES ($1, $2, $3)', [uuid, position, bytes], {
    name: 'report-content-write',
  });
}

/** Outcome of a report. */
export type ReportOutcome = { pages: number; sizeBytes: number; sha256: string } | { reason: string };

/** Ends a report that is written; nothing of one that failed is kept. @returns whether it was still there */
export async function finishReport(session: WriteSession, uuid: string, outcome: ReportOutcome, expires: Date): Promise<boolean> {
  const done = 'pages' in outcome;
  if (!done) await deleteContent(session, [uuid]);
  const rows = await session.query(
    `UPDATE report SET state = $2, reason = $3, pages = $4, size_bytes = $5, sha256 = $6, expires_at = $7
     WHERE uuid = $1 AND state = 'running' RETURNING uuid`,
    [
      uuid,
      done ? 'done' : 'failed',
      done ? '' : outcome.reason,
      done ? outcome.pages : null,
      done ? outcome.sizeBytes : null,
      done ? outcome.sha256 : null,
      expires,
    ],
  );
  return rows.length > 0;
}

/** Reads a piece of the bytes of a report. @returns undefined behind the last one */
export async function readContent(session: Session, uuid: string, position: number): Promise<Buffer | undefined> {
  const [row] = await session.query<{ bytes: Buffer }>(
    'SELECT bytes FROM report_content WHERE report_uuid = $1 AND position = $2',
    [uuid, position],
    {
      name: 'report-content-read',
    },
  );
  return row?.bytes;
}

async function deleteContent(session: WriteSession, uuids: readonly string[]): Promise<void> {
  await session.query('DELETE FROM report_content WHERE report_uuid = ANY($1::uuid[])', [uuids]);
}

/** Deletes reports with their bytes. */
export async function deleteReports(session: WriteSession, uuids: readonly string[]): Promise<void> {
  await deleteContent(session, uuids);
  await session.query('DELETE FROM report WHERE uuid = ANY($1::uuid[])', [uuids]);
}

/**
 * Deletes reports whose time is over, and fails those whose process has not ended in time.
 * @returns how many there were
 */
export async function expireReports(session: WriteSession, now: Date, failedUntil: Date): Promise<number> {
  const failed = await session.query<{ uuid: string }>(
    `UPDATE report SET state = 'failed', reason = 'The process that wrote it has ended.', expires_at = $2
     WHERE state = 'running' AND expires_at <= $1 RETURNING uuid`,
    [now, failedUntil],
  );
  if (failed.length > 0) {
    await deleteContent(
      session,
      failed.map(({ uuid }) => uuid),
    );
  }
  const old = await session.query<{ uuid: string }>(`SELECT uuid FROM report WHERE state <> 'running' AND expires_at <= $1 LIMIT 100`, [
    now,
  ]);
  if (old.length > 0) {
    await deleteReports(
      session,
      old.map(({ uuid }) => uuid),
    );
  }
  return failed.length + old.length;
}

function stored(row: ReportRow): StoredReport {
  const { owner, path, markedPath, user, created, from, to, reason, pages, sizeBytes, sha256, expires, ...rest } = row;
  return {
    owner,
    path,
    report: {
      uuid: rest.uuid,
      template: rest.template,
      title: rest.title,
      partUuid: rest.partUuid,
      partPath: markedPath,
      ...(user !== '' && { user }),
      created: created.toISOString(),
      ...(from && { from: from.toISOString() }),
      to: to.toISOString(),
      language: rest.language,
      state: rest.state,
      ...(reason !== '' && { reason }),
      ...(pages !== null && { pages }),
      ...(sizeBytes !== null && { sizeBytes }),
      ...(sha256 !== null && { sha256 }),
      whole: rest.whole,
      expires: expires.toISOString(),
    },
  };
}
