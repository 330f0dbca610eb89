import type { RawDataInformation, TargetEntity } from '@sinebar/contracts';
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
