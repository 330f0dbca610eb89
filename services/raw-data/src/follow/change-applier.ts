import { PathScope } from '@sinebar/access-control';
import type { ChangeEnvelope, TargetEntity } from '@sinebar/contracts';
import type { Database, Session, WorkOptions, WriteSession } from '@sinebar/database';
import type { StreamPosition } from '@sinebar/message-bus';
import { ObjectStore } from '../objects/object-store.ts';
import { rawDataDeleted } from '../objects/raw-data-changes.ts';
import type { RawDataObject } from '../objects/raw-data-object.ts';
import { PartMirrorStore } from '../targets/part-mirror-store.ts';
import { MAX_RESOLVE_BATCH, type OwningPart, type TargetResolver } from '../targets/target-resolver.ts';
import { FileGroupStore, type FileGroup, type TargetDeletionType } from './file-group-store.ts';
import { FollowPositionStore } from './follow-position-store.ts';
import { findMisplacedFiles, settleFiles, type MisplacedFiles } from './settle-files.ts';

const PART_CHANGES = ['PartCreated', 'PartMoved', 'PartDeleted'] as const;
const TARGET_CHANGES = [
  'CharacteristicDeleted',
  'MeasurementDeleted',
  'MeasurementModified',
] as const satisfies readonly TargetDeletionType[];
export type FollowedChange = (typeof PART_CHANGES)[number] | TargetDeletionType | 'CharacteristicMoved';

/** @returns `undefined` for a change that neither concerns parts nor deletes anything with files */
export function followedChange({ type, data, sinebarpart, sinebaroldpart }: ChangeEnvelope): FollowedChange | undefined {
  if (type === 'CharacteristicMoved') return sinebaroldpart === undefined || sinebaroldpart === sinebarpart ? undefined : type;
  if (type === 'MeasurementModified' && (data.removedCharacteristics ?? []).length === 0) return undefined;
  return [...PART_CHANGES, ...TARGET_CHANGES].find((name) => name === type);
}

/** A message of the stream; one without an envelope is no change event, and only its position counts. */
export interface PassedMessage {
  position: StreamPosition;
  envelope?: ChangeEnvelope;
}

export interface ApplierDependencies {
  database: Database;
  resolver: TargetResolver;
  /** Called after a commit that ordered the removal of bytes. */
  onRemovalOrdered: () => void;
}

const STATEMENT_TIMEOUT_MS = 280_000;

/** A batch whose parts refuse uploads with older answers. */
interface BegunBatch {
  changes: ChangesByKind;
  /** The stored position before the batch. */
  position: StreamPosition | null;
}

/** Current state of the targets that a batch concerns. */
interface PresentState {
  moved: OwningPart[];
  /** Deleted parts that were created again under their uuid. */
  recreated: OwningPart[];
  misplaced: MisplacedFiles[];
  misplacedOfRecreated: MisplacedFiles[];
}

/**
 * Applies changes of parts and other targets to the mirror and the files, together with the position in the stream.
 *
 * The order within a batch does not matter, because the inspection service is asked for the state after its last event.
 * So changes of one kind are applied at once, and a stream of alternating kinds costs no more than one of a single kind.
 *
 * A batch takes two transactions with a request to the inspection service between them.
 * The first waits for uploads to the affected parts and makes later ones ask again, so that no file is stored by an older answer.
 * The second applies the answers, unless another replica has followed meanwhile. A crash between them repeats the batch.
 */
export class ChangeApplier {
  private readonly deps: ApplierDependencies;

  constructor(deps: ApplierDependencies) {
    this.deps = deps;
  }

  /** Applies consecutive messages of the stream. Skips those before the stored position, which were applied already. */
  async apply(messages: readonly PassedMessage[], signal: AbortSignal): Promise<void> {
    const last = messages.at(-1)?.position;
    if (!last) return;
    const options = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    const { database } = this.deps;
    for (;;) {
      const begun = await database.write(options, (session) => begin(session, messages, last));
      if (!begun) return;
      const present = await this.ask(begun.changes, options);
      const finished = await database.write(options, (session) => finish(session, begun, present, last));
      if (finished && finished.deletedFiles > 0) this.deps.onRemovalOrdered();
      if (finished) return;
      // Another replica followed in between: the next round skips what it applied.
    }
  }

