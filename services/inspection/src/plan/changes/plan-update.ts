import { ServiceError, type PendingChange } from '@sinebar/contracts';
import type { WriteSession } from '@sinebar/database';
import {
  childMarkedPath,
  formatMarkedPath,
  MAX_STORED_PATH_BYTES,
  storedPath,
  storedPathElement,
  type PathElement,
  type PlanItemKind,
} from '@sinebar/query-language';
import { refuseUnlessStored, type OutdatedValue } from '../../configuration/attribute-values.ts';
import type { MeasurementCascade } from '../measurement-cascade.ts';
import type { Attributes, ChangeContext, ChangedPlanItem, PlanItem, Relocation, StoredPlanItem } from '../plan-item.ts';
import { refuseConflicts } from './plan-creation.ts';
import { FinalPaths, nearest } from './final-paths.ts';
import { concerning } from './item-names.ts';
import { missingParent } from './missing-parent.ts';
import { PlanStore } from './plan-store.ts';

/** Requested changes of an item; members that are left out stay unchanged. */
export interface PlanItemUpdate {
  uuid: string;
  path?: readonly PathElement[] | undefined;
  /** Replaces all attributes. */
  attributes?: Attributes | undefined;
  /** Values among the attributes that may only stay. */
  outdated?: readonly OutdatedValue[] | undefined;
  comment?: string | undefined;
}

interface Change {
  before: StoredPlanItem;
  /** Its path also reflects a move of an item above it in the same request. */
  after: StoredPlanItem;
  /** Whether the item itself gets another name or parent. */
  moved: boolean;
  comment: string | undefined;
}

/**
 * Renames and moves parts or characteristics and changes their attributes, under the plan lock, all or none.
 * Requested paths refer to the plan after the request: the order does not matter, and two items may swap their names.
 * An item sent with its current path stays in its parent and moves with it, because clients send whole objects.
 * An item without a change gets no version and no event.
 * @throws ServiceError 404 unknown uuid; 400 root renamed, moved below itself, characteristic moved and renamed at once or with values to
 * another part, parent missing; 403; 409 path taken
 * spec: decisions.md 4.6, 7.3; inspection-service.md, Parts PUT, Characteristics PUT
 */
export async function updatePlanItems(
  session: WriteSession,
  kind: PlanItemKind,
  updates: readonly PlanItemUpdate[],
  context: ChangeContext,
): Promise<void> {
  const store = new PlanStore(session);
  const items = await existingItems(store, kind, updates);
  // Checks rights before any other look-up, because errors must not reveal whether an item exists.
  for (const { uuid, path } of updates) {
    const { path: now } = items.get(uuid) as StoredPlanItem;
    if (!context.writable.includes(now)) throw new ServiceError('Forbidden', `You may not change the ${kind} ${uuid}.`);
    if (path && !context.writable.includes(storedPath(path)))
      throw new ServiceError('Forbidden', `You may not change anything at ${formatMarkedPath(path)}.`);
  }
  for (const { uuid, outdated = [] } of updates) refuseUnlessStored(outdated, items.get(uuid)?.attributes);
  const changes = await plannedChanges(store, kind, updates, items);
  if (changes.length === 0) return;
  if (kind === 'characteristic') await refuseValuesLeavingPart(session, context.measurements, store, changes, updates);

  const comment = changes[0]?.comment ?? null;
  const change = { revision: await store.nextRevision(context.at), at: context.at, versioned: context.versioned, comment };
  await store.update(changes satisfies ChangedPlanItem[], change);
  await relocate(
    store,
    changes.filter(({ moved }) => moved),
    change.revision,
  );
  const ownerIds = kind === 'part' ? [] : [...new Set(changes.flatMap(({ before, after }) => [before.partId, after.partId]))];
  if (ownerIds.length > 0) await store.touchOwners(ownerIds, change);

  const owners = new Map((await store.findByIds(ownerIds)).map((owner) => [owner.id, owner]));
  session.announce(changes.flatMap((item) => eventsOf(item, owners)));
}

