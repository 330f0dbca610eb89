import type { Readable } from 'node:stream';
import type { ReadableParts } from '@sinebar/access-control';
import type { TargetEntity } from '@sinebar/contracts';
import type { Database, Session } from '@sinebar/database';
import type { RequestContext } from '@sinebar/service-kit';
import { BlobMissingError, type BlobStore } from '../blobs/blob-store.js';
import type { TargetResolver } from '../targets/target-resolver.js';
import { noSuchFile, noSuchTarget } from '../targets/target.js';
import { listObjects, type ListRequest } from './object-listing.js';
import { ObjectLookUps } from './object-look-ups.js';
import { ObjectStore } from './object-store.js';
import { etagOf, requireMatch, type ByteRange } from './preconditions.js';
import { rawDataDeleted, rawDataModified } from './raw-data-changes.js';
import type { RawDataObject } from './raw-data-object.js';
import { requireRight } from './rights.js';

export type Caller = Pick<RequestContext, 'principal' | 'signal' | 'statementTimeoutMs' | 'traceparent' | 'client'>;

export interface ObjectServiceParts {
  database: Database;
  blobs: BlobStore;
  resolver: TargetResolver;
  /** Called after a commit that ordered the removal of bytes. */
  onRemovalOrdered: () => void;
}

/** Files that are there: read, list, rename, delete. */
export class ObjectService {
  private readonly parts: ObjectServiceParts;
  private readonly lookUps: ObjectLookUps;
  private read = 0;

  constructor(parts: ObjectServiceParts) {
    this.parts = parts;
    this.lookUps = new ObjectLookUps(parts.database);
  }

  /** Bytes that this process has read for clients; of a download that was broken off, none. */
  get readBytes(): number {
    return this.read;
  }

  /** @throws ServiceError 404, 403 */
  async find(target: TargetEntity, key: number, caller: Caller): Promise<RawDataObject> {
    const object = await this.lookUps.find(target, key, caller);
    if (!object) throw noSuchFile(target, key);
    requireRight(caller.principal, 'rawData:read', await this.pathOf(object, caller));
    return object;
  }

  /**
   * Opens the bytes of a file. The file may have been replaced since it was looked up, and its bytes be gone.
   * @returns `undefined` then: look it up again
   */
  async open(object: RawDataObject, range: ByteRange | undefined, signal: AbortSignal): Promise<Readable | undefined> {
    try {
      const source = await this.parts.blobs.get(object.objectName, range, signal);
      source.once('end', () => (this.read += range ? range.last - range.first + 1 : object.sizeBytes));
      return source;
    } catch (error) {
      if (error instanceof BlobMissingError) return undefined;
      throw error;
    }
  }

  /**
   * The files of one target. Only a target without files is asked for: one with files exists.
   * @throws ServiceError 404 when there is no such target, 403
   */
  async listOfTarget(target: TargetEntity, caller: Caller): Promise<RawDataObject[]> {
    const readable = caller.principal.partsWith('rawData:read');
    const list = (parts: ReadableParts) =>
      this.parts.database.read(caller, (session) => new ObjectStore(session).listOfTarget(target, parts));
    const objects = await list(readable);
    if (objects.length > 0) return objects;
    const owner = await this.parts.resolver.resolve(target, caller.signal);
    if (!owner) throw noSuchTarget(target);
    requireRight(caller.principal, 'rawData:read', owner.path);
    // The mirror may not have heard yet that its part was moved here.
    return readable === 'all' ? objects : list('all');
  }

  /** All files that the caller may see and that meet the condition, batch by batch, as of one moment. @param session of a snapshot */
  list(session: Session, request: ListRequest, caller: Caller): AsyncIterable<RawDataObject[]> {
    return listObjects(session, request, caller.principal.partsWith('rawData:read'));
  }

  /**
   * Renames a file or changes its MIME type; a member left out stays.
   * @throws ServiceError 404, 403, 412
   * spec: raw-data-service.md, Raw data information; decisions.md 6.9
   */
  async update(
    target: TargetEntity,
    key: number,
    update: { fileName?: string | undefined; mimeType?: string | undefined },
    ifMatch: string | undefined,
    caller: Caller,
  ): Promise<RawDataObject> {
    const path = await this.requireWritable(target, key, caller);
    return this.parts.database.write(caller, async (session) => {
      const store = new ObjectStore(session);
      const before = await store.findForChange(target, key);
      if (!before) throw noSuchFile(target, key);
      requireRight(caller.principal, 'rawData:write', before.path ?? path);
      requireMatch(ifMatch, etagOf(before));
      const { fileName = before.fileName, mimeType = before.mimeType } = update;
      if (fileName === before.fileName && mimeType === before.mimeType) return before;
      const after = await store.rename(before.id, fileName, mimeType);
      session.announce([rawDataModified(before, after, after.path ?? path)]);
      return after;
    });
  }

  /** @throws ServiceError 404, 403, 412 */
  async delete(target: TargetEntity, key: number, ifMatch: string | undefined, caller: Caller): Promise<void> {
    const path = await this.requireWritable(target, key, caller);
    await this.parts.database.write(caller, async (session) => {
      const store = new ObjectStore(session);
      const object = await store.findForChange(target, key);
      if (!object) throw noSuchFile(target, key);
      // The part may have been moved since the first look.
      requireRight(caller.principal, 'rawData:write', object.path ?? path);
      requireMatch(ifMatch, etagOf(object));
      const deleted = await store.deleteOfTarget(target, key);
      session.announce(rawDataDeleted(deleted, (gone) => gone.path ?? path));
    });
    this.parts.onRemovalOrdered();
  }

  /**
   * Deletes all files of a target; none is no failure, as long as the target exists.
   * @throws ServiceError 404, 403
   * spec: decisions.md 6.1
   */
  async deleteAll(target: TargetEntity, caller: Caller): Promise<void> {
    const owner = await this.parts.resolver.resolve(target, caller.signal);
    if (!owner) throw noSuchTarget(target);
    requireRight(caller.principal, 'rawData:write', owner.path);
    await this.parts.database.write(caller, async (session) => {
      const deleted = await new ObjectStore(session).deleteOfTarget(target);
      // The mirror may not have heard yet of the move to where the right was asked for.
      session.announce(rawDataDeleted(deleted, () => owner.path));
    });
    this.parts.onRemovalOrdered();
  }

  /** @returns the path of the owning part, for the event */
  private async requireWritable(target: TargetEntity, key: number, caller: Caller): Promise<string> {
    const object = await this.lookUps.find(target, key, caller);
    if (!object) throw noSuchFile(target, key);
    const path = await this.pathOf(object, caller);
    requireRight(caller.principal, 'rawData:write', path);
    return path;
  }

  /** The mirror's path; where the part is not in it (made again a moment ago) the inspection service knows. */
  private async pathOf(object: RawDataObject, caller: Caller): Promise<string> {
    if (object.path !== undefined) return object.path;
    const owner = await this.parts.resolver.resolve(object.target, caller.signal);
    if (!owner) throw noSuchTarget(object.target);
    return owner.path;
  }
}
