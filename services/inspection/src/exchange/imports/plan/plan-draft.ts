import { randomUUID } from 'node:crypto';
import type { FileCharacteristic, FilePart } from '@sinebar/exchange';
import type { Principal } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import type { Session } from '@sinebar/database';
import {
  formatMarkedPath,
  MAX_STORED_PATH_BYTES,
  parseMarkedPath,
  sharpSToSs,
  storedPath,
  type PathElement,
  type PlanItemKind,
} from '@sinebar/query-language';
import type { PlanItemRequest } from '../../../plan/changes/plan-creation.ts';
import type { Attributes } from '../../../plan/plan-item.ts';
import type { ImportedAttributes } from './imported-attributes.ts';
import { IDENTITY_KEYS, matchItems, namesInFile, namesInPlan } from './item-matching.ts';
import { freeName, NumberClashes, takenNames } from './item-naming.ts';
import { mapInTurns, Turns } from '../../../shared/turns.ts';
import { byParent, StoredItems, type StoredItem } from './stored-items.ts';

const UNIT_KEY = '2142';

/** An item of the file that the server has. */
export interface FoundItem {
  kind: PlanItemKind;
  stored: StoredItem;
  /** Attributes of the file that the server can keep. */
  written: Attributes;
  /** Whether number and name of the file may differ from those of the item. */
  isByPath: boolean;
}

/** What the server has of the parts and characteristics of a file, and what it lacks. */
export interface PlanDraft {
  /** Uuids of parts by their index in the file. */
  parts: Map<number, string>;
  /** Uuids of characteristics by their index in the file. */
  characteristics: Map<number, string>;
  creations: Record<PlanItemKind, PlanItemRequest[]>;
  counts: Record<PlanItemKind, { created: number; found: number }>;
  found: FoundItem[];
  warnings: { key: string; message: string }[];
}

/** A part or characteristic, stored or to be created. */
interface Node {
  stored: StoredItem | undefined;
  path: readonly PathElement[];
}

export interface PlanDraftOptions {
  /** Names of the parts below which the file is imported. */
  base: readonly string[];
  attributes: ImportedAttributes;
  principal: Principal;
  /** Whether missing items are left out, as for a file that was imported before. */
  findsOnly: boolean;
}

/**
 * Finds the parts and characteristics of a file on the server, and drafts the missing ones.
 * @throws ServiceError 403 a part for which the caller may not write measurements, or an item that the caller may not create
 */
export async function draftPlan(session: Session, parts: readonly FilePart[], options: PlanDraftOptions): Promise<PlanDraft> {
  const drafter = new PlanDrafter(new StoredItems(session, options.principal.scopeOf('plan:read')), options);
  await drafter.addParts(parts);
  return drafter.draft;
}

class PlanDrafter {
  readonly draft: PlanDraft = {
    parts: new Map(),
    characteristics: new Map(),
    creations: { part: [], characteristic: [] },
    counts: { part: { created: 0, found: 0 }, characteristic: { created: 0, found: 0 } },
    found: [],
    warnings: [],
  };
  private readonly items: StoredItems;
  private readonly options: PlanDraftOptions;
  /** Parts by the stored path that base and file give them; `undefined` for one that is left out. */
  private readonly nodes = new Map<string, Node | undefined>();
  private readonly clashes = new NumberClashes();
  private readonly turns = new Turns();

  constructor(items: StoredItems, options: PlanDraftOptions) {
    this.items = items;
    this.options = options;
  }

  async addParts(parts: readonly FilePart[]): Promise<void> {
    const { base } = this.options;
    const above = base.map((_, i) => base.slice(0, i + 1));
    const stored = await this.items.partsAt(['', ...above.map((names) => storedPath(partPath(names)))]);
    this.nodes.set('', { stored: stored.find(({ path }) => path === ''), path: [] });
    for (const names of above) await this.addPartsAbove([names], stored);
    const byDepth = new Map<number, FilePart[]>();
    let deepest = 0;
    for (const part of parts) {
      const depth = part.above?.length ?? 0;
      deepest = Math.max(deepest, depth);
      const level = byDepth.get(depth);
      if (level) level.push(part);
      else byDepth.set(depth, [part]);
    }
    for (let depth = 0; depth <= deepest; depth += 1) {
      await this.addPartsOf(byDepth.get(depth) ?? []);
      const above = parts.flatMap(({ above: names = [] }) => (names.length > depth ? [[...base, ...names.slice(0, depth + 1)]] : []));
      await this.addPartsAbove(above);
    }
    await this.addCharacteristics(parts);
    this.draft.warnings.push(...this.clashes.warnings());
  }

