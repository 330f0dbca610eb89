import { batchConflict, ServiceError } from '@sinebar/contracts';
import type { WriteSession } from '@sinebar/database';
import { childMarkedPath, formatMarkedPath, storedPath, type PathElement, type PlanItemKind } from '@sinebar/query-language';
import { createdEvents } from './plan-events.ts';
import type { Attributes, ChangeContext, NewPlanItem, PlanItem } from '../plan-item.ts';
import { firstMissingParent } from './missing-parent.ts';
import { inTurns, mapInTurns } from '../../shared/turns.ts';
import { PlanStore } from './plan-store.ts';

export interface PlanItemRequest {
  uuid: string;
  path: readonly PathElement[];
  attributes: Attributes;
  comment?: string | undefined;
}

interface Wanted extends PlanItemRequest {
  index: number;
  storedPath: string;
  parentStoredPath: string;
}

/**
 * Creates parts or characteristics under the plan lock, in any order within the request, all or none, and announces them.
 * @throws ServiceError 400 parent missing or of the wrong kind, 403, 409 uuid or path taken
 * spec: decisions.md 4.2 to 4.4
 */
export async function createPlanItems(
  session: WriteSession,
  kind: PlanItemKind,
  requests: readonly PlanItemRequest[],
  context: ChangeContext,
): Promise<void> {
  if (requests.length === 0) return;
  const wanted = await mapInTurns(requests, (request, index): Wanted => {
    return { ...request, index, storedPath: storedPath(request.path), parentStoredPath: storedPath(request.path.slice(0, -1)) };
  });
  await rejectDuplicates(wanted);
  // Checks rights before any look-up, because errors must not reveal whether an item exists.
  await mapInTurns(wanted, ({ path, storedPath: stored }) => {
    if (!context.writable.includes(stored))
      throw new ServiceError('Forbidden', `You may not create anything at ${formatMarkedPath(path)}.`);
  });
  const store = new PlanStore(session);
  await refuseTaken(store, kind, wanted);
  const parents = await findParents(store, wanted);

  const byPath = new Map<string, PlanItem>(parents.map((parent) => [parent.path, parent]));
  const ids = await store.newIds(wanted.length);
  const created: NewPlanItem[] = [];
  for await (const slice of inTurns([...wanted].sort((a, b) => a.path.length - b.path.length))) {
    for (const request of slice) {
      const parent = byPath.get(request.parentStoredPath);
      if (!parent) throw await firstMissingParent(store, request, context.writable, (path) => byPath.has(path));
      const item = newItem(request, kind, ids[request.index] as number, parent);
      byPath.set(item.path, item);
      created.push(item);
    }
  }
  const { at, versioned } = context;
  const change = { revision: await store.nextRevision(at), at, versioned, comment: requests[0]?.comment ?? null };
  for await (const slice of inTurns(created)) await store.insert(slice, change);
  if (kind === 'characteristic') await store.touchOwners([...new Set(created.map(({ partId }) => partId))], change);

  const byId = new Map<number, PlanItem>([...byPath.values()].map((item) => [item.id, item]));
  session.announce(createdEvents(created, byId));
}

function newItem(request: Wanted, kind: PlanItemKind, id: number, parent: PlanItem): NewPlanItem {
  // The path is never empty: only the root part has an empty path, and it already exists.
  const element = request.path.at(-1) as PathElement;
  return {
    id,
    uuid: request.uuid,
    kind,
    parentId: parent.id,
    partId: kind === 'part' ? id : parent.partId,
    name: element.name,
    path: request.storedPath,
    // Uses the parent's own spelling, which may differ in case from the one in the request.
    markedPath: childMarkedPath(parent.markedPath, element),
    depth: parent.depth + 1,
    attributes: request.attributes,
  };
}

async function rejectDuplicates(wanted: readonly Wanted[]): Promise<void> {
  const seen = new Map<string, number>();
  await mapInTurns(wanted, ({ index, uuid, path, storedPath: stored }) => {
    for (const [key, what] of [
      [uuid, `The uuid ${uuid}`],
      [stored, `The path ${formatMarkedPath(path)}`],
    ] as const) {
      const other = seen.get(key);
      if (other !== undefined) throw new ServiceError('InvalidRequest', `[${index}]: ${what} stands in [${other}] already.`);
      seen.set(key, index);
    }
  });
}

async function refuseTaken(store: PlanStore, kind: PlanItemKind, wanted: readonly Wanted[]): Promise<void> {
  // Names uuids and paths as the request has them, never the existing items, which the caller may not be allowed to read.
  const known = new Set<string>();
  for await (const slice of inTurns(wanted)) for (const { uuid } of await store.findByUuids(slice.map((one) => one.uuid))) known.add(uuid);
  refuseConflicts(
    wanted.filter(({ uuid }) => known.has(uuid)),
    'uuid',
    ({ uuid }) => `There is already something with the uuid ${uuid}`,
  );
  const taken = new Set<string>();
  for await (const slice of inTurns(wanted)) {
    const storedPaths = slice.map(({ storedPath: stored }) => stored);
    for (const { path } of await store.findByPaths(kind, storedPaths)) taken.add(path);
  }
  refuseConflicts(
    wanted.filter(({ storedPath: stored }) => taken.has(stored)),
    'path',
    ({ path }) => `There is already a ${kind} at ${formatMarkedPath(path)}`,
  );
}

/** @throws ServiceError 409 that names the items, if there are any */
export function refuseConflicts<T extends { index: number; uuid: string }>(
  items: readonly T[],
  member: 'uuid' | 'path',
  sentenceOf: (item: T) => string,
): void {
  const [first] = items;
  if (!first) return;
  const conflicts = items.map((item) => ({
    field: `[${item.index}].${member}`,
    message: `${sentenceOf(item)}${member === 'path' ? `, where ${item.uuid} was to be` : ''}.`,
  }));
  throw batchConflict('AlreadyExists', `[${first.index}].${member}: ${sentenceOf(first)}.`, conflicts);
}

/** Finds the existing parents, and the parts that own them, which the events name. */
async function findParents(store: PlanStore, wanted: readonly Wanted[]): Promise<PlanItem[]> {
  const paths: Record<PlanItemKind, Set<string>> = { part: new Set(), characteristic: new Set() };
  await mapInTurns(wanted, ({ path, parentStoredPath }) => {
    paths[path.at(-2)?.kind ?? 'part'].add(parentStoredPath);
    const lastPart = path.findLastIndex(({ kind }, i) => kind === 'part' && i < path.length - 1);
    paths.part.add(storedPath(path.slice(0, lastPart + 1)));
  });
  const parents: PlanItem[] = [];
  for (const kind of ['part', 'characteristic'] as const)
    for await (const slice of inTurns(paths[kind])) parents.push(...(await store.findByPaths(kind, slice)));
  return parents;
}
