import { PathScope, rangeEnd } from '@sinebar/access-control';
import { columnsOf, NO_SQL, pathCondition, rawSql, sql, type Session, type WriteSession } from '@sinebar/database';
import type { EvaluationExclusion, EvaluationHistory, EvaluationList, EvaluationState, InheritedEvaluation } from '@sinebar/contracts';
import type { PlanItemKind } from '@sinebar/query-language';
import { EVALUATION_ATTRIBUTES, type AttributeNumbers, type EvaluationLevel } from './effective-evaluation.ts';

/** A part or characteristic that has an evaluation or may get one. */
export interface EvaluatedItem {
  id: number;
  uuid: string;
  kind: PlanItemKind;
  /** Stored path. */
  path: string;
  partId: number;
  partUuid: string;
  partPath: string;
  /** Numbers of the attributes that an evaluation follows from. */
  numbers: AttributeNumbers;
}

/** An exclusion with its level. */
export interface StoredExclusion extends EvaluationExclusion {
  itemId: number;
  measurementId: string;
}

/** Latest revisions that a history lists. */
const MAX_REVISIONS = 1000;

export async function findEvaluatedItem(session: Session, kind: PlanItemKind, uuid: string): Promise<EvaluatedItem | undefined> {
  const [item] = await session.query<EvaluatedItem & Record<string, unknown>>(
    `SELECT item.id, item.uuid, item.kind, item.path, part.id AS "partId", part.uuid AS "partUuid", part.path AS "partPath",
       coalesce((SELECT json_object_agg(key, limit_number(item.attributes ->> key))
         FROM unnest('{${EVALUATION_ATTRIBUTES.join(',')}}'::text[]) AS key), '{}') AS numbers
     FROM plan_item item JOIN plan_item part ON part.id = item.part_id WHERE item.uuid = $1 AND item.kind = $2`,
    [uuid, kind],
    { name: 'evaluated-item' },
  );
  return item;
}

/** Returns the stored paths of an item and of everything above it. */
export function pathsAbove(path: string): string[] {
  const paths = [''];
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) paths.push(path.slice(0, end + 1));
  return paths;
}

/** Reads the own members of an item and of everything above it, the nearest first. */
export async function readLevels(session: Session, path: string): Promise<(EvaluationLevel & { revision: number })[]> {
  return readLevelsOf(session, pathsAbove(path));
}

/** Reads the own members of items by their stored paths, the deepest first. */
export async function readLevelsOf(session: Session, paths: readonly string[]): Promise<(EvaluationLevel & { revision: number })[]> {
  return session.query<EvaluationLevel & { revision: number } & Record<string, unknown>>(
    `SELECT item.kind, item.uuid, item.path, e.state, e.revision FROM evaluation e JOIN plan_item item ON item.id = e.item_id
     WHERE item.path = ANY($1::text[]) ORDER BY item.depth DESC`,
    [paths],
    { name: 'evaluation-levels' },
  );
}

/** Reads which items have evaluations that concern a part or its characteristics. @returns a text that changes with each of them */
export async function readEvaluationRevisions(session: Session, partId: number): Promise<string> {
  const [row] = await session.query<{ revisions: string | null }>(
    `WITH RECURSIVE above AS (
       SELECT id, parent_id FROM plan_item WHERE id = $1
       UNION ALL SELECT item.id, item.parent_id FROM above JOIN plan_item item ON item.id = above.parent_id)
     SELECT string_agg(e.item_id || ' ' || e.revision, ',' ORDER BY e.item_id) AS revisions FROM evaluation e
     WHERE e.item_id IN (SELECT id FROM above UNION ALL SELECT id FROM plan_item WHERE part_id = $1 AND kind = 'characteristic')`,
    [partId],
    { name: 'evaluation-revisions' },
  );
  return row?.revisions ?? '';
}

/**
 * Reads the exclusions of an item and of everything above it that concern its measurements: for a characteristic those of its part, for a
 * part those of itself and of everything below. A measurement that several levels exclude comes once, from the nearest.
 */
export async function readExclusions(session: Session, { kind, path, partPath }: EvaluatedItem): Promise<StoredExclusion[]> {
  const concerned =
    kind === 'characteristic'
      ? sql`part.path = ${partPath}`
      : sql`part.path >= ${path} ${path === '' ? NO_SQL : sql`AND part.path < ${rangeEnd(path)}`}`;
  const rows = await session.query<StoredExclusion & Record<string, unknown>>(sql`
    SELECT * FROM (
      SELECT DISTINCT ON (m.id) item.id AS "itemId", m.id AS "measurementId", m.uuid AS "measurementUuid", x.reason,
        nullif(x.excluded_by, '') AS "user", to_char(x.excluded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS time
      FROM evaluation_exclusion x JOIN plan_item item ON item.id = x.item_id JOIN measurement m ON m.id = x.measurement_id
        JOIN plan_item part ON part.id = m.part_id
      WHERE item.path = ANY(${pathsAbove(path)}::text[]) AND ${concerned}
      ORDER BY m.id, item.depth DESC) AS nearest
    ORDER BY time, "measurementId"`);
  return rows.map(({ user, ...row }) => ({ ...row, ...(user && { user }) }));
}

