import type { PathScope } from '@sinebar/access-control';
import type { TargetEntity } from '@sinebar/contracts';
import { advisoryKey, pathCondition, rawSql, sql, type Session, type Sql, type Statement } from '@sinebar/database';
import { targetColumns } from '../targets/target.ts';
import { COLUMNS, JOINED, ORDER, toObject, type ObjectRow, type RawDataObject } from './raw-data-object.ts';

export interface StoredFile {
  fileName: string;
  mimeType: string;
  sizeBytes: number;
  md5: string;
  objectName: string;
}

/** The target of a file, as the inspection service describes it. */
export interface FileOwner {
  partUuid: string;
  /** Identity of the target; it changes when the target is deleted and recreated under its uuid. */
  identity?: string | undefined;
  /** Number that grows with every change of the values of the measurement; only for a value. */
  version?: number | undefined;
}

const KEYS_LOCK = advisoryKey('fileKeys', { item: '$1::text' });
/** Rounded to the precision of the interface, so that a time read back compares equal. */
const NOW = `date_trunc('milliseconds', statement_timestamp())`;
/**
 * At least the next full second after the state before: a date of HTTP has no milliseconds and must name one state, also for changes
 * within one second or after the clock was set back (spec: decisions.md 6.4).
 * Computed before the UPDATE, because Citus takes no time that depends on a column there.
 */
const NEXT_MODIFIED = `next AS MATERIALIZED (
        SELECT id, greatest(${NOW}, date_trunc('seconds', last_modified) + interval '1 second') AS modified
        FROM raw_data_object WHERE id = $1::bigint FOR UPDATE
      )`;

export class ObjectStore {
  private readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  /** Finds one file by its address; the caller checks the rights on its path (403, not 404). */
  async find(target: TargetEntity, key: number): Promise<RawDataObject | undefined> {
    const [row] = await this.session.query<ObjectRow>(
      `SELECT ${COLUMNS} FROM ${JOINED}
       WHERE object.entity = $1 AND object.target_uuid = $2 AND object.characteristic_uuid = $3 AND object.key = $4`,
      [...targetColumns(target), key],
      { name: 'raw-data-find' },
    );
    return row && toObject(row);
  }

  /** Finds one file and locks it until the transaction ends. */
  async findForChange(target: TargetEntity, key: number): Promise<RawDataObject | undefined> {
    const condition = sql`${ofTarget(target)} AND object.key = ${key}`;
    const [object] = await this.many(sql`SELECT ${rawSql(COLUMNS)} FROM ${rawSql(JOINED)} WHERE ${condition} FOR UPDATE OF object`);
    return object;
  }

  /** Finds all files of a target, in the order of their keys; the caller checks the rights. */
  async allOf(target: TargetEntity): Promise<RawDataObject[]> {
    return this.many(sql`SELECT ${rawSql(COLUMNS)} FROM ${rawSql(JOINED)} WHERE ${ofTarget(target)} ORDER BY object.key`);
  }

  /** Finds all files of a target and locks them until the transaction ends. */
  async allForChange(target: TargetEntity): Promise<RawDataObject[]> {
    return this.many(
      sql`SELECT ${rawSql(COLUMNS)} FROM ${rawSql(JOINED)} WHERE ${ofTarget(target)} ORDER BY object.key FOR UPDATE OF object`,
    );
  }

  /** Finds those files that exist, in any order; the caller checks the rights, as with `find`. */
  async findAll(addresses: readonly { target: TargetEntity; key: number }[]): Promise<RawDataObject[]> {
    const columns = addresses.map(({ target }) => targetColumns(target));
    return this.many({
      text: `SELECT ${COLUMNS}
       FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::integer[]))
         AS asked (entity, target, characteristic, key)
       JOIN raw_data_object AS object
         ON (object.entity, object.target_uuid, object.characteristic_uuid, object.key)
           = (asked.entity, asked.target, asked.characteristic, asked.key)
       LEFT JOIN part ON part.uuid = object.part_uuid`,
      values: [...[0, 1, 2].map((i) => columns.map((column) => column[i])), addresses.map(({ key }) => key)],
    });
  }

  async listOfTarget(target: TargetEntity, readable: PathScope): Promise<RawDataObject[]> {
    const condition = sql`${ofTarget(target)} AND ${pathCondition(readable, 'part.path')}`;
    return this.many(sql`SELECT ${rawSql(COLUMNS)} FROM ${rawSql(JOINED)} WHERE ${condition} ORDER BY object.key`);
  }

  /**
   * Locks the assignment of keys of this target until the transaction ends.
   * A transaction that also locks the owning part takes that lock first, to avoid deadlocks.
   */
  async lockKeys(target: TargetEntity): Promise<void> {
    await this.session.query(`SELECT pg_advisory_xact_lock(${KEYS_LOCK})`, [keysOf(target)]);
  }

  /** As `lockKeys`, without waiting. @returns whether the lock is held */
  async tryLockKeys(target: TargetEntity): Promise<boolean> {
    const [row] = await this.session.query<{ locked: boolean }>(`SELECT pg_try_advisory_xact_lock(${KEYS_LOCK}) AS locked`, [
      keysOf(target),
    ]);
    return row?.locked === true;
  }

  /** Lists the object names of a target, without a check of rights. */
  async readObjectNames(target: TargetEntity): Promise<string[]> {
    const statement = sql`SELECT object.object_name AS name FROM raw_data_object AS object WHERE ${ofTarget(target)}`;
    return (await this.session.query<{ name: string }>(statement)).map(({ name }) => name);
  }

