import { PathScope } from '@sinebar/access-control';
import type { ChangeEnvelope, TargetEntity } from '@sinebar/contracts';
import type { Database, WriteSession } from '@sinebar/database';
import type { StreamPosition } from '@sinebar/message-bus';
import { ObjectStore } from '../objects/object-store.js';
import { rawDataDeleted } from '../objects/raw-data-changes.js';
import type { RawDataObject } from '../objects/raw-data-object.js';
import { PartMirrorStore } from '../targets/part-mirror-store.js';
import { RESOLVE_BATCH, type OwningPart, type TargetResolver } from '../targets/target-resolver.js';
import { FileGroupStore, type FileGroup, type TargetDeletionType } from './file-group-store.js';
import { FollowPositionStore } from './follow-position-store.js';
import { settleFiles } from './settle-files.js';

const PART_CHANGES = ['PartCreated', 'PartMoved', 'PartDeleted'] as const;
const TARGET_CHANGES = [
  'CharacteristicDeleted',
  'MeasurementDeleted',
  'MeasurementModified',
] as const satisfies readonly TargetDeletionType[];
export type FollowedChange = (typeof PART_CHANGES)[number] | TargetDeletionType | 'CharacteristicMoved';

/** @returns `undefined` for a change that neither concerns the parts nor takes away anything that may have files */
export function followedChange({ type, data, sinebarpart, sinebaroldpart }: ChangeEnvelope): FollowedChange | undefined {
  if (type === 'CharacteristicMoved') return sinebaroldpart === undefined || sinebaroldpart === sinebarpart ? undefined : type;
  if (type === 'MeasurementModified' && (data.removedCharacteristics ?? []).length === 0) return undefined;
  return [...PART_CHANGES, ...TARGET_CHANGES].find((name) => name === type);
}

/** A message of the stream; without an envelope it is no change event, and only its position counts. */
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

/**
 * Carries what happened to parts, and to whatever else has files, over to the mirror and the files, together with the position in the stream.
 *
 * What lies between two messages of a batch is not looked at: whether something exists and where it is, is asked when the batch is applied, which is after
 * all of them. So changes of one kind are applied at once, whatever their order was, and a stream of alternating kinds costs no more than one of a single kind.
 */
export class ChangeApplier {
  private readonly deps: ApplierDependencies;

  constructor(deps: ApplierDependencies) {
    this.deps = deps;
  }

