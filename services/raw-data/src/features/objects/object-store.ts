import { readableCondition, type ReadableParts } from '@sinebar/access-control';
import type { RawDataEntity, TargetEntity } from '@sinebar/contracts';
import type { Session } from '@sinebar/database';
import { targetColumns, targetOfColumns } from '../targets/target.js';
import type { RawDataObject } from './raw-data-object.js';

/** What an upload brings. */
export interface StoredFile {
  fileName: string;
  mimeType: string;
  sizeBytes: number;
  md5: string;
  objectName: string;
}

/** What the inspection service says of the target of a file. */
export interface FileOwner {
  partUuid: string;
  /** Another one after the target was deleted and made again under its uuid. */
  identity?: string | undefined;
}

/** A place in the order of listings. */
export interface ListPosition {
  target: TargetEntity;
  key: number;
}

/** A further condition on `object` with `$n` placeholders from a given number on. */
export type ObjectCondition = (firstPlaceholder: number) => { sql: string; values: unknown[] };

export interface ListPageRequest {
  entity: RawDataEntity;
  /** Identifiers of targets; without it all targets of the entity type. */
  uuids?: readonly string[] | undefined;
  condition?: ObjectCondition | undefined;
  after?: ListPosition | undefined;
  limit: number;
}

interface Row {
  id: string;
  entity: RawDataEntity;
  target_uuid: string;
  characteristic_uuid: string;
  part_uuid: string;
  path: string | null;
  key: number;
  file_name: string;
  mime_type: string;
  size_bytes: string;
  md5: string;
  created: Date;
  last_modified: Date;
  object_name: string;
}

const COLUMNS = `object.id::text AS id, object.entity, object.target_uuid, object.characteristic_uuid, object.part_uuid, part.path, object.key,
  object.file_name, object.mime_type, object.size_bytes::text AS size_bytes, encode(object.md5, 'hex') AS md5, object.created, object.last_modified, object.object_name`;
/** The mirror gives the path. A row whose part is not in it (yet) is seen only by those who may see everything. */
const JOINED = 'raw_data_object AS object LEFT JOIN part ON part.uuid = object.part_uuid';
const OF_TARGET = 'object.entity = $1 AND object.target_uuid = $2 AND object.characteristic_uuid = $3';
const ORDER = 'object.entity, object.target_uuid, object.characteristic_uuid, object.key';
/** Stored to the millisecond, as it is sent: a time read back must compare equal. */
const NOW = `date_trunc('milliseconds', clock_timestamp())`;
/** A change within the same millisecond, or after the clock was set back, still makes a new ETag. */
const NEXT_MODIFIED = `greatest(${NOW}, last_modified + interval '1 millisecond')`;

/** Rows of files, within one unit of work. */
export class ObjectStore {
  private readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  /** One file by its address; the caller holds its path against the rights (an address that may not be read is 403, not missing). */
  async find(target: TargetEntity, key: number): Promise<RawDataObject | undefined> {
    const text = `SELECT ${COLUMNS} FROM ${JOINED} WHERE ${OF_TARGET} AND object.key = $4`;
    return this.one(text, [...targetColumns(target), key], 'raw-data-find');
  }

  /** As `find`, but nobody else changes the file until the transaction ends. */
  async findForChange(target: TargetEntity, key: number): Promise<RawDataObject | undefined> {
    const text = `SELECT ${COLUMNS} FROM ${JOINED} WHERE ${OF_TARGET} AND object.key = $4 FOR UPDATE OF object`;
    return this.one(text, [...targetColumns(target), key]);
  }

  async listOfTarget(target: TargetEntity, readable: ReadableParts): Promise<RawDataObject[]> {
    const rights = readableCondition(readable, 'part.path', 4);
    const text = `SELECT ${COLUMNS} FROM ${JOINED} WHERE ${OF_TARGET} AND ${rights.sql} ORDER BY object.key`;
    return this.many(text, [...targetColumns(target), ...rights.values]);
  }