  /**
   * Adds parts that the file only names in paths, by these, unless the file describes them.
   * @param paths names from the root on, of one depth
   * @param known stored parts of these paths; read when left out
   */
  private async addPartsAbove(paths: readonly (readonly string[])[], known?: readonly StoredItem[]): Promise<void> {
    const wanted = new Map<string, { parent: Node | undefined; path: readonly PathElement[] }>();
    await this.inTurns(paths, (names) => {
      const key = storedPath(partPath(names));
      if (this.nodes.has(key)) return;
      const parent = this.nodes.get(storedPath(partPath(names.slice(0, -1))));
      wanted.set(key, { parent, path: [...(parent?.path ?? []), ...partPath(names.slice(-1))] });
    });
    const stored = known ?? (await this.items.partsAt(await this.inTurns(wanted.values(), ({ path }) => storedPath(path))));
    const byPath = new Map(stored.map((item) => [item.path, item]));
    await this.inTurns(wanted, ([key, { parent, path }]) => {
      const found = byPath.get(storedPath(path));
      this.nodes.set(key, this.node('part', parent, path, found, found ? {} : writtenAttributes(path.at(-1)?.name ?? '')));
    });
  }

  private async addPartsOf(parts: readonly FilePart[]): Promise<void> {
    const { base } = this.options;
    const siblings = new Map<string, FilePart[]>();
    await this.inTurns(parts, (part) => {
      const key = storedPath(partPath([...base, ...(part.above ?? [])]));
      const list = siblings.get(key);
      if (list) list.push(part);
      else siblings.set(key, [part]);
    });
    const parentIds = [...siblings.keys()].flatMap((key) => this.nodes.get(key)?.stored?.id ?? []);
    const names = await this.inTurns(parts, ({ name, attributes }) => namesInFile('part', name, attributes));
    const below = byParent(parentIds.length === 0 ? [] : await this.items.partsBelow(parentIds, names));
    for (const [key, own] of siblings) {
      const parent = this.nodes.get(key);
      const nodes = await this.match('part', parent, own, below.get(parent?.stored?.id ?? -1) ?? []);
      for (const [i, part] of own.entries()) {
        if (this.turns.isOver) await this.turns.pass();
        const node = nodes[i];
        const path = partPath([...base, ...(part.above ?? []), part.name]);
        this.nodes.set(storedPath(path), node);
        this.refuseForbidden(node?.path ?? path);
      }
    }
  }

  private async addCharacteristics(parts: readonly FilePart[]): Promise<void> {
    const pathOf = ({ name, above = [] }: FilePart) => storedPath(partPath([...this.options.base, ...above, name]));
    const nodes = await this.inTurns(parts, (part) => this.nodes.get(pathOf(part)));
    const ids = nodes.flatMap((node) => node?.stored?.id ?? []);
    const below = ids.length === 0 ? new Map<number, StoredItem[]>() : await this.items.readCharacteristics(ids);
    for (const [i, { characteristics }] of parts.entries()) await this.addBranches(nodes[i], characteristics, below);
  }

  private async addBranches(
    parent: Node | undefined,
    characteristics: readonly FileCharacteristic[],
    below: ReadonlyMap<number, StoredItem[]>,
  ): Promise<void> {
    if (!parent || characteristics.length === 0) return;
    const nodes = await this.match('characteristic', parent, characteristics, below.get(parent.stored?.id ?? -1) ?? []);
    for (const [i, { children }] of characteristics.entries()) if (children.length > 0) await this.addBranches(nodes[i], children, below);
  }