async function existingItems(
  store: PlanStore,
  kind: PlanItemKind,
  updates: readonly PlanItemUpdate[],
): Promise<Map<string, StoredPlanItem>> {
  const items = new Map(
    (await store.findStates(updates.map(({ uuid }) => uuid))).filter((item) => item.kind === kind).map((item) => [item.uuid, item]),
  );
  const seen = new Map<string, number>();
  updates.forEach(({ uuid }, index) => {
    if (!items.has(uuid)) throw new ServiceError('NotFound', `[${index}]: There is no ${kind} ${uuid}.`);
    const other = seen.get(uuid);
    if (other !== undefined) throw new ServiceError('InvalidRequest', `[${index}]: The uuid ${uuid} stands in [${other}] already.`);
    seen.set(uuid, index);
  });
  return items;
}

async function plannedChanges(
  store: PlanStore,
  kind: PlanItemKind,
  updates: readonly PlanItemUpdate[],
  items: ReadonlyMap<string, StoredPlanItem>,
): Promise<Change[]> {
  const wanted = updates.map((update, index): Wanted => ({ update, index, item: items.get(update.uuid) as StoredPlanItem }));
  const sent = wanted.flatMap(({ update, index, item }) =>
    update.path && !isAt(item, update.path) ? [{ index, item, path: update.path }] : [],
  );
  for (const move of sent) refuseImpossible(move);
  rejectDuplicates(sent);
  const finalPaths = new FinalPaths(sent.map(({ item, path }) => ({ from: item.path, to: storedPath(path) })));
  const parents = await finalParents(store, sent, finalPaths);
  await refuseTaken(store, kind, sent, finalPaths);
  // An item that keeps name and parent only moves with an item above it.
  const moving = sent.filter(({ item, path }) => parents.get(item.uuid)?.id !== item.parentId || path.at(-1)?.name !== item.name);
  if (kind === 'characteristic') refuseMovedAndRenamed(moving, parents);
  const relocations = finalStates(kind, moving, parents);
  return wanted.flatMap(({ update, item }) => {
    const moved = relocations.get(item.path)?.after;
    const target = moved ?? { ...item, path: finalPaths.finalPathOf(item.path), markedPath: finalMarkedPath(item, relocations) };
    const modified = update.attributes !== undefined && !sameAttributes(update.attributes, item.attributes);
    if (!moved && !modified) return [];
    const after = { ...target, attributes: modified ? (update.attributes ?? {}) : item.attributes };
    return [{ before: item, after, moved: moved !== undefined, comment: update.comment }];
  });
}

interface Wanted {
  update: PlanItemUpdate;
  index: number;
  item: StoredPlanItem;
}

interface Moving {
  index: number;
  item: StoredPlanItem;
  path: readonly PathElement[];
}

/** Whether a path is that of the item; it may spell the items above in another case. */
function isAt(item: PlanItem, path: readonly PathElement[]): boolean {
  return storedPath(path) === item.path && (path.at(-1)?.name ?? '') === item.name;
}

/** @param sentence names the item */
function refuse({ index }: Pick<Moving, 'index'>, sentence: string): never {
  throw new ServiceError('InvalidRequest', `[${index}].path: ${sentence}`);
}

function refuseImpossible(move: Moving): void {
  if (move.item.parentId === null) refuse(move, `The root part cannot be renamed or moved.${concerning('part', move.item.uuid)}`);
  if (move.path.length === 0) refuse(move, `Only the root part has this path.${concerning(move.item.kind, move.item.uuid)}`);
}

function refuseMovedAndRenamed(moving: readonly Moving[], parents: ReadonlyMap<string, PlanItem>): void {
  for (const move of moving) {
    const { item, path } = move;
    if (parents.get(item.uuid)?.id !== item.parentId && path.at(-1)?.name !== item.name)
      refuse(move, `A characteristic cannot be moved and renamed at once. Send two requests.${concerning(item.kind, item.uuid)}`);
  }
}