  /**
   * Applies messages that follow each other in the stream, in one transaction. What the stored position is behind already is left out: it was applied before.
   */
  async apply(messages: readonly PassedMessage[], signal: AbortSignal): Promise<void> {
    const last = messages.at(-1)?.position;
    if (!last) return;
    let ordered = false;
    await this.deps.database.write({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, async (session) => {
      const positions = new FollowPositionStore(session);
      const stored = await positions.lock();
      const fresh = messages.filter(({ position }) => isBehind(position, stored));
      if (fresh.length === 0) return;
      ordered = await this.applyByKind(session, byKind(fresh), signal);
      await positions.save(last);
    });
    if (ordered) this.deps.onRemovalOrdered();
  }

  /** @returns whether bytes are to be removed */
  private async applyByKind(session: WriteSession, changes: ChangesByKind, signal: AbortSignal): Promise<boolean> {
    // A part has to be in the mirror before it can move there. What moved out of a part takes its files along before the part goes with the rest.
    const { PartCreated = [], PartMoved = [], PartDeleted = [] } = changes;
    if (PartCreated.length > 0) await created(session, PartCreated);
    if (PartMoved.length > 0) await this.moved(session, PartMoved, signal);
    const partsLosingFiles = partsWhoseFilesMayGo(changes);
    if (partsLosingFiles.length === 0) return false;
    await new PartMirrorStore(session).lockExclusive(partsLosingFiles);
    const settled = await this.targetsGone(session, changes, signal);
    const deleted = PartDeleted.length > 0 ? await this.deleted(session, PartDeleted, signal) : 0;
    return settled + deleted > 0;
  }

  /** See {@link PartMirrorStore} on why present paths are asked for instead of computed. */
  private async moved(session: WriteSession, envelopes: readonly ChangeEnvelope[], signal: AbortSignal): Promise<void> {
    const mirror = new PartMirrorStore(session);
    const places = envelopes.flatMap(({ sinebarpath, sinebaroldpath }) => [
      sinebarpath,
      ...(sinebaroldpath === undefined ? [] : [sinebaroldpath]),
    ]);
    const below = await mirror.partsBelow(places.filter((path) => path.endsWith('/')));
    const uuids = [...new Set([...envelopes.map(({ sinebarpart }) => sinebarpart), ...below])];
    for (let i = 0; i < uuids.length; i += RESOLVE_BATCH) {
      const present = await this.deps.resolver.resolveAll(uuids.slice(i, i + RESOLVE_BATCH).map(partTarget), signal);
      // What does not exist any more leaves the mirror with its own event.
      await mirror.setPaths(present.filter((part) => part !== null));
    }
  }

  /**
   * Deletes the files of parts that were deleted. A part whose uuid is in use again may have got new files already, before the news of its deletion came:
   * then each file is held against its target.
   * @returns how many files
   */
  private async deleted(session: WriteSession, envelopes: readonly ChangeEnvelope[], signal: AbortSignal): Promise<number> {
    const mirror = new PartMirrorStore(session);
    const byPart = new Map(envelopes.map((envelope) => [envelope.sinebarpart, envelope]));
    const uuids = [...byPart.keys()];
    const back = await this.existing(uuids, signal);
    const backUuids = back.map(({ partUuid }) => partUuid);
    const deletedParts = uuids.filter((uuid) => !backUuids.includes(uuid));
    const deleted = await new ObjectStore(session).deleteOfParts(deletedParts, PathScope.EVERYTHING);
    if (back.length > 0)
      deleted.push(...(await settleFiles(session, this.deps.resolver, await new FileGroupStore(session).ofParts(backUuids), signal)));
    await mirror.markDeleted(deletedParts);
    await mirror.remove(deletedParts);
    await mirror.setPaths(back);
    announceDeleted(session, deleted, (partUuid) => byPart.get(partUuid)?.sinebarpath ?? '');
    return deleted.length;
  }

  /**
   * Deletes the files of characteristics, measurements or values that are gone; what was made again meanwhile may have got new files already: those stay. Puts
   * files under the parts to which their characteristics went: an event does not name what lies below the one that was moved, so the present parts of all
   * characteristics that had files under the old part are asked for.
   * @returns how many files were deleted
   */
  private async targetsGone(session: WriteSession, changes: ChangesByKind, signal: AbortSignal): Promise<number> {
    const store = new FileGroupStore(session);
    const groups: FileGroup[] = [];
    for (const kind of TARGET_CHANGES) {
      const envelopes = changes[kind] ?? [];
      if (envelopes.length > 0) groups.push(...(await store.ofGone(kind, envelopes)));
    }
    const { CharacteristicMoved = [] } = changes;
    if (CharacteristicMoved.length > 0)
      groups.push(
        ...(await store.ofParts(
          CharacteristicMoved.map(({ sinebaroldpart = '' }) => sinebaroldpart),
          'Characteristic',
        )),
      );
    const deleted = await settleFiles(session, this.deps.resolver, groups, signal);
    // Where the mirror has the part of a file may be where its target was before it moved.
    const lastPaths = new Map(groups.flatMap(({ ids, lastPath }) => ids.map((id) => [id, lastPath])));
    announceDeleted(
      session,
      deleted.map((object) => ({ ...object, path: lastPaths.get(object.id) ?? object.path })),
      () => '',
    );
    return deleted.length;
  }

  private async existing(uuids: readonly string[], signal: AbortSignal): Promise<OwningPart[]> {
    const found: OwningPart[] = [];
    for (let i = 0; i < uuids.length; i += RESOLVE_BATCH) {
      const present = await this.deps.resolver.resolveAll(uuids.slice(i, i + RESOLVE_BATCH).map(partTarget), signal);
      found.push(...present.filter((part) => part !== null));
    }
    return found;
  }
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

async function created(session: WriteSession, envelopes: readonly ChangeEnvelope[]): Promise<void> {
  const mirror = new PartMirrorStore(session);
  await mirror.addMissing(envelopes.map(({ sinebarpart, sinebarpath }) => ({ partUuid: sinebarpart, path: sinebarpath })));
  await mirror.unmark(envelopes.map(({ sinebarpart }) => sinebarpart));
}

/** @param pathOf the last known path of a part that the mirror does not have */
export function announceDeleted(session: WriteSession, objects: readonly RawDataObject[], pathOf: (partUuid: string) => string): void {
  session.announce(rawDataDeleted(objects, ({ path, partUuid }) => path ?? pathOf(partUuid)));
}

export function partTarget(uuid: string): TargetEntity {
  return { entity: 'Part', uuid };
}

function isBehind(position: StreamPosition, stored: StreamPosition | null): boolean {
  return stored === null || stored.epoch !== position.epoch || position.sequence > stored.sequence;
}
