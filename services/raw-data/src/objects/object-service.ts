import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { PathScope } from '@sinebar/access-control';
import { ServiceError, type TargetEntity } from '@sinebar/contracts';
import type { Database, Session } from '@sinebar/database';
import type { RequestContext } from '@sinebar/http';
import { BlobMissingError, type BlobStore, type ByteRange } from '../blobs/blob-store.ts';
import type { OwningPart, TargetResolver } from '../targets/target-resolver.ts';
import { describeTarget, noSuchFile, noSuchTarget } from '../targets/target.ts';
import type { CurrentPaths } from './current-paths.ts';
import { listObjects, type ListRequest } from './object-listing.ts';
import { ObjectLookUps } from './object-look-ups.ts';
import { ObjectStore } from './object-store.ts';
import { isConditional, requireConditions, stateOf } from './preconditions.ts';
import { rawDataDeleted, rawDataModified } from './raw-data-changes.ts';
import type { RawDataObject } from './raw-data-object.ts';
import { requireRight } from './rights.ts';

export type Caller = Pick<RequestContext, 'principal' | 'signal' | 'statementTimeoutMs' | 'traceparent' | 'client'>;

/** Time in milliseconds for which a deletion of all files of a target retries during concurrent changes. */
const MAX_LOCK_WAIT_MS = 5000;

export interface ObjectServiceDependencies {
  database: Database;
  blobs: BlobStore;
  resolver: TargetResolver;
  paths: CurrentPaths;
  /** Called after a commit that ordered the removal of bytes. */
  onRemovalOrdered: () => void;
}

/** Reads, lists, renames and deletes stored files. */
export class ObjectService {
  private readonly deps: ObjectServiceDependencies;
  private readonly lookUps: ObjectLookUps;
  private read = 0;

  constructor(deps: ObjectServiceDependencies) {
    this.deps = deps;
    this.lookUps = new ObjectLookUps(deps.database);
  }

  /** Number of bytes read for clients by this process, without interrupted downloads. */
  get readBytes(): number {
    return this.read;
  }

  /** @throws ServiceError 404, 403 */
  async find(target: TargetEntity, key: number, caller: Caller): Promise<RawDataObject> {
    const object = await this.lookUps.find(target, key, caller);
    if (!object) throw noSuchFile(target, key);
    const { path } = await this.deps.paths.pathOf(object, caller, 'rawData:read');
    requireRight(caller.principal, 'rawData:read', path);
    return object;
  }

  /**
   * Finds files by their addresses, in any order. Leaves out missing files and those that the caller may not read.
   * spec: decisions.md 6.8, 8.3
   */
  async findReadable(addresses: readonly { target: TargetEntity; key: number }[], caller: Caller): Promise<RawDataObject[]> {
    const found = await this.deps.database.read(caller, (session) => new ObjectStore(session).findAll(addresses));
    return this.deps.paths.readable(found, caller);
  }

  /**
   * Opens the bytes of a file.
   * @returns `undefined` when the file was replaced since the look-up and its bytes are removed: look it up again
   */
  async open(object: RawDataObject, range: ByteRange | undefined, signal: AbortSignal): Promise<Readable | undefined> {
    try {
      const source = await this.deps.blobs.get(object.objectName, range, signal);
      source.once('end', () => (this.read += range ? range.last - range.first + 1 : object.sizeBytes));
      return source;
    } catch (error) {
      if (error instanceof BlobMissingError) return undefined;
      throw error;
    }
  }

  /**
   * Lists the files of one target. The inspection service is asked only about a target without files: one with files exists.
   * @throws ServiceError 404 when there is no such target, 403
   */
  async listOfTarget(target: TargetEntity, caller: Caller): Promise<RawDataObject[]> {
    const readable = caller.principal.scopeOf('rawData:read');
    const list = (scope: PathScope) => this.deps.database.read(caller, (session) => new ObjectStore(session).listOfTarget(target, scope));
    const trustsMirror = await this.deps.paths.trustsMirror(caller, 'rawData:read');
    const objects = trustsMirror ? await list(readable) : [];
    if (objects.length > 0) return objects;
    const owner = await this.deps.resolver.resolve(target, caller.signal);
    if (!owner) throw noSuchTarget(target);
    requireRight(caller.principal, 'rawData:read', owner.path);
    // The mirror may lack the move of the part to its current path.
    return readable.isEverything ? objects : list(PathScope.EVERYTHING);
  }

  /** @throws ServiceError 503 while the caller's rights cannot be decided */
  async requireListable(caller: Caller): Promise<void> {
    await this.deps.paths.requireMirror(caller, 'rawData:read');
  }