/** Refuses to move a characteristic with values (its own or below it) to another part. spec: decisions.md 4.6 */
async function refuseValuesLeavingPart(
  session: WriteSession,
  measurements: MeasurementCascade,
  store: PlanStore,
  changes: readonly Change[],
  updates: readonly PlanItemUpdate[],
): Promise<void> {
  const byPath = new Map(changes.filter(({ moved }) => moved).map((change) => [change.before.path, change]));
  const leaving = [...byPath.values()].filter(({ before, after }) => before.partId !== after.partId);
  if (leaving.length === 0) return;
  // An item below moves with it, unless the request moves it separately.
  const items = (await store.subtrees(leaving.map(({ before }) => before))).flatMap((item) => {
    const change = nearest(item.path, byPath);
    return change && change.before.partId !== change.after.partId ? [{ id: item.id, change }] : [];
  });
  const measured = await measurements.characteristicsWithValues(
    session,
    [...new Set(leaving.map(({ before }) => before.partId))],
    items.map(({ id }) => id),
  );
  const refused = items.find(({ id }) => measured.has(id))?.change;
  if (!refused) return;
  const index = updates.findIndex(({ uuid }) => uuid === refused.before.uuid);
  refuse(
    { index },
    `The characteristic ${refused.before.uuid} has measured values, itself or below it, and can move only within its part.`,
  );
}

/** Finds the future parent of each item, in its current state. */
async function finalParents(store: PlanStore, moving: readonly Moving[], finalPaths: FinalPaths): Promise<Map<string, PlanItem>> {
  const paths: Record<PlanItemKind, Set<string>> = { part: new Set(), characteristic: new Set() };
  const wanted = moving.map((move) => {
    const finalPath = storedPath(move.path.slice(0, -1));
    const parent = { finalPath, currentPath: finalPaths.currentPathOf(finalPath), kind: move.path.at(-2)?.kind ?? 'part' };
    paths[parent.kind].add(parent.currentPath);
    return { move, parent };
  });
  const existing = new Map(
    [...(await store.findByPaths('part', [...paths.part])), ...(await store.findByPaths('characteristic', [...paths.characteristic]))].map(
      (item) => [item.path, item],
    ),
  );
  return new Map(
    wanted.map(({ move, parent }) => {
      const item = existing.get(parent.currentPath);
      if (!item || finalPaths.finalPathOf(item.path) !== parent.finalPath) {
        if (parent.finalPath.startsWith(move.item.path))
          refuse(move, `The ${move.item.kind} ${move.item.uuid} cannot be moved below itself.`);
        throw missingParent({ ...move, uuid: move.item.uuid }, ' once the request is done');
      }
      return [move.item.uuid, item];
    }),
  );
}

function rejectDuplicates(moving: readonly Moving[]): void {
  const seen = new Map<string, number>();
  for (const { index, path } of moving) {
    const stored = storedPath(path);
    const other = seen.get(stored);
    if (other !== undefined) refuse({ index }, `The path ${formatMarkedPath(path)} stands in [${other}] already.`);
    seen.set(stored, index);
  }
}

async function refuseTaken(store: PlanStore, kind: PlanItemKind, moving: readonly Moving[], finalPaths: FinalPaths): Promise<void> {
  const wanted = new Map(moving.map((move) => [storedPath(move.path), move]));
  const candidates = [...wanted.keys()].flatMap((path) => [path, finalPaths.currentPathOf(path)]);
  const taken = (await store.findByPaths(kind, [...new Set(candidates)])).flatMap((item) => {
    const move = wanted.get(finalPaths.finalPathOf(item.path));
    return move && move.item.uuid !== item.uuid ? [{ ...move, uuid: move.item.uuid }] : [];
  });
  refuseConflicts(
    taken.sort((a, b) => a.index - b.index),
    'path',
    ({ path }) => `There is already a ${kind} at ${formatMarkedPath(path)}`,
  );
}

