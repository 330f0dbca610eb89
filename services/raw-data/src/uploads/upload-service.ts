import { randomUUID } from 'node:crypto';
import { createGunzip, createInflate, type Gunzip, type Inflate } from 'node:zlib';
import { pipeline, type Readable } from 'node:stream';
import type { IncomingHttpHeaders } from 'node:http';
import { pause } from '@sinebar/concurrency';
import { ServiceError, type TargetEntity } from '@sinebar/contracts';
import type { Database, WriteSession } from '@sinebar/database';
import { expansionProblem, sendContinue, type RequestContext } from '@sinebar/http';
import { ANNOUNCED_FOR_MS, BlobRemovalStore, UNKNOWN_OUTCOME_MS } from '../blobs/blob-removal-store.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { ObjectStore, type StoredFile } from '../objects/object-store.ts';
import { isConditional, requireConditions, stateOf } from '../objects/preconditions.ts';
import { rawDataCreated, rawDataModified } from '../objects/raw-data-changes.ts';
import type { RawDataObject } from '../objects/raw-data-object.ts';
import { requireRight } from '../objects/rights.ts';
import { PartMirrorStore } from '../targets/part-mirror-store.ts';
import { describeTarget, MAX_KEY, NEXT_FREE_KEY, noSuchFile, noSuchTarget } from '../targets/target.ts';
import type { OwningPart, TargetResolver } from '../targets/target-resolver.ts';
import type { Spool, SpooledFile } from '@sinebar/runtime';
import { readUploadHeaders, type AnnouncedFile, type UploadRules } from './upload-headers.ts';

export interface UploadRequest {
  target: TargetEntity;
  /** Key of the file; {@link NEXT_FREE_KEY} with POST only. */
  key: number;
  /** Whether a file must exist, as for PUT. */
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
  maxExpansion: number;
  /** Called after a commit that ordered the removal of bytes. */
  onRemovalOrdered: () => void;
}

/** Size above which a store may keep parts that no listing shows; their removal is ordered before the upload. */
const ANNOUNCED_FROM_BYTES = 8 * 2 ** 20;
/** Time in milliseconds for which an upload retries while its part keeps changing, or waits until the mirror knows a recreated part. */
const MAX_CHANGE_WAIT_MS = 5000;
const RECREATION_POLL_MS = 100;
/** Most requests until the answer names the part whose revision was read before; more than one only while the target moves. */
const MAX_OWNER_ATTEMPTS = 10;
const CLEAN_UP_TIMEOUT_MS = 10_000;
const DEFAULT_MIME_TYPE = 'application/octet-stream';

/** The owning part changed between the answer and the lock: the transaction is rolled back and the inspection service asked again. */
class OwnerChanged extends Error {
  /** The part is marked as deleted: if it exists, it was recreated and the mirror lacks its event. */
  readonly isMarkedDeleted: boolean;

  constructor(isMarkedDeleted: boolean) {
    super('the owning part changed');
    this.isMarkedDeleted = isMarkedDeleted;
  }
}

/** A file whose bytes are stored; without a type it gets that of the file that it replaces with PUT, or the default. */
type NewFile = Omit<StoredFile, 'mimeType'> & Pick<AnnouncedFile, 'mimeType'>;

interface FailedUpload {
  error: unknown;
  /** `unknown`: the store may still be writing, or a lost commit may have stored the row; otherwise no row refers to the bytes. */
  bytes: 'unused' | 'unknown';
}

/** The owning part according to the inspection service. */
interface CheckedOwner extends OwningPart {
  /** Revision of the part in the mirror, read before the request. */
  revision: string;
}

type StoredUpload = { object: RawDataObject; replaced: boolean } | FailedUpload;

/**
 * Stores uploads: spool, check, store under a fresh name, then row and event in one transaction.
 * After a failure no spool file and no row remain, and the object is removed, at the latest by the sweep.
 * spec: raw-data-service.md, Rules 2 and 3; decisions.md 6
 */
export class UploadService {
  private readonly deps: UploadDependencies;

  private stored = 0;

  constructor(deps: UploadDependencies) {
    this.deps = deps;
  }

  /** Number of bytes that this process has stored. */
  get storedBytes(): number {
    return this.stored;
  }

