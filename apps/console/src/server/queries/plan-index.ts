import type { SinebarClient } from '@sinebar/client';
import { parseMarkedPath } from '@sinebar/query-language';
import { queryOptions } from '@tanstack/react-query';
import { queryKeys } from './keys';

/** A part or characteristic that a search can find. */
export interface IndexedItem {
  kind: 'part' | 'characteristic';
  uuid: string;
  /** Path with its type marker. */
  path: string;
  /** The part itself, or the part that the characteristic belongs to. */
  partUuid: string;
  name: string;
  /** Names above it: `Car door / Frame`. */
  parentPath: string;
}

/** The names of the whole plan, for searches; the interface has no search by name. */
export class PlanIndex {
  readonly items: readonly IndexedItem[];
  private readonly folded: readonly string[];

  constructor(items: readonly IndexedItem[]) {
    this.items = items;
    this.folded = items.map(({ name, parentPath }) => fold(`${name}\n${parentPath}`));
  }

  /** Finds items whose names, with those above, hold every word: those first whose name begins with the first word. */
  search(text: string, most: number): IndexedItem[] {
    const words = fold(text)
      .split(/[\s/]+/)
      .filter((word) => word !== '');
    const [first] = words;
    if (first === undefined) return [];
    const best: IndexedItem[] = [];
    const others: IndexedItem[] = [];
    for (const [i, item] of this.items.entries()) {
      const folded = this.folded[i] as string;
      if (!words.every((word) => folded.includes(word))) continue;
      if (folded.startsWith(first)) best.push(item);
      else if (others.length < most) others.push(item);
      if (best.length >= most) break;
    }
    return [...best, ...others].slice(0, most);
  }
}

/** Levels of the plan that are read: all. */
const DEPTH = 65_535;

/** Reads the names of the whole plan once; changes of the plan renew it. */
export function planIndexQuery(client: SinebarClient) {
  return queryOptions({
    queryKey: queryKeys.plan('index'),
    queryFn: async ({ signal }) => {
      const names = { requestedPartAttributes: 'None', requestedCharacteristicAttributes: 'None' } as const;
      return new PlanIndex(indexedItems(await client.planItems.list({ depth: DEPTH, ...names, signal })));
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

interface PlanItem {
  uuid: string;
  path: string;
}

/** Makes the items of an index, without the root. */
export function indexedItems(items: readonly PlanItem[]): IndexedItem[] {
  const read = items.map(({ uuid, path }) => ({ uuid, path, elements: parseMarkedPath(path) }));
  const parts = read.filter(({ elements }) => elements.at(-1)?.kind === 'part');
  const partAt = new Map(parts.map(({ uuid, path }) => [path.slice(path.indexOf(':') + 1), uuid]));
  return read.flatMap(({ uuid, path, elements }) => {
    const last = elements.at(-1);
    if (last === undefined) return [];
    const depth = elements.filter(({ kind }) => kind === 'part').length;
    return {
      kind: last.kind,
      uuid,
      path,
      partUuid: last.kind === 'part' ? uuid : (partAt.get(partOf(path, depth)) ?? ''),
      name: last.name,
      parentPath: elements
        .slice(0, -1)
        .map(({ name }) => name)
        .join(' / '),
    };
  });
}

/** Cuts the path of a characteristic behind its last part. */
function partOf(path: string, depth: number): string {
  const names = path.slice(path.indexOf(':') + 1).match(/(?:[^\\/]|\\.)+\//gs) ?? [];
  return `/${names.slice(0, depth).join('')}`;
}

function fold(text: string): string {
  return text.toLowerCase();
}
