import { PathScope } from '@sinebar/access-control';
import type { RawDataEntity, TargetEntity } from '@sinebar/contracts';
import { joinSql, pathCondition, rawSql, readObjects, sql, type Session, type Sql } from '@sinebar/database';
import { targetColumns } from '../targets/target.ts';
import { COLUMNS, JOINED, ORDER, toObject, type ObjectRow, type RawDataObject } from './raw-data-object.ts';

export interface ListRequest {
  entity: RawDataEntity;
  /** Identifiers of targets; all targets of the entity type when left out. */
  uuids?: readonly string[] | undefined;
  /** Measurements that the files belong to, directly or through a value. */
  measurementUuids?: readonly string[] | undefined;
  /** Stored path of a part: only files that it or a part below it owns. */
  below?: string | undefined;
  /** A further condition on `object`. */
  condition?: Sql | undefined;
}

interface ListPosition {
  target: TargetEntity;
  key: number;
}

const PAGE_SIZE = 1000;

/**
 * Lists the readable files that meet the condition, in the order of target and key, in batches, from one snapshot.
 * docs/decisions/0011-filters-by-index.md
 */
export function listObjects(session: Session, request: ListRequest, readable: PathScope): AsyncIterable<RawDataObject[]> {
  return request.condition ? filtered(session, request, readable) : paged(session, request, readable);
}

/** The listing as one statement. */
export function listStatement(
  { entity, uuids, measurementUuids, below, condition }: ListRequest,
  readable: PathScope,
  after?: ListPosition,
): Sql {
  const conditions = [sql`object.entity = ${entity}`];
  if (uuids) conditions.push(amongTargets(entity, uuids));
  if (measurementUuids) conditions.push(sql`object.target_uuid = ANY(${measurementUuids}::uuid[])`);
  if (below !== undefined) conditions.push(pathCondition(PathScope.below(below), 'part.path'));
  if (after) conditions.push(behind(after));
  conditions.push(pathCondition(readable, 'part.path'));
  if (condition) conditions.push(condition);
  return sql`SELECT ${rawSql(COLUMNS)} FROM ${rawSql(JOINED)} WHERE ${joinSql(conditions, ' AND ')} ORDER BY ${rawSql(ORDER)}`;
}

async function* filtered(session: Session, request: ListRequest, readable: PathScope): AsyncGenerator<RawDataObject[]> {
  const statement = listStatement(request, readable);
  for await (const rows of readObjects<ObjectRow>(session, statement, { batchRows: PAGE_SIZE })) yield rows.map(toObject);
}

/** Reads page by page from the end of the previous one, so that the first page arrives at once. */
async function* paged(session: Session, request: ListRequest, readable: PathScope): AsyncGenerator<RawDataObject[]> {
  let after: ListPosition | undefined;
  for (;;) {
    const rows = await session.query<ObjectRow>(sql`${listStatement(request, readable, after)} LIMIT ${PAGE_SIZE}::bigint`);
    const page = rows.map(toObject);
    if (page.length > 0) yield page;
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1);
  }
}

function amongTargets(entity: RawDataEntity, uuids: readonly string[]): Sql {
  const columns = uuids.map((uuid) => targetColumns({ entity, uuid }));
  const [first, second] = [columns.map(([, uuid]) => uuid), columns.map(([, , uuid]) => uuid)];
  return sql`(object.target_uuid, object.characteristic_uuid) IN (SELECT * FROM unnest(${first}::uuid[], ${second}::uuid[]))`;
}

function behind({ target, key }: ListPosition): Sql {
  const [, first, second] = targetColumns(target);
  return sql`(object.target_uuid, object.characteristic_uuid, object.key) > (${first}::uuid, ${second}::uuid, ${key}::integer)`;
}
