import { randomUUID } from 'node:crypto';
import type { FileCharacteristic, FilePart } from '@sinebar/exchange';
import type { Principal } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import type { WriteSession } from '@sinebar/database';
import { formatMarkedPath, storedPath, type PathElement, type PlanItemKind } from '@sinebar/query-language';
import { createPlanItems, type PlanItemRequest } from '../../../plan/changes/plan-creation.js';
import { PlanStore } from '../../../plan/changes/plan-store.js';
import type { ChangeContext } from '../../../plan/plan-item.js';
import type { ImportedAttributes } from './imported-attributes.js';
import { IncompletePlan } from './incomplete-plan.js';

/** Parts and characteristics of a file on the server. */
export interface ImportedPlan {
  /** Uuids of parts by their index in the file. */
  parts: ReadonlyMap<number, string>;
  /** Uuids of characteristics by their index in the file. */
  characteristics: ReadonlyMap<number, string>;
  counts: Record<PlanItemKind, { created: number; found: number }>;
}

interface Wanted {
  kind: PlanItemKind;
  path: readonly PathElement[];
  /** `undefined` for groups and for parts above those of the file. */
  index: number | undefined;
  attributes: Readonly<Record<string, string>>;
}

/**
 * Finds the parts and characteristics of a file by their paths and creates the missing ones; existing ones stay as they are.
 * @param base names of the parts below which the file is imported
 * @param context `find` creates nothing
 * @throws IncompletePlan something is missing that may not be created
 * @throws ServiceError 403 a part or characteristic that the caller may not create
 */
export async function importPlan(
  session: WriteSession,
  base: readonly string[],
  parts: readonly FilePart[],
  attributes: ImportedAttributes,
  context: ChangeContext | 'find',
): Promise<ImportedPlan> {
  const wanted = distinct([
    ...partsAbove(base),
    ...parts.flatMap(({ above = [] }) => partsAbove([...base, ...above])),
    ...parts.flatMap((part) => itemsOf(part, base)),
  ]);
  const store = new PlanStore(session);
  const plan = { parts: new Map<number, string>(), characteristics: new Map<number, string>() };
  const counts = { part: { created: 0, found: 0 }, characteristic: { created: 0, found: 0 } };
  for (const kind of ['part', 'characteristic'] as const) {
    const items = wanted.filter((item) => item.kind === kind);
    const paths = items.map(({ path }) => storedPath(path));
    const existing = new Map((await store.findByPaths(kind, paths)).map(({ path, uuid }) => [path, uuid]));
    const requests: PlanItemRequest[] = [];
    items.forEach(({ index, path, attributes: written }, i) => {
      const known = existing.get(paths[i] as string);
      const uuid = known ?? randomUUID();
      if (known === undefined) requests.push({ uuid, path, attributes: attributes.of(kind, written) });
      if (index !== undefined) plan[kind === 'part' ? 'parts' : 'characteristics'].set(index, uuid);
    });
    if (requests.length > 0 && context === 'find') throw new IncompletePlan();
    if (context !== 'find') await createPlanItems(session, kind, requests, context);
    counts[kind] = { created: requests.length, found: items.length - requests.length };
  }
  return { ...plan, counts };
}

/** @throws ServiceError 403 a part of the file that the caller may not read, or for which it may not write measurements */
export function refuseForbiddenParts(base: readonly string[], parts: readonly FilePart[], principal: Principal): void {
  for (const { name, above = [] } of parts) {
    const path = partPath([...base, ...above, name]);
    for (const right of ['plan:read', 'measurement:write'] as const) {
      if (principal.scopeOf(right).includes(storedPath(path))) continue;
      throw new ServiceError('Forbidden', `You need the right ${right} at ${formatMarkedPath(path)} to import the file.`);
    }
  }
}

/** Leaves out parts above others that are there already, or that the file describes. */
function distinct(wanted: readonly Wanted[]): Wanted[] {
  const described = new Set(wanted.flatMap(({ index, path }) => (index === undefined ? [] : [storedPath(path)])));
  const seen = new Set<string>();
  return wanted.filter(({ kind, index, path }) => {
    if (kind !== 'part' || index !== undefined) return true;
    const stored = storedPath(path);
    if (described.has(stored) || seen.has(stored)) return false;
    seen.add(stored);
    return true;
  });
}

function partsAbove(base: readonly string[]): Wanted[] {
  return base.map((_, i) => ({ kind: 'part', path: partPath(base.slice(0, i + 1)), index: undefined, attributes: {} }));
}

function partPath(names: readonly string[]): PathElement[] {
  return names.map((name) => ({ kind: 'part', name }));
}

function itemsOf({ index, name, above = [], attributes, characteristics }: FilePart, base: readonly string[]): Wanted[] {
  const path = partPath([...base, ...above, name]);
  return [{ kind: 'part', path, index, attributes }, ...characteristics.flatMap((characteristic) => branchOf(characteristic, path))];
}

function branchOf({ index, name, attributes, children }: FileCharacteristic, above: readonly PathElement[]): Wanted[] {
  const path: PathElement[] = [...above, { kind: 'characteristic', name }];
  return [{ kind: 'characteristic', path, index, attributes }, ...children.flatMap((child) => branchOf(child, path))];
}
