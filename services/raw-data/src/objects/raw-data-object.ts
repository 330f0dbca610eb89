import type { RawDataEntity, RawDataInformation, TargetEntity } from '@sinebar/contracts';
import { targetOfColumns } from '../targets/target.ts';
import { formatMd5, type Md5Format } from './md5.ts';

export interface RawDataObject {
  /** Id of the row; a replaced file keeps it. */
  id: string;
  target: TargetEntity;
  /** The part that owns the target; its rights apply to the file. */
  partUuid: string;
  /** Stored path of the owning part; `undefined` while the mirror lacks a part that was just recreated. */
  path: string | undefined;
  key: number;
  fileName: string;
  mimeType: string;
  sizeBytes: number;
  /** 32 hexadecimal digits. */
  md5: string;
  created: Date;
  lastModified: Date;
  /** Name in the blob store. */
  objectName: string;
}

/** spec: raw-data-service.md, RawDataInformation */
export function toInformation(object: RawDataObject, md5Format: Md5Format): RawDataInformation {
  return {
    target: object.target,
    key: object.key,
    fileName: object.fileName,
    mimeType: object.mimeType,
    lastModified: object.lastModified.toISOString(),
    created: object.created.toISOString(),
    size: object.sizeBytes,
    md5: formatMd5(object.md5, md5Format),
  };
}

/** A row of {@link COLUMNS}. */
export interface ObjectRow {
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

export const COLUMNS = `object.id::text AS id, object.entity, object.target_uuid, object.characteristic_uuid, object.part_uuid, part.path,
  object.key, object.file_name, object.mime_type, object.size_bytes::text AS size_bytes, encode(object.md5, 'hex') AS md5,
  object.created, object.last_modified, object.object_name`;
/** Joins the mirror for the path. A row whose part the mirror lacks is visible only to callers who may see everything. */
export const JOINED = 'raw_data_object AS object LEFT JOIN part ON part.uuid = object.part_uuid';
export const ORDER = 'object.entity, object.target_uuid, object.characteristic_uuid, object.key';

export function toObject(row: ObjectRow): RawDataObject {
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
