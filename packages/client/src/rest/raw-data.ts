import type { ArchiveEntries, RawDataEntity, RawDataInformation, TargetEntity } from '@sinebar/contracts';
import { segment } from '../http/query-text.ts';
import type { RequestContent, RequestOptions, RestConnection } from '../http/rest-connection.ts';

/** A file to store. */
export interface FileToStore {
  fileName: string;
  /** Default `application/octet-stream`. */
  mimeType?: string;
  content: RequestContent;
  /** MD5 of the content in Base64; the server refuses a file with another digest. */
  md5?: string;
}

export interface UploadOptions extends RequestOptions {
  /** Replaces the file with this key; default: the next free key. */
  key?: number;
  /** Replacement for `fetch` for this upload, such as one that tells how far it is. */
  fetch?: typeof fetch;
}

export interface DownloadOptions extends RequestOptions {
  /** ETag of a cached copy: the answer is 304, without a body, while the copy is current. */
  ifNoneMatch?: string;
  /** Range of bytes, both ends included. */
  range?: { first: number; last?: number };
}

/** Chooses files; all conditions have to be met. */
export interface FileQuery extends RequestOptions {
  /** Identifiers of targets. */
  uuids?: readonly string[];
  /** Measurements that the files belong to: `Measurement` lists their own files, `Value` those of their values. */
  measurementUuids?: readonly string[];
  /** Path of a part without type marker: only files that belong to it or to a part below it. */
  partPath?: string;
  /** Such as `Length gt 1000 and FileName like '*.png'`. */
  filter?: string;
}

const FILES = '/rawDataServiceRest/rawData';
const INFORMATION = '/rawDataServiceRest/rawDataInformation';

/** Makes the target of a value, the only entity without a uuid of its own. */
export function valueTarget(measurementUuid: string, characteristicUuid: string): TargetEntity {
  return { entity: 'Value', uuid: `${measurementUuid}|${characteristicUuid}` };
}

/** Files of parts, characteristics, measurements and values. spec: raw-data-service.md */
export class RawData {
  private readonly connection: RestConnection;

  constructor(connection: RestConnection) {
    this.connection = connection;
  }

  /** Lists the files of all entities of a type that the query chooses. */
  list(entity: RawDataEntity, { signal, ...query }: FileQuery = {}): Promise<RawDataInformation[]> {
    return this.connection.json({ method: 'GET', path: `${INFORMATION}/${entity}`, query, ...(signal && { signal }) });
  }

  /** @throws SinebarError 404 when the entity does not exist */
  listOf(target: TargetEntity, options: RequestOptions = {}): Promise<RawDataInformation[]> {
    return this.connection.json({ method: 'GET', path: addressOf(INFORMATION, target), ...options });
  }

  /** Stores a file. */
  upload(target: TargetEntity, file: FileToStore, { key, ...options }: UploadOptions = {}): Promise<RawDataInformation> {
    return this.send('POST', addressOf(FILES, target, key), file, options);
  }

  /** @throws SinebarError 404 when there is no such file */
  replace(target: TargetEntity, key: number, file: FileToStore, options: RequestOptions = {}): Promise<RawDataInformation> {
    return this.send('PUT', addressOf(FILES, target, key), file, options);
  }

  /** Changes name or type. */
  rename(target: TargetEntity, key: number, change: { fileName?: string; mimeType?: string }, options: RequestOptions = {}): Promise<void> {
    return this.connection.done({ method: 'PUT', path: addressOf(INFORMATION, target, key), json: change, ...options });
  }

  /** Downloads a file. @returns the unread response: status 200, with `range` 206, with `ifNoneMatch` possibly 304 */
  download(target: TargetEntity, key: number, { ifNoneMatch, range, signal }: DownloadOptions = {}): Promise<Response> {
    return this.connection.answer({
      method: 'GET',
      path: addressOf(FILES, target, key),
      headers: {
        ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }),
        ...(range && { Range: `bytes=${range.first}-${range.last ?? ''}` }),
      },
      accept: [304],
      ...(signal && { signal }),
    });
  }

  /** Reads a thumbnail. @throws SinebarError 404, also for files without a picture */
  thumbnail(target: TargetEntity, key: number, options: RequestOptions = {}): Promise<Response> {
    return this.connection.answer({ method: 'GET', path: `${addressOf(FILES, target, key)}/thumbnail`, ...options });
  }

  /** Deletes one file, or with `all` every file of the entity. */
  delete(target: TargetEntity, key: number | 'all', options: RequestOptions = {}): Promise<void> {
    return this.connection.done({ method: 'DELETE', path: addressOf(FILES, target, key === 'all' ? undefined : key), ...options });
  }

  /** @throws SinebarError 400 when the file is no zip archive */
  async archiveEntries(target: TargetEntity, key: number, options: RequestOptions = {}): Promise<ArchiveEntries> {
    const path = `${addressOf(FILES, target, key)}/ArchiveEntries`;
    const [entries] = await this.connection.json<[ArchiveEntries]>({ method: 'GET', path, ...options });
    return entries;
  }

  /** Reads one entry of an archive. @param name path of the entry in the archive */
  archiveContent(target: TargetEntity, key: number, name: string, options: RequestOptions = {}): Promise<Response> {
    return this.connection.answer({
      method: 'GET',
      path: `${addressOf(FILES, target, key)}/ArchiveContent/${name.split('/').map(segment).join('/')}`,
      ...options,
    });
  }

  private send(
    method: 'POST' | 'PUT',
    path: string,
    { fileName, mimeType = 'application/octet-stream', content, md5 }: FileToStore,
    options: Omit<UploadOptions, 'key'>,
  ): Promise<RawDataInformation> {
    return this.connection.json({
      method,
      path,
      headers: {
        'Content-Disposition': dispositionOf(fileName),
        'Content-Type': mimeType,
        ...(md5 !== undefined && { 'Content-MD5': md5 }),
      },
      body: content,
      ...options,
    });
  }
}

function addressOf(base: string, { entity, uuid }: TargetEntity, key?: number): string {
  return `${base}/${entity}/${segment(uuid)}${key === undefined ? '' : `/${key}`}`;
}

/** Formats `Content-Disposition`; names outside ASCII are encoded (RFC 8187). */
function dispositionOf(fileName: string): string {
  const encoded = encodeURIComponent(fileName).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename*=UTF-8''${encoded}`;
}
