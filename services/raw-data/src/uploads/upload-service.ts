import { randomUUID } from 'node:crypto';
import { createGunzip, createInflate, type Gunzip, type Inflate } from 'node:zlib';
import { pipeline, type Readable } from 'node:stream';
import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError, type TargetEntity } from '@sinebar/contracts';
import type { Database, WriteSession } from '@sinebar/database';
import { expansionProblem, type RequestContext } from '@sinebar/http';
import { ANNOUNCED_FOR_MS, BlobRemovalStore, UNKNOWN_OUTCOME_MS } from '../blobs/blob-removal-store.js';
import type { BlobStore } from '../blobs/blob-store.js';
import { ObjectStore, type StoredFile } from '../objects/object-store.js';
import { etagOf, requireMatch } from '../objects/preconditions.js';
import { rawDataCreated, rawDataModified } from '../objects/raw-data-changes.js';
import type { RawDataObject } from '../objects/raw-data-object.js';
import { requireRight } from '../objects/rights.js';
import { PartMirrorStore } from '../targets/part-mirror-store.js';
import { describeTarget, MAX_KEY, NEXT_FREE_KEY, noSuchFile, noSuchTarget } from '../targets/target.js';
import type { OwningPart, TargetResolver } from '../targets/target-resolver.js';
import type { Spool, SpooledFile } from './spool.js';
import { readUploadHeaders, type AnnouncedFile, type UploadRules } from './upload-headers.js';

export interface UploadRequest {
  target: TargetEntity;
  /** {@link NEXT_FREE_KEY} with POST only. */
  key: number;
  /** PUT: there must be a file to replace. */
  mustExist: boolean;
  headers: IncomingHttpHeaders;
  body: Readable;
  context: Pick<RequestContext, 'principal' | 'signal' | 'statementTimeoutMs' | 'traceparent'>;
}

export interface UploadDependencies {
  database: Database;
  blobs: BlobStore;
  spool: Spool;
  resolver: TargetResolver;
  rules: UploadRules;
  /** How many times as large as it was sent a compressed upload may become. */
  maxExpansion: number;
  /** Called after a commit that ordered the removal of bytes. */
  onRemovalOrdered: () => void;
}

/** A store may keep parts of files above this size that no listing shows; their removal is ordered before they are written. */
const ANNOUNCED_FROM_BYTES = 8 * 2 ** 20;
/** How long an upload to a part that was just made again waits until the mirror has heard of it, milliseconds. */
const RECREATION_WAIT_MS = 5000;
const RECREATION_POLL_MS = 100;
const CLEAN_UP_TIMEOUT_MS = 10_000;

/** The part is marked as deleted, or is another one by now, whatever the inspection service said a moment ago. */
class OwnerChanged extends Error {}

/**
 * Takes files in: spool, check, store under a fresh name, then row and event in one transaction. Whatever goes wrong on the way leaves neither spool file
 * nor row, and of the object nothing that is not removed later.
 * spec: raw-data-service.md, Rules 2 and 3; decisions.md 6
 */
export class UploadService {
  private readonly deps: UploadDependencies;

  private stored = 0;

  constructor(deps: UploadDependencies) {
    this.deps = deps;
  }

  /** Bytes that this process has given to the store. */
  get storedBytes(): number {
    return this.stored;
  }

  /** @returns the file as it is now. @throws ServiceError 400, 403, 404, 412, 413, 503 */
  async upload(request: UploadRequest): Promise<RawDataObject> {
    const { context, target } = request;
    const announced = readUploadHeaders(request.headers, this.deps.rules);
    // Nobody should send a gigabyte to be told at its end that the part is not there.
    const owner = await this.deps.resolver.resolve(target, context.signal);
    if (!owner) throw noSuchTarget(target);
    requireRight(context.principal, 'rawData:write', owner.path);
    await this.checkExisting(request);
    const { spool, rules, maxExpansion } = this.deps;
    const decoder = decoderOf(announced.encoding);
    const spooled = await spool.receive(decoder ? decoded(request.body, decoder) : request.body, {
      limitBytes: rules.maxFileBytes,
      announcedBytes: announced.sizeBytes,
      check: decoder && ((sizeBytes) => expansionProblem(decoder, sizeBytes, maxExpansion)),
      signal: context.signal,
    });
    try {
      checkMd5(spooled, announced);
      return await this.store(request, announced, spooled);
    } finally {
      await spooled.discard();
    }
  }

  private async checkExisting({ target, key, mustExist, headers, context }: UploadRequest): Promise<void> {
    if (!mustExist) return;
    const existing = await this.deps.database.read(context, (session) => new ObjectStore(session).find(target, key));
    if (!existing) throw noSuchFile(target, key);
    requireMatch(headers['if-match'], etagOf(existing));
  }

  private async store(request: UploadRequest, announced: AnnouncedFile, spooled: SpooledFile): Promise<RawDataObject> {
    const { context } = request;
    const { fileName, mimeType } = announced;
    const file: StoredFile = { fileName, mimeType, sizeBytes: spooled.sizeBytes, md5: spooled.md5, objectName: randomUUID() };
    const isAnnounced = file.sizeBytes >= ANNOUNCED_FROM_BYTES;
    if (isAnnounced) {
      await this.deps.database.write(context, (session) => new BlobRemovalStore(session).order([file.objectName], ANNOUNCED_FOR_MS));
    }
    // A store that does not answer may have the bytes, or a part of them; what it is doing with them is not known.
    const outcome = { isUnknown: true };
    try {
      await this.deps.blobs.put(file.objectName, spooled.path, file.sizeBytes, file.md5);
      this.stored += file.sizeBytes;
      outcome.isUnknown = false;
      return await this.commit(request, file, isAnnounced, outcome);
    } catch (error) {
      await this.giveUp(file.objectName, outcome.isUnknown);
      throw error;
    }
  }