  private async ask(changes: ChangesByKind, options: WorkOptions): Promise<PresentState> {
    const { PartMoved = [], PartDeleted = [] } = changes;
    const { database, resolver } = this.deps;
    const { signal } = options;
    const moved = PartMoved.length === 0 ? [] : await this.movedParts(PartMoved, options);
    const groups = await database.read(options, (session) => readGroups(session, changes));
    const misplaced = await findMisplacedFiles(resolver, groups, signal);
    const recreated = await this.existing([...new Set(PartDeleted.map(({ sinebarpart }) => sinebarpart))], signal);
    const ofRecreated =
      recreated.length === 0
        ? []
        : await database.read(options, (session) => new FileGroupStore(session).ofParts(recreated.map(({ partUuid }) => partUuid)));
    return { moved, recreated, misplaced, misplacedOfRecreated: await findMisplacedFiles(resolver, ofRecreated, signal) };
  }

  /** Reads current paths from the inspection service; see {@link PartMirrorStore} for the reason. */
  private async movedParts(envelopes: readonly ChangeEnvelope[], options: WorkOptions): Promise<OwningPart[]> {
    const paths = envelopes.flatMap(({ sinebarpath, sinebaroldpath }) => [
      sinebarpath,
      ...(sinebaroldpath === undefined ? [] : [sinebaroldpath]),
    ]);
    const below = await this.deps.database.read(options, (session) =>
      new PartMirrorStore(session).partsBelow(paths.filter((path) => path.endsWith('/'))),
    );
    // Parts that no longer exist are removed from the mirror by their own event.
    return this.existing([...new Set([...envelopes.map(({ sinebarpart }) => sinebarpart), ...below])], options.signal);
  }

  private async existing(uuids: readonly string[], signal: AbortSignal): Promise<OwningPart[]> {
    const found: OwningPart[] = [];
    for (let i = 0; i < uuids.length; i += MAX_RESOLVE_BATCH) {
      const present = await this.deps.resolver.resolveAll(uuids.slice(i, i + MAX_RESOLVE_BATCH).map(partTarget), signal);
      found.push(...present.filter((part) => part !== null));
    }
    return found;
  }
}

/** @returns `undefined` when nothing is left to do: the batch was applied before, or needs no request */
async function begin(session: WriteSession, messages: readonly PassedMessage[], last: StreamPosition): Promise<BegunBatch | undefined> {
  const positions = new FollowPositionStore(session);
  const mirror = new PartMirrorStore(session);
  const position = await positions.lock();
  const fresh = messages.filter((message) => isAfter(message.position, position));
  if (fresh.length === 0) return undefined;
  const changes = byKind(fresh);
  const { PartCreated = [], PartMoved = [], PartDeleted = [] } = changes;
  // A part must be in the mirror before it can move.
  if (PartCreated.length > 0) await created(mirror, PartCreated);
  const affected = partsWhoseFilesMayGo(changes);
  if (affected.length === 0 && PartMoved.length === 0) {
    await positions.save(last);
    return undefined;
  }
  if (affected.length > 0) {
    await mirror.lockExclusive(affected);
    await mirror.changeRevisions(affected);
    // Nothing is uploaded to them until it is known which of them exist again.
    if (PartDeleted.length > 0) await mirror.markDeleted([...new Set(PartDeleted.map(({ sinebarpart }) => sinebarpart))]);
  }
  return { changes, position };
}

/** @returns `undefined` when another replica followed since the batch began */
async function finish(
  session: WriteSession,
  { changes, position }: BegunBatch,
  present: PresentState,
  last: StreamPosition,
): Promise<{ deletedFiles: number } | undefined> {
  const positions = new FollowPositionStore(session);
  if (!isSame(await positions.lock(), position)) return undefined;
  await new PartMirrorStore(session).setPaths(present.moved);
  // Characteristics that left a part keep their files, so they are settled before the files of the part are deleted.
  const settled = await settleTargets(session, present.misplaced);
  const deleted = await deleteParts(session, changes.PartDeleted ?? [], present);
  await positions.save(last);
  return { deletedFiles: settled + deleted };
}

/**
 * Finds the files of deleted characteristics, measurements or values, and of all characteristics of a part that lost one.
 * An event does not name the items below the characteristic that moved.
 */
