import type { ChangeEnvelope, TargetEntity } from '@sinebar/contracts';
import type { Database, WriteSession } from '@sinebar/database';
import type { StreamPosition } from '@sinebar/message-bus';
import { ObjectStore } from '../objects/object-store.js';
import { rawDataDeleted } from '../objects/raw-data-changes.js';
import type { RawDataObject } from '../objects/raw-data-object.js';
import { PartMirrorStore } from '../targets/part-mirror-store.js';
import { RESOLVE_BATCH, type OwningPart, type TargetResolver } from '../targets/target-resolver.js';
import { FileGroupStore, type TargetsGone } from './file-group-store.js';
import { FollowPositionStore } from './follow-position-store.js';
import { settleFiles } from './settle-files.js';

const PART_CHANGES = ['PartCreated', 'PartMoved', 'PartDeleted'] as const;
const TARGET_CHANGES = ['CharacteristicDeleted', 'MeasurementDeleted', 'MeasurementModified'] as const satisfies readonly TargetsGone[];
export type FollowedChange = (typeof PART_CHANGES)[number] | TargetsGone | 'CharacteristicMoved';

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

export interface ApplierParts {
  database: Database;
  resolver: TargetResolver;
  /** Called after a commit that ordered the removal of bytes. */
  onRemovalOrdered: () => void;
}

const STATEMENT_TIMEOUT_MS = 280_000;

/** Carries what happened to parts, and to whatever else has files, over to the mirror and the files, each time in one transaction with the position in the stream. */
export class ChangeApplier {
  private readonly parts: ApplierParts;

  constructor(parts: ApplierParts) {
    this.parts = parts;
  }

  /**
   * Applies messages that follow each other in the stream and carry the same kind of followed change, or none. What the stored position is behind already
   * is left out: it was applied before.
   * @param kind `undefined`: nothing to do but to remember the position
   */
  async apply(kind: FollowedChange | undefined, messages: readonly PassedMessage[], signal: AbortSignal): Promise<void> {
    const last = messages.at(-1)?.position;
    if (!last) return;
    let ordered = false;
    await this.parts.database.write({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, async (session) => {
      const positions = new FollowPositionStore(session);
      const stored = await positions.lock();
      const fresh = messages.filter(({ position }) => isBehind(position, stored));
      if (fresh.length === 0) return;
      const envelopes =
        kind === undefined ? [] : fresh.flatMap(({ envelope }) => (envelope && followedChange(envelope) === kind ? [envelope] : []));
      if (kind === 'PartCreated') await created(session, envelopes);
      else if (kind === 'PartMoved') await this.moved(session, envelopes, signal);
      else if (kind === 'PartDeleted') ordered = await this.deleted(session, envelopes, signal);
      else if (kind === 'CharacteristicMoved') ordered = await this.characteristicsMoved(session, envelopes, signal);
      else if (kind !== undefined) ordered = await this.targetsGone(session, kind, envelopes, signal);
      await positions.save(last);
    });
    if (ordered) this.parts.onRemovalOrdered();
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
      const present = await this.parts.resolver.resolveAll(uuids.slice(i, i + RESOLVE_BATCH).map(partTarget), signal);
      // What does not exist any more leaves the mirror with its own event.
      await mirror.setPaths(present.filter((part) => part !== null));
    }
  }

  /**
   * Deletes the files of parts that were deleted. A part whose uuid is in use again may have got new files already, before the news of its deletion came:
   * then each file is held against its target.
   * @returns whether bytes are to be removed
   */
  private async deleted(session: WriteSession, envelopes: readonly ChangeEnvelope[], signal: AbortSignal): Promise<boolean> {
    const mirror = new PartMirrorStore(session);
    const byPart = new Map(envelopes.map((envelope) => [envelope.sinebarpart, envelope]));
    const uuids = [...byPart.keys()];
    await mirror.lockExclusive(uuids);
    const back = await this.existing(uuids, signal);
    const backUuids = back.map(({ partUuid }) => partUuid);
    const gone = uuids.filter((uuid) => !backUuids.includes(uuid));
    const deleted = await new ObjectStore(session).deleteOfParts(gone, 'all');
    if (back.length > 0)
      deleted.push(...(await settleFiles(session, this.parts.resolver, await new FileGroupStore(session).ofParts(backUuids), signal)));
    await mirror.markDeleted(gone);
    await mirror.remove(gone);
    await mirror.setPaths(back);
    announceDeleted(session, deleted, (partUuid) => byPart.get(partUuid)?.sinebarpath ?? '');
    return deleted.length > 0;
  }

  /**
   * Deletes the files of characteristics, measurements or values that are gone. What was made again meanwhile may have got new files already: those stay.
   * @returns whether bytes are to be removed
   */
  private async targetsGone(
    session: WriteSession,
    kind: TargetsGone,
    envelopes: readonly ChangeEnvelope[],
    signal: AbortSignal,
  ): Promise<boolean> {
    const paths = new Map(envelopes.map(({ sinebarpart, sinebarpath }) => [sinebarpart, sinebarpath]));
    await new PartMirrorStore(session).lockExclusive([...paths.keys()]);
    const groups = await new FileGroupStore(session).ofGone(kind, envelopes);
    const deleted = await settleFiles(session, this.parts.resolver, groups, signal);
    announceDeleted(session, deleted, (partUuid) => paths.get(partUuid) ?? '');
    return deleted.length > 0;
  }

  /**
   * Puts files under the parts to which their characteristics went. An event does not name what lies below the one that was moved, so the present parts of all
   * characteristics that had files under the old part are asked for.
   * @returns whether bytes are to be removed: of characteristics that were deleted since
   */
  private async characteristicsMoved(session: WriteSession, envelopes: readonly ChangeEnvelope[], signal: AbortSignal): Promise<boolean> {
    const from = envelopes.map(({ sinebaroldpart = '' }) => sinebaroldpart);
    await new PartMirrorStore(session).lockExclusive([...new Set([...from, ...envelopes.map(({ sinebarpart }) => sinebarpart)])]);
    const groups = await new FileGroupStore(session).ofParts(from, 'Characteristic');
    const deleted = await settleFiles(session, this.parts.resolver, groups, signal);
    announceDeleted(session, deleted, () => '');
    return deleted.length > 0;
  }

  private async existing(uuids: readonly string[], signal: AbortSignal): Promise<OwningPart[]> {
    const found: OwningPart[] = [];
    for (let i = 0; i < uuids.length; i += RESOLVE_BATCH) {
      const present = await this.parts.resolver.resolveAll(uuids.slice(i, i + RESOLVE_BATCH).map(partTarget), signal);
      found.push(...present.filter((part) => part !== null));
    }
    return found;
  }
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