  /** @returns the stored file @throws ServiceError 400, 403, 404, 411, 412, 413, 415, 503 */
  async upload(request: UploadRequest): Promise<RawDataObject> {
    const { context, target } = request;
    const announced = readUploadHeaders(request.headers, this.deps.rules);
    // Refuses a missing part before the client has sent a large body.
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
      onBegin: () => sendContinue(request.body),
      signal: context.signal,
    });
    try {
      checkMd5(spooled, announced);
      return await this.store(request, announced, spooled, owner.partUuid);
    } finally {
      await spooled.discard();
    }
  }

  /** Refuses a replacement before its body is read; `writeRow` checks again. */
  private async checkExisting(request: UploadRequest): Promise<void> {
    const { target, key, mustExist, headers, context } = request;
    if (!mustExist && (key === NEXT_FREE_KEY || (hasLength(headers) && !isConditional(headers)))) return;
    checkReplacement(request, await this.deps.database.read(context, (session) => new ObjectStore(session).find(target, key)));
  }

  private async store(request: UploadRequest, announced: AnnouncedFile, spooled: SpooledFile, partUuid: string): Promise<RawDataObject> {
    const { context } = request;
    const { fileName, mimeType } = announced;
    const file: NewFile = { fileName, mimeType, sizeBytes: spooled.sizeBytes, md5: spooled.md5, objectName: randomUUID() };
    const isAnnounced = file.sizeBytes >= ANNOUNCED_FROM_BYTES;
    if (isAnnounced) {
      await this.deps.database.write(context, (session) => new BlobRemovalStore(session).order([file.objectName], ANNOUNCED_FOR_MS));
    }
    const stored = (await this.put(file, spooled)) ?? (await this.commit(request, file, isAnnounced, partUuid));
    if ('error' in stored) {
      await this.discardBytes(file.objectName, stored.bytes);
      throw stored.error;
    }
    if (stored.replaced) this.deps.onRemovalOrdered();
    return stored.object;
  }

  /** @returns `undefined` on success */
  private async put(file: NewFile, spooled: SpooledFile): Promise<FailedUpload | undefined> {
    try {
      await this.deps.blobs.put(file.objectName, spooled.path, file.sizeBytes, file.md5);
    } catch (error) {
      // A store that does not answer may still have received the bytes, whole or in part.
      return { error, bytes: 'unknown' };
    }
    this.stored += file.sizeBytes;
    return undefined;
  }

  /**
   * Removes the bytes of a failed upload.
   * If the outcome is unknown, the removal waits until the transaction has ended, and is cancelled if its row exists. The sweep removes the
   * rest.
   */
  private async discardBytes(objectName: string, bytes: FailedUpload['bytes']): Promise<void> {
    if (bytes === 'unused') {
      const isRemoved = await this.deps.blobs.remove([objectName]).then(
        () => true,
        () => false,
      );
      if (isRemoved) return;
    }
    const options = { signal: AbortSignal.timeout(CLEAN_UP_TIMEOUT_MS), statementTimeoutMs: CLEAN_UP_TIMEOUT_MS };
    const order = this.deps.database.write(options, (session) => new BlobRemovalStore(session).order([objectName], UNKNOWN_OUTCOME_MS));
    await order.catch(() => undefined);
  }

  /**
   * Asks for the owning part and writes the row; asks again if a followed change could outdate the answer.
   * docs/decisions/0012-identity-of-targets.md
   */
  private async commit(request: UploadRequest, file: NewFile, isAnnounced: boolean, firstPart: string): Promise<StoredUpload> {
    const { target, context } = request;
    let partUuid = firstPart;
    const giveUpAt = performance.now() + MAX_CHANGE_WAIT_MS;
    for (;;) {
      let owner: CheckedOwner;
      try {
        owner = await this.currentOwner(request, partUuid);
        partUuid = owner.partUuid;
      } catch (error) {
        return { error, bytes: 'unused' };
      }
      const stored = await this.writeOnce(request, owner, file, isAnnounced);
      if (!('error' in stored && stored.error instanceof OwnerChanged)) return stored;
      if (performance.now() > giveUpAt) return { error: stillChanging(target, stored.error), bytes: 'unused' };
      if (stored.error.isMarkedDeleted) await pause(RECREATION_POLL_MS, context.signal);
    }
  }

  /**
   * Finds the owning part, and its revision before the request.
   * @param presumed probable owning part of the target
   * @throws ServiceError 403, 404, 503
   */
  private async currentOwner({ target, context }: UploadRequest, presumed: string): Promise<CheckedOwner> {
    const { database, resolver } = this.deps;
    let partUuid = presumed;
    for (let attempt = 1; attempt <= MAX_OWNER_ATTEMPTS; attempt += 1) {
      context.signal.throwIfAborted();
      const asked = partUuid;
      const revision = await database.read(context, (session) => new PartMirrorStore(session).readRevision(asked));
      const owner = await resolver.resolve(target, context.signal);
      if (!owner) throw noSuchTarget(target);
      requireRight(context.principal, 'rawData:write', owner.path);
      if (owner.partUuid === asked) return { ...owner, revision };
      partUuid = owner.partUuid;
    }
    throw new ServiceError('Unavailable', `The ${describeTarget(target)} is being moved. Try again in a few seconds.`, {
      retryAfterSeconds: 1,
    });
  }

  private async writeOnce(request: UploadRequest, owner: CheckedOwner, file: NewFile, isAnnounced: boolean): Promise<StoredUpload> {
    let isCommitting = false;
    try {
      return await this.deps.database.write(request.context, async (session) => {
        // This function runs again after a serialization failure.
        isCommitting = false;
        const result = await writeRow(session, request, owner, file, isAnnounced);
        isCommitting = true;
        return result;
      });
    } catch (error) {
      return { error, bytes: isCommitting ? 'unknown' : 'unused' };
    }
  }
}

