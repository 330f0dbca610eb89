import type { PathScope } from '@sinebar/access-control';
import { batchConflict, ROOT_PART_UUID, ServiceError, type ErrorDetail } from '@sinebar/contracts';
import type { WriteSession } from '@sinebar/database';
import type { PlanItemKind } from '@sinebar/query-language';
import { deletedEvents } from './plan-events.ts';
import { mayNotDeleteMeasurements } from '../measurement-cascade.ts';
import type { ChangeContext, PlanItem } from '../plan-item.ts';
import { nameOf } from './item-names.ts';
import { PlanStore } from './plan-store.ts';

export type ItemSelection =
  | { by: 'uuid'; uuid: string }
  | { by: 'uuids'; uuids: readonly string[] }
  /** All stored paths that the request can mean: a path without marker does not say where its characteristics begin. */
  | { by: 'paths'; paths: readonly string[] };

export interface DeletionContext extends ChangeContext {
  /** Whether parts may be deleted together with their measurements (spec: decisions.md 4.8). */
  withMeasurements: boolean;
  /** Scope of the items that errors may name in addition to those of the request. */
  readable: PathScope;
  /** Scope in which the caller may change measurements. */
  measurementsWritable: PathScope;
}

const ROOT_PATH = '';

/** Context of a deletion, with the uuids that its request named. */
type NamedDeletion = DeletionContext & { named: ReadonlySet<string> };

/**
 * Deletes parts or characteristics with everything below them and all measurements, under the plan lock.
 * Announces each deletion: measurements first, then children before parents.
 * A list ignores unknown items; a single address that names nothing is 404. The root part, named by its path, is cleared.
 * @throws ServiceError 403, also when the caller may not change the measured values that would be deleted; 409 when a part has measurements
 * and `withMeasurements` is off
 * spec: inspection-service.md, Parts DELETE, Characteristics DELETE; decisions.md 2.6, 4.1, 4.8, 7.3, 8.2; docs/decisions/0014-rights.md
 */
export async function deletePlanItems(
  session: WriteSession,
  kind: PlanItemKind,
  selection: ItemSelection,
  context: DeletionContext,
): Promise<void> {
  if (kind === 'part' && selection.by === 'paths' && selection.paths.includes(ROOT_PATH)) {
    await clearPart(session, ROOT_PART_UUID, false, context);
    return;
  }
  const store = new PlanStore(session);
  const items = (await selected(store, kind, selection)).filter((item) => item.kind === kind);
  if (items.length === 0) {
    if (selection.by === 'uuids') return;
    throw new ServiceError(
      'NotFound',
      selection.by === 'uuid' ? `There is no ${kind} ${selection.uuid}.` : `There is no ${kind} at the path.`,
    );
  }
  for (const item of items) {
    if (item.uuid === ROOT_PART_UUID) throw new ServiceError('InvalidRequest', 'The root part cannot be deleted.');
    if (!context.writable.includes(item.path)) {
      const name = selection.by === 'paths' ? `the ${kind} at this path` : `the ${kind} ${item.uuid}`;
      throw new ServiceError('Forbidden', `You may not delete ${name}. Nothing was deleted.`);
    }
  }
  const named = new Set(selection.by === 'paths' ? [] : items.map(({ uuid }) => uuid));
  await remove(session, store, await store.subtrees(items), { ...context, named });
}

/**
 * Deletes measurements (always), characteristics and, unless `keepSubParts`, sub parts of a part that stays.
 * @throws ServiceError 403 and 409 as {@link deletePlanItems}, 409 for sub parts only
 * spec: inspection-service.md, Parts, clear; decisions.md 4.8, 8.2; docs/decisions/0014-rights.md
 */
export async function clearPart(session: WriteSession, uuid: string, keepSubParts: boolean, context: DeletionContext): Promise<void> {
  const store = new PlanStore(session);
  const [part] = await store.findByUuids([uuid]);
  if (part?.kind !== 'part') throw new ServiceError('NotFound', `There is no part ${uuid}.`);
  if (!context.writable.includes(part.path)) {
    const name = uuid === ROOT_PART_UUID ? 'the root part' : `the part ${uuid}`;
    throw new ServiceError('Forbidden', `You may not clear ${name}. Nothing was deleted.`);
  }
  const named = { ...context, named: new Set([uuid]) };
  const items = (await store.subtrees([part])).filter((item) => item.id !== part.id && (!keepSubParts || item.partId === part.id));
  if (items.length > 0) {
    await remove(session, store, items, named, part);
    return;
  }
  await refuseForeignMeasurements(session, [], named, part);
  await context.measurements.deleteOfParts(session, [part]);
}

