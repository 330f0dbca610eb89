import type { PathScope } from '@sinebar/access-control';
import type { RawDataEntity, TargetEntity } from '@sinebar/contracts';
import { readObjects, type Session } from '@sinebar/database';
import { targetColumns } from '../targets/target.js';
import { COLUMNS, JOINED, ORDER, toObject, type ObjectRow } from './object-rows.js';
import type { RawDataObject } from './raw-data-object.js';

/** A further condition on `object` whose placeholders `$n` begin at a given number. */
export type ObjectCondition = (firstPlaceholder: number) => { sql: string; values: readonly unknown[] };

export interface ListRequest {
  entity: RawDataEntity;
  /** Identifiers of targets; all targets of the entity type when left out. */
  uuids?: readonly string[] | undefined;
  condition?: ObjectCondition | undefined;
}

interface ListPosition {
  target: TargetEntity;
  key: number;
}

interface Statement {
  text: string;
  values: unknown[];
}

const PAGE_SIZE = 1000;

/**
 * Lists the readable files that meet the condition, in the order of target and key, in batches, from one snapshot.
 * docs/decisions/0011-filters-by-index.md
 */
export function listObjects(session: Session, request: ListRequest, readable: PathScope): AsyncIterable<RawDataObject[]> {
  return request.condition ? filtered(session, request, readable) : paged(session, request, readable);
}

export function listStatement(request: ListRequest, readable: PathScope, after?: ListPosition): Statement {
  const values: unknown[] = [request.entity];
  const conditions = ['object.entity = $1'];
  const add = (make: ObjectCondition) => {
    const made = make(values.length + 1);
    conditions.push(made.sql);
    values.push(...made.values);
  };
  if (request.uuids) add(amongTargets(request.entity, request.uuids));
  if (after) add(behind(after));
  add((n) => readable.condition('part.path', n));
  if (request.condition) add(request.condition);
  return { text: `SELECT ${COLUMNS} FROM ${JOINED} WHERE ${conditions.join(' AND ')} ORDER BY ${ORDER}`, values };
}

async function* filtered(session: Session, request: ListRequest, readable: PathScope): AsyncGenerator<RawDataObject[]> {
  const { text, values } = listStatement(request, readable);
  for await (const rows of readObjects<ObjectRow>(session, text, values, { batchRows: PAGE_SIZE })) yield rows.map(toObject);
}

/** Reads page by page from the end of the previous one, so that the first page arrives at once. */
async function* paged(session: Session, request: ListRequest, readable: PathScope): AsyncGenerator<RawDataObject[]> {
  let after: ListPosition | undefined;
  for (;;) {
    const { text, values } = listStatement(request, readable, after);
    const rows = await session.query<ObjectRow>(`${text} LIMIT ${PAGE_SIZE}`, values);
    const page = rows.map(toObject);
    if (page.length > 0) yield page;
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1);
  }
}

function amongTargets(entity: RawDataEntity, uuids: readonly string[]): ObjectCondition {
  const columns = uuids.map((uuid) => targetColumns({ entity, uuid }));
  return (n) => ({
    sql: `(object.target_uuid, object.characteristic_uuid) IN (SELECT * FROM unnest($${n}::uuid[], $${n + 1}::uuid[]))`,
    values: [columns.map(([, first]) => first), columns.map(([, , second]) => second)],
  });
}

function behind({ target, key }: ListPosition): ObjectCondition {
  const [, first, second] = targetColumns(target);
  return (n) => ({
    sql: `(object.target_uuid, object.characteristic_uuid, object.key) > ($${n}::uuid, $${n + 1}::uuid, $${n + 2}::integer)`,
    values: [first, second, key],
  });
}