  /** Finds siblings of the file among stored ones, and drafts the others. */
  private async match(
    kind: PlanItemKind,
    parent: Node | undefined,
    wanted: readonly (FilePart | FileCharacteristic)[],
    stored: readonly StoredItem[],
  ): Promise<(Node | undefined)[]> {
    const names = await this.inTurns(wanted, ({ name, attributes }) => namesInFile(kind, name, attributes));
    const storedNames = await this.inTurns(stored, ({ name, attributes }) => namesInPlan(kind, name, attributes));
    this.clashes.note(kind, names, storedNames);
    const matches = await matchItems(kind, names, storedNames, this.turns);
    const taken = takenNames(storedNames);
    return this.inTurns(wanted, (item, i) => {
      const match = matches[i];
      const found = match && stored[match.stored];
      if (found) refuseOtherUnit(item, found);
      const name = found?.name ?? freeName(kind, item.name, item.attributes, taken);
      const path = [...(parent?.path ?? []), { kind, name }];
      const uuid = randomUUID();
      const node = this.node(kind, parent, path, found, item.attributes, match?.isByPath, uuid);
      if (node && item.index !== undefined)
        this.draft[kind === 'part' ? 'parts' : 'characteristics'].set(item.index, node.stored?.uuid ?? uuid);
      return node;
    });
  }

  private inTurns<T, R>(items: Iterable<T>, work: (item: T, index: number) => R): Promise<R[]> {
    return mapInTurns(items, work, this.turns);
  }

  /** Counts an item, and drafts its creation when it is not stored. @returns `undefined` when it is left out */
  private node(
    kind: PlanItemKind,
    parent: Node | undefined,
    path: readonly PathElement[],
    stored: StoredItem | undefined,
    fileAttributes: Attributes,
    isByPath = true,
    uuid: string = randomUUID(),
  ): Node | undefined {
    const { attributes, findsOnly } = this.options;
    const { creations, counts, found } = this.draft;
    if (stored) {
      counts[kind].found += 1;
      found.push({ kind, stored, written: attributes.of(kind, fileAttributes), isByPath });
      return { stored, path: parseMarkedPath(stored.markedPath) };
    }
    if (!parent || findsOnly) return undefined;
    counts[kind].created += 1;
    this.refuseImpossible(path);
    creations[kind].push({ uuid, path, attributes: attributes.of(kind, fileAttributes) });
    return { stored: undefined, path };
  }

  private refuseImpossible(path: readonly PathElement[]): void {
    const stored = storedPath(path);
    if (!this.options.principal.scopeOf('plan:write').includes(stored))
      throw new ServiceError('Forbidden', `You may not create anything at ${formatMarkedPath(path)}.`);
    if (Buffer.byteLength(stored) > MAX_STORED_PATH_BYTES) {
      const message = `A path of the file is longer than ${MAX_STORED_PATH_BYTES} bytes. Shorten the names of its parts or characteristics.`;
      throw new ServiceError('InvalidRequest', message);
    }
  }

  private refuseForbidden(path: readonly PathElement[]): void {
    for (const right of ['plan:read', 'measurement:write'] as const) {
      if (this.options.principal.scopeOf(right).includes(storedPath(path))) continue;
      throw new ServiceError('Forbidden', `You need the right ${right} at ${formatMarkedPath(path)} to import the file.`);
    }
  }
}

/** Attributes of a part that the file only names in paths: its name has ss for ß, the number shows it as written. */
function writtenAttributes(name: string): Attributes {
  return sharpSToSs(name) === name ? {} : { [IDENTITY_KEYS.part.number]: name };
}

function partPath(names: readonly string[]): PathElement[] {
  return names.map((name) => ({ kind: 'part', name }));
}

/** @throws ServiceError 400 the file writes values in another unit than that of the characteristic */
function refuseOtherUnit(item: FilePart | FileCharacteristic, { markedPath, attributes }: StoredItem): void {
  const unit = 'valueUnit' in item ? item.valueUnit : undefined;
  const stored = attributes[UNIT_KEY];
  if (unit === undefined || stored === undefined || stored.normalize('NFKC') === unit.normalize('NFKC')) return;
  throw new ServiceError(
    'InvalidRequest',
    `The values at ${markedPath} have the unit ${JSON.stringify(unit)} in the file and ${JSON.stringify(stored)} on the server. ` +
      'Write them in the unit of the server.',
  );
}