/** @param cleared a part that stays but loses its measurements */
async function remove(
  session: WriteSession,
  store: PlanStore,
  items: readonly PlanItem[],
  context: NamedDeletion,
  cleared?: PlanItem,
): Promise<void> {
  await refuseForeignMeasurements(session, items, context, cleared);
  await removeMeasurements(session, items, context, cleared);
  const ids = new Set(items.map(({ id }) => id));
  const around = await store.findByIds(
    [...new Set(items.flatMap(({ parentId, partId }) => [parentId ?? partId, partId]))].filter((id) => !ids.has(id)),
  );
  const byId = new Map([...items, ...around].map((item) => [item.id, item]));
  const { at, versioned } = context;
  const change = { revision: await store.nextRevision(at), at, versioned, comment: null };
  await store.delete([...ids]);
  const owners = [...new Set(items.map(({ partId }) => partId))].filter((id) => !ids.has(id));
  if (owners.length > 0) {
    await store.touchOwners(owners, change);
    await context.measurements.markValuesStale(session, owners, [...ids]);
  }
  session.announce(deletedEvents(items, byId));
}

/** Refuses a deletion that includes measured values which the caller may not change. @throws ServiceError 403 */
async function refuseForeignMeasurements(
  session: WriteSession,
  items: readonly PlanItem[],
  { measurementsWritable: writable, measurements, named, readable }: NamedDeletion,
  cleared: PlanItem | undefined,
): Promise<void> {
  if (writable.isEverything) return;
  const foreign = (cleared ? [...items, cleared] : items).filter(({ path }) => !writable.includes(path));
  const parts = foreign.filter(({ kind }) => kind === 'part');
  const id = await measurements.measuredAmong(session, idsOf(parts));
  const measured = parts.find((part) => part.id === id);
  if (measured) throw mayNotDeleteMeasurements(nameOf(measured, named, readable));
  const emptied = new Set(parts.map((part) => part.id));
  const characteristics = foreign.filter(({ kind, partId }) => kind === 'characteristic' && !emptied.has(partId));
  if (characteristics.length === 0) return;
  const partIds = [...new Set(characteristics.map(({ partId }) => partId))];
  // Checks the parts first, because the search for values runs once for each characteristic.
  if ((await measurements.measuredAmong(session, partIds)) === undefined) return;
  const withValues = await measurements.characteristicsWithValues(
    session,
    partIds,
    characteristics.map((characteristic) => characteristic.id),
  );
  const kept = characteristics.find((characteristic) => withValues.has(characteristic.id));
  if (!kept) return;
  throw new ServiceError('Forbidden', `You may not delete the measured values of ${nameOf(kept, named, readable)}. Nothing was deleted.`);
}

async function removeMeasurements(
  session: WriteSession,
  items: readonly PlanItem[],
  { withMeasurements, measurements, named, readable }: NamedDeletion,
  cleared: PlanItem | undefined,
): Promise<void> {
  const parts = items.filter(({ kind }) => kind === 'part');
  if (!withMeasurements) {
    const id = await measurements.measuredAmong(session, idsOf(parts));
    const measured = parts.find((part) => part.id === id);
    if (measured) {
      const name = nameOf(measured, named, readable);
      throw batchConflict(
        'InUse',
        `This server does not delete parts with measurements, such as ${name}. Nothing was deleted.`,
        measuredNames(parts, new Set(await measurements.allMeasuredAmong(session, idsOf(parts))), named),
      );
    }
  }
  if (cleared) parts.push(cleared);
  if (parts.length > 0) await measurements.deleteOfParts(session, parts);
}

function idsOf(items: readonly PlanItem[]): number[] {
  return items.map(({ id }) => id);
}

/** Names the parts of a list that have measurements, themselves or below them; only with the uuids that the request named. */
function measuredNames(parts: readonly PlanItem[], measured: ReadonlySet<number>, named: ReadonlySet<string>): ErrorDetail[] {
  const byId = new Map(parts.map((part) => [part.id, part]));
  const blocked = new Set<PlanItem>();
  for (const id of measured) {
    for (let part = byId.get(id); part && !blocked.has(part); part = byId.get(part.parentId ?? part.id)) blocked.add(part);
  }
  const uuids = new Set([...blocked].map(({ uuid }) => uuid));
  return [...named]
    .filter((uuid) => uuids.has(uuid))
    .map((uuid) => ({ field: 'uuid', message: `The part ${uuid} has measurements, itself or below it.` }));
}

function selected(store: PlanStore, kind: PlanItemKind, selection: ItemSelection): Promise<PlanItem[]> {
  switch (selection.by) {
    case 'uuid':
      return store.findByUuids([selection.uuid]);
    case 'uuids':
      return store.findByUuids(selection.uuids);
    case 'paths':
      return store.findByPaths(kind, selection.paths);
  }
}