async function readGroups(session: Session, changes: ChangesByKind): Promise<FileGroup[]> {
  const store = new FileGroupStore(session);
  const groups: FileGroup[] = [];
  for (const kind of TARGET_CHANGES) {
    const envelopes = changes[kind] ?? [];
    if (envelopes.length > 0) groups.push(...(await store.ofDeleted(kind, envelopes)));
  }
  const losingParts = (changes.CharacteristicMoved ?? []).map(({ sinebaroldpart = '' }) => sinebaroldpart);
  if (losingParts.length > 0) groups.push(...(await store.ofParts(losingParts, 'Characteristic')));
  return groups;
}

/** @returns the number of deleted files */
async function settleTargets(session: WriteSession, misplaced: readonly MisplacedFiles[]): Promise<number> {
  const deleted = await settleFiles(session, misplaced);
  // The mirror may have the part of a file at its path before the move.
  const lastPaths = new Map(misplaced.flatMap(({ group: { ids, lastPath } }) => ids.map((id) => [id, lastPath])));
  announceDeleted(
    session,
    deleted.map((object) => ({ ...object, path: lastPaths.get(object.id) ?? object.path })),
    () => '',
  );
  return deleted.length;
}

/**
 * Deletes the files of deleted parts, to which uploads were refused since the batch began.
 * A part that exists again under its uuid may have new files: only its misplaced ones are deleted.
 * @returns the number of deleted files
 */
async function deleteParts(
  session: WriteSession,
  envelopes: readonly ChangeEnvelope[],
  { recreated, misplacedOfRecreated }: PresentState,
): Promise<number> {
  if (envelopes.length === 0) return 0;
  const mirror = new PartMirrorStore(session);
  const byPart = new Map(envelopes.map((envelope) => [envelope.sinebarpart, envelope]));
  const recreatedUuids = new Set(recreated.map(({ partUuid }) => partUuid));
  const deletedParts = [...byPart.keys()].filter((uuid) => !recreatedUuids.has(uuid));
  const deleted = await new ObjectStore(session).deleteOfParts(deletedParts, PathScope.EVERYTHING);
  deleted.push(...(await settleFiles(session, misplacedOfRecreated)));
  await mirror.remove(deletedParts);
  await mirror.unmark([...recreatedUuids]);
  await mirror.setPaths(recreated);
  announceDeleted(session, deleted, (partUuid) => byPart.get(partUuid)?.sinebarpath ?? '');
  return deleted.length;
}

type ChangesByKind = Partial<Record<FollowedChange, ChangeEnvelope[]>>;

function byKind(messages: readonly PassedMessage[]): ChangesByKind {
  const changes: ChangesByKind = {};
  for (const { envelope } of messages) {
    const kind = envelope && followedChange(envelope);
    if (kind !== undefined) (changes[kind] ??= []).push(envelope as ChangeEnvelope);
  }
  return changes;
}

function partsWhoseFilesMayGo(changes: ChangesByKind): string[] {
  const envelopes = (['PartDeleted', ...TARGET_CHANGES, 'CharacteristicMoved'] as const).flatMap((kind) => changes[kind] ?? []);
  return [
    ...new Set(
      envelopes.flatMap(({ sinebarpart, sinebaroldpart }) => [sinebarpart, ...(sinebaroldpart === undefined ? [] : [sinebaroldpart])]),
    ),
  ];
}

async function created(mirror: PartMirrorStore, envelopes: readonly ChangeEnvelope[]): Promise<void> {
  await mirror.addMissing(envelopes.map(({ sinebarpart, sinebarpath }) => ({ partUuid: sinebarpart, path: sinebarpath })));
  await mirror.unmark(envelopes.map(({ sinebarpart }) => sinebarpart));
}

/** @param pathOf last known path of a part that the mirror does not contain */
export function announceDeleted(session: WriteSession, objects: readonly RawDataObject[], pathOf: (partUuid: string) => string): void {
  session.announce(rawDataDeleted(objects, ({ path, partUuid }) => path ?? pathOf(partUuid)));
}

export function partTarget(uuid: string): TargetEntity {
  return { entity: 'Part', uuid };
}

function isAfter(position: StreamPosition, stored: StreamPosition | null): boolean {
  return stored === null || stored.epoch !== position.epoch || position.sequence > stored.sequence;
}

function isSame(one: StreamPosition | null, other: StreamPosition | null): boolean {
  return one?.epoch === other?.epoch && one?.sequence === other?.sequence;
}
