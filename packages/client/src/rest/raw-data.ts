import type { ArchiveEntries, RawDataEntity, RawDataInformation, TargetEntity } from '@sinebar/contracts';
import { segment } from '../http/query-text.js';
import type { RequestContent, RequestOptions, RestConnection } from '../http/rest-connection.js';

/** A file to store. */
export interface FileToStore {
  fileName: string;
  /** Default `application/octet-stream`. */
  mimeType?: string;
  content: RequestContent;
  /** MD5 of the content in Base64; the server refuses a file with another digest. */
  md5?: string;
}

export interface DownloadOptions extends RequestOptions {
  /** ETag of a cached copy: the answer is 304, without a body, while the copy is current. */
  ifNoneMatch?: string;
  /** Range of bytes, both ends included. */
  range?: { first: number; last?: number };
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

  /** Lists the files of all entities of a type, or of the given ones; `filter` as in `Length gt 1000 and FileName like '*.png'`. */
  list(
    entity: RawDataEntity,
    { signal, ...query }: { uuids?: readonly string[]; filter?: string } & RequestOptions = {},
  ): Promise<RawDataInformation[]> {
    return this.connection.json({ method: 'GET', path: `${INFORMATION}/${entity}`, query, ...(signal && { signal }) });
  }

  /** @throws SinebarError 404 when the entity does not exist */
  listOf(target: TargetEntity, options: RequestOptions = {}): Promise<RawDataInformation[]> {
    return this.connection.json({ method: 'GET', path: addressOf(INFORMATION, target), ...options });
  }

  /** Stores a file. @param options.key replaces the file with this key; default: the next free key */
  upload(target: TargetEntity, file: FileToStore, { key, signal }: { key?: number } & RequestOptions = {}): Promise<RawDataInformation> {
    return this.send('POST', addressOf(FILES, target, key), file, signal);
  }

  /** @throws SinebarError 404 when there is no such file */
  replace(target: TargetEntity, key: number, file: FileToStore, { signal }: RequestOptions = {}): Promise<RawDataInformation> {
    return this.send('PUT', addressOf(FILES, target, key), file, signal);
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
    signal: AbortSignal | undefined,
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
      ...(signal && { signal }),
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