  /** Whether the target has files, whoever may see them. */
  async hasObjects(target: TargetEntity): Promise<boolean> {
    const rows = await this.session.query(`SELECT 1 FROM raw_data_object AS object WHERE ${OF_TARGET} LIMIT 1`, targetColumns(target));
    return rows.length > 0;
  }

  /** One page in the order of target and key. */
  async listPage(request: ListPageRequest, readable: ReadableParts): Promise<RawDataObject[]> {
    const values: unknown[] = [request.entity, request.limit];
    const conditions = ['object.entity = $1'];
    const add = (make: (firstPlaceholder: number) => { sql: string; values: readonly unknown[] }) => {
      const made = make(values.length + 1);
      conditions.push(made.sql);
      values.push(...made.values);
    };
    if (request.uuids) {
      const columns = request.uuids.map((uuid) => targetColumns({ entity: request.entity, uuid }));
      add((n) => ({
        sql: `(object.target_uuid, object.characteristic_uuid) IN (SELECT * FROM unnest($${n}::uuid[], $${n + 1}::uuid[]))`,
        values: [columns.map(([, first]) => first), columns.map(([, , second]) => second)],
      }));
    }
    if (request.after) {
      const [, first, second] = targetColumns(request.after.target);
      const { key } = request.after;
      add((n) => ({
        sql: `(object.target_uuid, object.characteristic_uuid, object.key) > ($${n}::uuid, $${n + 1}::uuid, $${n + 2}::integer)`,
        values: [first, second, key],
      }));
    }
    add((n) => readableCondition(readable, 'part.path', n));
    if (request.condition) add(request.condition);
    return this.many(`SELECT ${COLUMNS} FROM ${JOINED} WHERE ${conditions.join(' AND ')} ORDER BY ${ORDER} LIMIT $2`, values);
  }

  /**
   * Until the transaction ends nobody else hands out keys of this target.
   * Taken behind the lock on the owning part, never before it, so that two transactions cannot wait for each other.
   */
  async lockKeys(target: TargetEntity): Promise<void> {
    await this.session.query(`SELECT pg_advisory_xact_lock(hashtextextended('raw-data keys ' || $1, 0))`, [
      `${target.entity} ${target.uuid}`,
    ]);
  }

  /** The highest key in use plus 1, the first is 0 (spec: decisions.md 6.9). */
  async nextKey(target: TargetEntity): Promise<number> {
    const text = `SELECT (coalesce(max(object.key)::bigint + 1, 0))::text AS key FROM raw_data_object AS object WHERE ${OF_TARGET}`;
    const [row] = await this.session.query<{ key: string }>(text, targetColumns(target));
    return Number(row?.key);
  }

  async insert(target: TargetEntity, owner: FileOwner, key: number, file: StoredFile): Promise<RawDataObject> {
    const text = `
      WITH object AS (
        INSERT INTO raw_data_object (entity, target_uuid, characteristic_uuid, part_uuid, key, file_name, mime_type, size_bytes, md5, object_name,
          target_identity, created, last_modified)
        SELECT $1, $2::uuid, $3::uuid, $4::uuid, $5::integer, $6, $7, $8::bigint, decode($9, 'hex'), $10::uuid, $11, now, now FROM (SELECT ${NOW} AS now) AS clock
        RETURNING *
      )
      SELECT ${COLUMNS} FROM object LEFT JOIN part ON part.uuid = object.part_uuid`;
    return this.changed(text, [...targetColumns(target), owner.partUuid, key, ...fileColumns(file), owner.identity ?? null]);
  }

  /** New bytes for a file; the caller removes the old ones after the commit. */
  async replace(id: string, owner: FileOwner, file: StoredFile): Promise<RawDataObject> {
    const text = `
      WITH object AS (
        UPDATE raw_data_object SET file_name = $2, mime_type = $3, size_bytes = $4::bigint, md5 = decode($5, 'hex'), object_name = $6::uuid,
          target_identity = $7, last_modified = ${NEXT_MODIFIED}
        WHERE id = $1::bigint RETURNING *
      )
      SELECT ${COLUMNS} FROM object LEFT JOIN part ON part.uuid = object.part_uuid`;
    return this.changed(text, [id, ...fileColumns(file), owner.identity ?? null]);
  }