/** Computes the final states of the items, by their stored path before the request. Paths use the spelling of the parents. */
function finalStates(
  kind: PlanItemKind,
  moving: readonly Moving[],
  parents: ReadonlyMap<string, PlanItem>,
): Map<string, { before: StoredPlanItem; after: StoredPlanItem }> {
  const byFrom = new Map<string, { before: StoredPlanItem; after: StoredPlanItem }>();
  // Items that are higher in the final plan come first, so that their spelling is known.
  for (const { item, path } of [...moving].sort((a, b) => a.path.length - b.path.length)) {
    const element = path.at(-1) as PathElement;
    const parent = parents.get(item.uuid) as PlanItem;
    const state: StoredPlanItem = {
      ...item,
      name: element.name,
      path: storedPath(path.slice(0, -1)) + storedPathElement(element),
      markedPath: childMarkedPath(finalMarkedPath(parent, byFrom), element),
      depth: path.length,
      parentId: parent.id,
      // A characteristic belongs to the part to which the request moves the characteristics above it.
      partId: kind === 'part' ? item.partId : (nearest(parent.path, byFrom)?.after.partId ?? parent.partId),
    };
    byFrom.set(item.path, { before: item, after: state });
  }
  return byFrom;
}

function finalMarkedPath(item: PlanItem, relocations: ReadonlyMap<string, Relocation>): string {
  const above = nearest(item.path, relocations);
  if (!above) return item.markedPath;
  const { before, after } = above;
  const marker = after.markedPath.slice(0, after.depth) + item.markedPath.slice(before.depth, item.depth);
  const names =
    after.markedPath.slice(after.depth + 1) + item.markedPath.slice(item.depth + 1).slice(before.markedPath.length - before.depth - 1);
  return `${marker}:${names}`;
}

async function relocate(store: PlanStore, relocations: readonly Relocation[], revision: number): Promise<void> {
  if (relocations.length === 0) return;
  const inner = await store.parentsAmong(relocations.map(({ before }) => before.id));
  const subtrees = relocations.filter(({ before }) => inner.has(before.id));
  for (const { before, after } of subtrees) {
    const growthBytes = Buffer.byteLength(after.path) - Buffer.byteLength(before.path);
    if (growthBytes > 0 && (await store.wouldBeTooLong(before, growthBytes))) {
      throw new ServiceError(
        'InvalidRequest',
        `A path below the ${after.kind} ${after.uuid} would be longer than ${MAX_STORED_PATH_BYTES} bytes.`,
      );
    }
  }
  await store.relocateSubtrees(subtrees, revision);
  await store.relocateLeaves(relocations.filter(({ before }) => !inner.has(before.id)));
}

function sameAttributes(a: Attributes, b: Attributes): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

function eventsOf({ before, after, moved }: Change, owners: ReadonlyMap<number, PlanItem>): PendingChange[] {
  const modified = !sameAttributes(before.attributes, after.attributes);
  const subject = { subject: after.uuid, path: after.path };
  const from = { oldPath: before.path };
  const paths = { FromPath: before.markedPath, ToPath: after.markedPath };
  const events: PendingChange[] = [];
  if (after.kind === 'part') {
    const part = { PartUuid: after.uuid };
    if (moved) events.push({ type: 'PartMoved', ...subject, ...from, partUuid: after.uuid, events: [{ ...part, ...paths }] });
    if (modified) events.push({ type: 'PartModified', ...subject, partUuid: after.uuid, events: [part] });
    return events;
  }
  const [owner, oldOwner] = [owners.get(after.partId), owners.get(before.partId)];
  if (!owner || !oldOwner) throw new Error(`the part of ${after.uuid} is not known`);
  const about = { ...subject, partUuid: owner.uuid };
  const characteristic = { CharacteristicUuid: after.uuid };
  if (moved)
    events.push({ type: 'CharacteristicMoved', ...about, ...from, oldPartUuid: oldOwner.uuid, events: [{ ...characteristic, ...paths }] });
  if (modified) events.push({ type: 'CharacteristicModified', ...about, events: [{ ...characteristic, ParentPartUuid: owner.uuid }] });
  return events;
}