/** Reads the own states at and below a path, parents before children. */
export async function readOwnStates(session: Session, path: string, readable: PathScope): Promise<EvaluationList> {
  return session.query<EvaluationList[number] & Record<string, unknown>>(sql`
    SELECT CASE item.kind WHEN 'part' THEN 'Part' ELSE 'Characteristic' END AS entity, item.uuid,
      e.state || coalesce((SELECT jsonb_build_object('exclusions', jsonb_agg(${exclusionJson} ORDER BY x.excluded_at, m.id))
        FROM evaluation_exclusion x JOIN measurement m ON m.id = x.measurement_id WHERE x.item_id = item.id HAVING count(*) > 0), '{}') AS state
    FROM evaluation e JOIN plan_item item ON item.id = e.item_id
    WHERE ${pathCondition(PathScope.below(path), 'item.path')} AND ${pathCondition(readable, 'item.path')} ORDER BY item.path`);
}

const UTC_TIME = rawSql(`to_char(x.excluded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);
const exclusionJson = sql`jsonb_strip_nulls(jsonb_build_object('measurementUuid', m.uuid, 'reason', x.reason,
  'user', nullif(x.excluded_by, ''), 'time', ${UTC_TIME}))`;

/** A measurement that an evaluation may exclude. */
export interface ExcludableMeasurement {
  id: string;
  uuid: string;
  partId: number;
  partPath: string;
}

export async function findMeasurements(session: Session, uuids: readonly string[]): Promise<ExcludableMeasurement[]> {
  if (uuids.length === 0) return [];
  return session.query<ExcludableMeasurement & Record<string, unknown>>(
    sql`SELECT m.id::text AS id, m.uuid, part.id AS "partId", part.path AS "partPath"
      FROM measurement m JOIN plan_item part ON part.id = m.part_id WHERE m.uuid = ANY(${uuids}::uuid[])`,
  );
}

/** Statements on evaluations inside one transaction under the plan lock. */
export class EvaluationStore {
  private readonly session: WriteSession;

  constructor(session: WriteSession) {
    this.session = session;
  }

  /** Reads the number of changes of an own state so far. */
  async lastRevision(itemId: number): Promise<number> {
    const [row] = await this.session.query<{ revision: number }>(
      'SELECT coalesce(max(revision), 0) AS revision FROM evaluation_history WHERE item_id = $1',
      [itemId],
    );
    return row?.revision ?? 0;
  }

  async put(itemId: number, revision: number, state: InheritedEvaluation): Promise<void> {
    await this.session.query(
      `INSERT INTO evaluation (item_id, revision, state) VALUES ($1, $2, $3)
       ON CONFLICT (item_id) DO UPDATE SET revision = EXCLUDED.revision, state = EXCLUDED.state`,
      [itemId, revision, JSON.stringify(state)],
    );
  }

  async delete(itemId: number): Promise<void> {
    await this.session.query('DELETE FROM evaluation WHERE item_id = $1', [itemId]);
    await this.session.query('DELETE FROM evaluation_exclusion WHERE item_id = $1', [itemId]);
  }

  /** Replaces the exclusions of an item. */
  async putExclusions(itemId: number, exclusions: readonly Omit<StoredExclusion, 'itemId'>[]): Promise<void> {
    await this.session.query('DELETE FROM evaluation_exclusion WHERE item_id = $1', [itemId]);
    if (exclusions.length === 0) return;
    const rows = exclusions.map(({ user = '', ...exclusion }) => ({ ...exclusion, user }));
    await this.session.query(
      `INSERT INTO evaluation_exclusion (item_id, measurement_id, reason, excluded_by, excluded_at)
       SELECT $1, x.* FROM unnest($2::bigint[], $3::text[], $4::text[], $5::timestamptz[]) AS x`,
      [itemId, ...columnsOf(rows, 'measurementId', 'reason', 'user', 'time')],
    );
  }

  /** @param state `undefined` for a deletion */
  async addHistory(
    itemId: number,
    { revision, at, user, reason, state }: { revision: number; at: Date; user: string; reason: string; state: EvaluationState | undefined },
  ): Promise<void> {
    await this.session.query(
      `INSERT INTO evaluation_history (item_id, revision, changed_at, changed_by, reason, state) VALUES ($1, $2, $3, $4, $5, $6)`,
      [itemId, revision, at, user, reason, state === undefined ? null : JSON.stringify(state)],
    );
  }
}

/** Reads the changes of an own state, the newest first. */
export async function readHistory(session: Session, itemId: number): Promise<EvaluationHistory> {
  const rows = await session.query<{ revision: number; time: Date; user: string; reason: string; state: EvaluationState | null }>(
    `SELECT revision, changed_at AS time, changed_by AS "user", reason, state FROM evaluation_history
     WHERE item_id = $1 ORDER BY revision DESC LIMIT ${MAX_REVISIONS}`,
    [itemId],
  );
  return rows.map(({ time, user, state, ...row }) => ({
    revision: row.revision,
    time: time.toISOString(),
    ...(user !== '' && { user }),
    reason: row.reason,
    ...(state !== null && { state }),
  }));
}