  async rename(id: string, fileName: string, mimeType: string): Promise<RawDataObject> {
    const text = `
      WITH object AS (
        UPDATE raw_data_object SET file_name = $2, mime_type = $3, last_modified = ${NEXT_MODIFIED} WHERE id = $1::bigint RETURNING *
      )
      SELECT ${COLUMNS} FROM object LEFT JOIN part ON part.uuid = object.part_uuid`;
    return this.changed(text, [id, fileName, mimeType]);
  }

  /** Deletes files of a target, all or the one with `key`, and orders the removal of their bytes. @returns what was deleted */
  async deleteOfTarget(target: TargetEntity, key: number | undefined, readable: ReadableParts): Promise<RawDataObject[]> {
    const rights = readableCondition(readable, 'part.path', 5);
    return this.deleteWhere(`${OF_TARGET} AND ($4::integer IS NULL OR object.key = $4::integer) AND ${rights.sql}`, [
      ...targetColumns(target),
      key ?? null,
      ...rights.values,
    ]);
  }

  /** Deletes the files of everything that these parts own and orders the removal of their bytes. */
  async deleteOfParts(partUuids: readonly string[], readable: ReadableParts): Promise<RawDataObject[]> {
    const rights = readableCondition(readable, 'part.path', 2);
    return this.deleteWhere(`object.part_uuid = ANY($1::uuid[]) AND ${rights.sql}`, [partUuids, ...rights.values]);
  }

  /** Deletes these files and orders the removal of their bytes. @returns those that were there */
  async deleteByIds(ids: readonly string[]): Promise<RawDataObject[]> {
    return this.deleteWhere('object.id = ANY($1::bigint[])', [ids]);
  }

  private async deleteWhere(condition: string, values: readonly unknown[]): Promise<RawDataObject[]> {
    return this.many(
      `WITH gone AS (
         DELETE FROM raw_data_object WHERE id IN (SELECT object.id FROM ${JOINED} WHERE ${condition} FOR UPDATE OF object) RETURNING *
       ), removal AS (
         INSERT INTO blob_removal (object_name, due, md5) SELECT object_name, clock_timestamp(), md5 FROM gone ON CONFLICT DO NOTHING
       )
       SELECT ${COLUMNS} FROM gone AS object LEFT JOIN part ON part.uuid = object.part_uuid ORDER BY ${ORDER}`,
      values,
    );
  }

  private async one(text: string, values: readonly unknown[], name?: string): Promise<RawDataObject | undefined> {
    const [row] = await this.session.query<Row>(text, values, name === undefined ? {} : { name });
    return row && toObject(row);
  }

  private async many(text: string, values: readonly unknown[]): Promise<RawDataObject[]> {
    return (await this.session.query<Row>(text, values)).map(toObject);
  }

  private async changed(text: string, values: readonly unknown[]): Promise<RawDataObject> {
    const [row] = await this.session.query<Row>(text, values);
    if (!row) throw new Error('a row that was locked for a change is gone');
    return toObject(row);
  }
}

function fileColumns(file: StoredFile): unknown[] {
  return [file.fileName, file.mimeType, file.sizeBytes, file.md5, file.objectName];
}

function toObject(row: Row): RawDataObject {
  return {
    id: row.id,
    target: targetOfColumns(row.entity, row.target_uuid, row.characteristic_uuid),
    partUuid: row.part_uuid,
    path: row.path ?? undefined,
    key: row.key,
    fileName: row.file_name,
    mimeType: row.mime_type,
    sizeBytes: Number(row.size_bytes),
    md5: row.md5,
    created: row.created,
    lastModified: row.last_modified,
    objectName: row.object_name,
  };
}