  /**
   * Gets rid of the bytes of a failed upload. A commit whose answer got lost may have happened: then the removal waits until the transaction has certainly
   * ended, and is dropped if its row is there. What fails here is found by the sweep.
   */
  private async giveUp(objectName: string, isUnknown: boolean): Promise<void> {
    if (!isUnknown) {
      const removal = this.deps.blobs.remove([objectName]);
      if (
        await removal.then(
          () => true,
          () => false,
        )
      )
        return;
    }
    const options = { signal: AbortSignal.timeout(CLEAN_UP_TIMEOUT_MS), statementTimeoutMs: CLEAN_UP_TIMEOUT_MS };
    const order = this.deps.database.write(options, (session) => new BlobRemovalStore(session).order([objectName], UNKNOWN_OUTCOME_MS));
    await order.catch(() => undefined);
  }

  private async commit(
    request: UploadRequest,
    file: StoredFile,
    isAnnounced: boolean,
    outcome: { isUnknown: boolean },
  ): Promise<RawDataObject> {
    const { target, context } = request;
    const waitUntil = performance.now() + RECREATION_WAIT_MS;
    for (;;) {
      context.signal.throwIfAborted();
      // The first answer may be as old as the body was long.
      const owner = await this.deps.resolver.resolve(target, context.signal);
      if (!owner) throw noSuchTarget(target);
      requireRight(context.principal, 'rawData:write', owner.path);
      try {
        const { object, replaced } = await this.deps.database.write(context, async (session) => {
          outcome.isUnknown = false;
          const result = await writeRow(session, request, owner, file, isAnnounced, this.deps.resolver);
          outcome.isUnknown = true;
          return result;
        });
        if (replaced) this.deps.onRemovalOrdered();
        return object;
      } catch (error) {
        if (!(error instanceof OwnerChanged)) throw error;
        // It exists and its part is marked: that was deleted and made again, and the news of the second is still on its way here.
        if (performance.now() > waitUntil) {
          throw new ServiceError('Unavailable', `${describeTarget(target)} was created again a moment ago; try again`, {
            retryAfterSeconds: 5,
          });
        }
        await new Promise((resolve) => setTimeout(resolve, RECREATION_POLL_MS));
      }
    }
  }
}

async function writeRow(
  session: WriteSession,
  request: UploadRequest,
  owner: OwningPart,
  file: StoredFile,
  isAnnounced: boolean,
  resolver: TargetResolver,
): Promise<{ object: RawDataObject; replaced: boolean }> {
  const { target, mustExist, headers } = request;
  const mirror = new PartMirrorStore(session);
  const objects = new ObjectStore(session);
  const removals = new BlobRemovalStore(session);
  await mirror.lockShared(owner.partUuid);
  if (await mirror.isMarkedDeleted(owner.partUuid)) throw new OwnerChanged();
  let current = owner;
  if (target.entity !== 'Part') {
    // Under the lock: whoever deletes the target after this answer has its news followed after this transaction, and then the file goes as well.
    const now = await resolver.resolve(target, request.context.signal);
    if (!now) throw noSuchTarget(target);
    if (now.partUuid !== owner.partUuid) throw new OwnerChanged();
    requireRight(request.context.principal, 'rawData:write', now.path);
    current = now;
  }
  await mirror.addMissing([current]);
  await objects.lockKeys(target);
  const key = request.key === NEXT_FREE_KEY ? await objects.nextKey(target) : request.key;
  if (key > MAX_KEY) throw new ServiceError('Conflict', `${describeTarget(target)} has no free key behind ${MAX_KEY}; choose one`);
  const existing = await objects.findForChange(target, key);
  if (!existing && mustExist) throw noSuchFile(target, key);
  if (existing && mustExist) requireMatch(headers['if-match'], etagOf(existing));
  if (isAnnounced && (await removals.cancel([file.objectName])) === 0) {
    throw new ServiceError('Unavailable', 'the upload took so long that its bytes were removed again', { retryAfterSeconds: 1 });
  }
  // Events go where the right was asked for: the mirror may not have heard yet of a move there.
  if (existing) {
    const object = await objects.replace(existing.id, current, file);
    await removals.orderReplaced(existing);
    session.announce([rawDataModified(existing, object, current.path)]);
    return { object, replaced: true };
  }
  const object = await objects.insert(target, current, key, file);
  session.announce([rawDataCreated(object, current.path)]);
  return { object, replaced: false };
}

function decoderOf(encoding: AnnouncedFile['encoding']): Gunzip | Inflate | undefined {
  if (encoding === 'identity') return undefined;
  return encoding === 'gzip' ? createGunzip() : createInflate();
}

/** The error of either side ends the decoder, where the spool sees it. */
function decoded(body: Readable, decoder: Gunzip | Inflate): Readable {
  // It may report once more after its end, when the pipeline and the spool no longer listen; nobody listening would end the process.
  decoder.on('error', () => undefined);
  return pipeline(body, decoder, () => undefined);
}

function checkMd5(spooled: SpooledFile, announced: AnnouncedFile): void {
  if (announced.md5.length === 0 || announced.md5.includes(spooled.md5)) return;
  const field = 'header Content-MD5';
  const message = `is not the MD5 of the ${spooled.sizeBytes} bytes that arrived, which is ${spooled.md5}; nothing was stored`;
  throw new ServiceError('ChecksumMismatch', `${field} ${message}`, { details: [{ field, message }] });
}
