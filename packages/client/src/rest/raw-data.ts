import type { ArchiveEntries, RawDataEntity, RawDataInformation, TargetEntity } from '@sinebar/contracts';
import { segment } from '../http/query-text.js';
import type { RequestContent, RequestOptions, RestConnection } from '../http/rest-connection.js';

/** A file to store. */
export interface FileToStore {
  fileName: string;
  /** Default `application/octet-stream`. */
  mimeType?: string;
  content: RequestContent;
  /** The server refuses a file with another digest; Base64. */
  md5?: string;
}

export interface DownloadOptions extends RequestOptions {
  /** ETag of a copy: the answer is 304, without a body, while it is still good. */
  ifNoneMatch?: string;
  /** Bytes, both ends included. */
  range?: { first: number; last?: number };
}

const FILES = '/rawDataServiceRest/rawData';
const INFORMATION = '/rawDataServiceRest/rawDataInformation';

/** Names a value, the one entity without a uuid of its own. */
export function valueTarget(measurementUuid: string, characteristicUuid: string): TargetEntity {
  return { entity: 'Value', uuid: `${measurementUuid}|${characteristicUuid}` };
}

/** Files of parts, characteristics, measurements and values. spec: raw-data-service.md */
export class RawData {
  private readonly connection: RestConnection;

  constructor(connection: RestConnection) {
    this.connection = connection;
  }

  /** Files of all entities of a type, or of those named; `filter` as in `Length gt 1000 and FileName like '*.png'`. */
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

  /** @param options.key replaces the file that has it; left out: the next free one */
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

  /** @returns the answer as `fetch` gives it, its body not read: status 200, with `range` 206, with `ifNoneMatch` perhaps 304 */
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

  /** @throws SinebarError 404 also for files that no picture can be made of */
  thumbnail(target: TargetEntity, key: number, options: RequestOptions = {}): Promise<Response> {
    return this.connection.answer({ method: 'GET', path: `${addressOf(FILES, target, key)}/thumbnail`, ...options });
  }

  /** Without a key all files of the entity. */
  delete(target: TargetEntity, key: number | 'all', options: RequestOptions = {}): Promise<void> {
    return this.connection.done({ method: 'DELETE', path: addressOf(FILES, target, key === 'all' ? undefined : key), ...options });
  }

  /** @throws SinebarError 400 when the file is no zip archive */
  async archiveEntries(target: TargetEntity, key: number, options: RequestOptions = {}): Promise<ArchiveEntries> {
    const path = `${addressOf(FILES, target, key)}/ArchiveEntries`;
    const [entries] = await this.connection.json<[ArchiveEntries]>({ method: 'GET', path, ...options });
    return entries;
  }

  /** @param name with its folders */
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

/** Headers hold no other letters than those of ASCII (RFC 8187). */
function dispositionOf(fileName: string): string {
  const encoded = encodeURIComponent(fileName).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename*=UTF-8''${encoded}`;
}