async function writeRow(
  session: WriteSession,
  request: UploadRequest,
  owner: CheckedOwner,
  newFile: NewFile,
  isAnnounced: boolean,
): Promise<{ object: RawDataObject; replaced: boolean }> {
  const { target, mustExist } = request;
  const mirror = new PartMirrorStore(session);
  const objects = new ObjectStore(session);
  const removals = new BlobRemovalStore(session);
  await mirror.lockShared(owner.partUuid);
  if (await mirror.isMarkedDeleted(owner.partUuid)) throw new OwnerChanged(true);
  // A follower at the same revision has not reached any later deletion: it will find this file.
  if ((await mirror.readRevision(owner.partUuid)) !== owner.revision) throw new OwnerChanged(false);
  await mirror.addMissing([owner]);
  await objects.lockKeys(target);
  const key = request.key === NEXT_FREE_KEY ? await objects.nextKey(target) : request.key;
  if (key > MAX_KEY) throw new ServiceError('Conflict', `The ${describeTarget(target)} has no free key behind ${MAX_KEY}. Choose one.`);
  const existing = await objects.findForChange(target, key);
  if (request.key !== NEXT_FREE_KEY) checkReplacement(request, existing);
  const file = { ...newFile, mimeType: newFile.mimeType ?? (mustExist ? existing?.mimeType : undefined) ?? DEFAULT_MIME_TYPE };
  if (isAnnounced && (await removals.cancel([file.objectName])) === 0) {
    throw new ServiceError('Unavailable', 'The upload took so long that its bytes were removed again. Send the file again.', {
      retryAfterSeconds: 1,
    });
  }
  // The event names the path for which the right was checked: the mirror may lack a move.
  if (existing) {
    const object = await objects.replace(existing.id, owner, file);
    await removals.orderReplaced(existing);
    session.announce([rawDataModified(existing, object, owner.path)]);
    return { object, replaced: true };
  }
  const object = await objects.insert(target, owner, key, file);
  session.announce([rawDataCreated(object, owner.path)]);
  return { object, replaced: false };
}

/**
 * Checks whether a request may store its file under the key that it names.
 * A client that sends no body by mistake must not replace a file by an empty one: it has to announce the length.
 * @throws ServiceError 404, 411, 412
 * spec: decisions.md 6.4, 6.10
 */
function checkReplacement({ target, key, mustExist, headers }: UploadRequest, existing: RawDataObject | undefined): void {
  if (!existing && mustExist) throw noSuchFile(target, key);
  if (existing && !hasLength(headers)) {
    throw new ServiceError(
      'LengthRequired',
      'The request would replace a file and has no body. Send the file with Content-Length or Transfer-Encoding: chunked.',
    );
  }
  requireConditions(headers, existing ? [stateOf(existing)] : []);
}

function hasLength(headers: IncomingHttpHeaders): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function stillChanging(target: TargetEntity, { isMarkedDeleted }: OwnerChanged): ServiceError {
  const reason = isMarkedDeleted ? 'was created again a moment ago' : 'kept changing while the file was stored';
  return new ServiceError('Unavailable', `The ${describeTarget(target)} ${reason}. Try again in a few seconds.`, { retryAfterSeconds: 5 });
}

function decoderOf(encoding: AnnouncedFile['encoding']): Gunzip | Inflate | undefined {
  if (encoding === 'identity') return undefined;
  return encoding === 'gzip' ? createGunzip() : createInflate();
}

/** An error of either stream ends the decoder, from which the spool reads. */
function decoded(body: Readable, decoder: Gunzip | Inflate): Readable {
  // The decoder may emit another error after its end, when no other listener is left, which would end the process.
  decoder.on('error', () => undefined);
  return pipeline(body, decoder, () => undefined);
}

function checkMd5(spooled: SpooledFile, announced: AnnouncedFile): void {
  if (announced.md5.length === 0 || announced.md5.includes(spooled.md5)) return;
  const field = 'header Content-MD5';
  const message = `is not the MD5 of the ${spooled.sizeBytes} bytes that arrived, which is ${spooled.md5}; nothing was stored`;
  throw new ServiceError('ChecksumMismatch', `The ${field} ${message}.`, { details: [{ field, message }] });
}