  /** Lists all files that the caller may see and that meet the condition, in batches. @param session a snapshot */
  list(session: Session, request: ListRequest, caller: Caller): AsyncIterable<RawDataObject[]> {
    return listObjects(session, request, caller.principal.scopeOf('rawData:read'));
  }

  /**
   * Renames a file or changes its MIME type; an omitted member stays.
   * @throws ServiceError 404, 403, 412
   * spec: raw-data-service.md, Raw data information; decisions.md 6.9
   */
  async update(
    target: TargetEntity,
    key: number,
    update: { fileName?: string | undefined; mimeType?: string | undefined },
    conditions: IncomingHttpHeaders,
    caller: Caller,
  ): Promise<RawDataObject> {
    const pathOf = await this.requireWritable(target, key, caller);
    return this.deps.database.write(caller, async (session) => {
      const store = new ObjectStore(session);
      const before = await store.findForChange(target, key);
      if (!before) throw noSuchFile(target, key);
      requireRight(caller.principal, 'rawData:write', pathOf(before));
      requireConditions(conditions, [stateOf(before)]);
      const { fileName = before.fileName, mimeType = before.mimeType } = update;
      if (fileName === before.fileName && mimeType === before.mimeType) return before;
      const after = await store.rename(before.id, fileName, mimeType);
      session.announce([rawDataModified(before, after, pathOf(after))]);
      return after;
    });
  }

  /** @throws ServiceError 404, 403, 412 */
  async delete(target: TargetEntity, key: number, conditions: IncomingHttpHeaders, caller: Caller): Promise<void> {
    const pathOf = await this.requireWritable(target, key, caller);
    await this.deps.database.write(caller, async (session) => {
      const store = new ObjectStore(session);
      const object = await store.findForChange(target, key);
      if (!object) throw noSuchFile(target, key);
      // The part may have moved since the first look-up.
      requireRight(caller.principal, 'rawData:write', pathOf(object));
      requireConditions(conditions, [stateOf(object)]);
      const deleted = await store.delete(target, key);
      session.announce(rawDataDeleted(deleted, pathOf));
    });
    this.deps.onRemovalOrdered();
  }

  /**
   * Deletes all files of a target. A target without files is no error as long as it exists.
   * @throws ServiceError 404, 403, 412
   * spec: decisions.md 6.1, 6.4
   */
  async deleteAll(target: TargetEntity, conditions: IncomingHttpHeaders, caller: Caller): Promise<void> {
    const { database } = this.deps;
    const giveUpAt = performance.now() + MAX_LOCK_WAIT_MS;
    for (;;) {
      // Files that are added or replaced later count as uploaded after the deletion.
      const names = await database.read(caller, (session) => new ObjectStore(session).readObjectNames(target));
      const owner = await this.requireWritableTarget(target, caller);
      const isDone = await database.write(caller, async (session) => {
        const store = new ObjectStore(session);
        // Does not wait: the target could move out of the caller's scope meanwhile.
        if (!(await store.tryLockKeys(target))) return false;
        if (isConditional(conditions)) requireConditions(conditions, (await store.allForChange(target)).map(stateOf));
        // The event names the path for which the right was checked: the mirror may lack a move.
        session.announce(rawDataDeleted(await store.deleteByObjectNames(names), () => owner.path));
        return true;
      });
      if (isDone) break;
      if (performance.now() > giveUpAt)
        throw new ServiceError('Unavailable', `The files of ${describeTarget(target)} keep changing. Try again in a few seconds.`, {
          retryAfterSeconds: 1,
        });
      await database.write(caller, (session) => new ObjectStore(session).lockKeys(target));
    }
    this.deps.onRemovalOrdered();
  }

  private async requireWritableTarget(target: TargetEntity, caller: Caller): Promise<OwningPart> {
    const owner = await this.deps.resolver.resolve(target, caller.signal);
    if (!owner) throw noSuchTarget(target);
    requireRight(caller.principal, 'rawData:write', owner.path);
    return owner;
  }

  /** @returns the current path of the owning part, also for the event */
  private async requireWritable(target: TargetEntity, key: number, caller: Caller): Promise<(object: RawDataObject) => string> {
    const object = await this.lookUps.find(target, key, caller);
    if (!object) throw noSuchFile(target, key);
    const { path, isCurrent } = await this.deps.paths.pathOf(object, caller, 'rawData:write');
    requireRight(caller.principal, 'rawData:write', path);
    return (later) => (isCurrent ? path : (later.path ?? path));
  }
}