  /** Returns the highest key in use plus 1; the first is 0 (spec: decisions.md 6.9). */
  async nextKey(target: TargetEntity): Promise<number> {
    const [row] = await this.session.query<{ key: string }>(
      sql`SELECT (coalesce(max(object.key)::bigint + 1, 0))::text AS key FROM raw_data_object AS object WHERE ${ofTarget(target)}`,
    );
    return Number(row?.key);
  }

  async insert(target: TargetEntity, owner: FileOwner, key: number, file: StoredFile): Promise<RawDataObject> {
    const text = `
      WITH object AS (
        INSERT INTO raw_data_object (entity, target_uuid, characteristic_uuid, part_uuid, key, file_name, mime_type, size_bytes, md5,
          object_name, target_identity, target_version, created, last_modified)
        SELECT $1, $2::uuid, $3::uuid, $4::uuid, $5::integer, $6, $7, $8::bigint, decode($9, 'hex'), $10::uuid, $11, $12::integer, now, now
        FROM (SELECT ${NOW} AS now) AS clock
        RETURNING *
      )
      SELECT ${COLUMNS} FROM object LEFT JOIN part ON part.uuid = object.part_uuid`;
    return this.changed(text, [...targetColumns(target), owner.partUuid, key, ...fileColumns(file), ...ownerColumns(owner)]);
  }

  /** Replaces the bytes of a file; the caller removes the old ones after the commit. */
  async replace(id: string, owner: FileOwner, file: StoredFile): Promise<RawDataObject> {
    const text = `
      WITH ${NEXT_MODIFIED}, object AS (
        UPDATE raw_data_object SET file_name = $2, mime_type = $3, size_bytes = $4::bigint, md5 = decode($5, 'hex'), object_name = $6::uuid,
          target_identity = $7, target_version = $8::integer, last_modified = next.modified
        FROM next WHERE raw_data_object.id = next.id RETURNING raw_data_object.*
      )
      SELECT ${COLUMNS} FROM object LEFT JOIN part ON part.uuid = object.part_uuid`;
    return this.changed(text, [id, ...fileColumns(file), ...ownerColumns(owner)]);
  }

  async rename(id: string, fileName: string, mimeType: string): Promise<RawDataObject> {
    const text = `
      WITH ${NEXT_MODIFIED}, object AS (
        UPDATE raw_data_object SET file_name = $2, mime_type = $3, last_modified = next.modified
        FROM next WHERE raw_data_object.id = next.id RETURNING raw_data_object.*
      )
      SELECT ${COLUMNS} FROM object LEFT JOIN part ON part.uuid = object.part_uuid`;
    return this.changed(text, [id, fileName, mimeType]);
  }

  /** Deletes one file and orders the removal of its bytes. @returns the deleted file */
  async delete(target: TargetEntity, key: number): Promise<RawDataObject[]> {
    return this.deleteWhere(sql`${ofTarget(target)} AND object.key = ${key}::integer`);
  }

  /**
   * Deletes the files of all targets of these parts and orders the removal of their bytes.
   * @returns the deleted files without paths: the mirror may lack a move right before the deletion, whose event has the last path
   */
  async deleteOfParts(partUuids: readonly string[], readable: PathScope): Promise<RawDataObject[]> {
    const deleted = await this.deleteWhere(sql`object.part_uuid = ANY(${partUuids}::uuid[]) AND ${pathCondition(readable, 'part.path')}`);
    return deleted.map((object) => ({ ...object, path: undefined }));
  }

  /** Deletes these files and orders the removal of their bytes. @returns the files that existed */
  async deleteByIds(ids: readonly string[]): Promise<RawDataObject[]> {
    return this.deleteWhere(sql`object.id = ANY(${ids}::bigint[])`);
  }

  private async deleteWhere(condition: Sql): Promise<RawDataObject[]> {
    return this.many(
      sql`WITH deleted AS (
         DELETE FROM raw_data_object WHERE id IN (
           SELECT object.id FROM ${rawSql(JOINED)} WHERE ${condition} FOR UPDATE OF object
         ) RETURNING *
       ), removal AS (
         INSERT INTO blob_removal (object_name, due, md5) SELECT object_name, statement_timestamp(), md5 FROM deleted ON CONFLICT DO NOTHING
       )
       SELECT ${rawSql(COLUMNS)} FROM deleted AS object LEFT JOIN part ON part.uuid = object.part_uuid ORDER BY ${rawSql(ORDER)}`,
    );
  }

  /** Deletes the files of these objects and orders the removal of their bytes. @returns the files that existed */
  async deleteByObjectNames(names: readonly string[]): Promise<RawDataObject[]> {
    return this.deleteWhere(sql`object.object_name = ANY(${names}::uuid[])`);
  }

  private async many(statement: Statement): Promise<RawDataObject[]> {
    return (await this.session.query<ObjectRow>(statement)).map(toObject);
  }

  private async changed(text: string, values: readonly unknown[]): Promise<RawDataObject> {
    const [row] = await this.session.query<ObjectRow>(text, values);
    if (!row) throw new Error('a row that was locked for a change does not exist');
    return toObject(row);
  }
}

function ofTarget(target: TargetEntity): Sql {
  const [entity, first, second] = targetColumns(target);
  return sql`object.entity = ${entity} AND object.target_uuid = ${first} AND object.characteristic_uuid = ${second}`;
}

function keysOf(target: TargetEntity): string {
  return `${target.entity} ${target.uuid}`;
}

function ownerColumns({ identity, version }: FileOwner): unknown[] {
  return [identity ?? null, version ?? null];
}

function fileColumns(file: StoredFile): unknown[] {
  return [file.fileName, file.mimeType, file.sizeBytes, file.md5, file.objectName];
}
