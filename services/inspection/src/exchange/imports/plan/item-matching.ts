import type { PlanItemKind } from '@sinebar/query-language';
import { foldName, MAX_NAME_LENGTH } from '@sinebar/query-language';
import type { Attributes } from '../../../plan/plan-item.ts';
import { Turns } from '../../../shared/turns.ts';

/** Keys of the number and the name of an item. */
export const IDENTITY_KEYS: Readonly<Record<PlanItemKind, { number: string; title: string }>> = {
  part: { number: '1001', title: '1002' },
  characteristic: { number: '2001', title: '2002' },
};

/** Characters of a text that are compared; a name in a path has fewer. */
const MAX_COMPARED = 4 * MAX_NAME_LENGTH;

/** Texts that identify an item among its siblings, folded for comparison. */
export interface ItemNames {
  /** Last name of its path; in a file, the name that it gets where it is new. */
  name: string;
  number: string | undefined;
  title: string | undefined;
}

/** The stored item for one of a file. */
export interface Match {
  /** Index of the stored item. */
  stored: number;
  /** Whether only the name in the path agrees, so that number and name may differ. */
  isByPath: boolean;
}

/** Folds the beginning of a text, which names an item: a field of a file may have millions of characters. */
export function foldStart(text: string): string {
  return foldName(text.slice(0, MAX_COMPARED));
}

/** Reads the names of an item of a file. */
export function namesInFile(kind: PlanItemKind, name: string, attributes: Attributes): ItemNames {
  const keys = IDENTITY_KEYS[kind];
  return { name: foldName(name), number: folded(attributes[keys.number]), title: folded(attributes[keys.title]) };
}

/** Reads the names of a stored item. The name in its path stands for the number of a part or the name of a characteristic without one. */
export function namesInPlan(kind: PlanItemKind, pathName: string, attributes: Attributes): ItemNames {
  const { name, number, title } = namesInFile(kind, pathName, attributes);
  if (kind === 'part') return { name, number: number ?? (name === title ? undefined : name), title };
  const suffix = number === undefined ? '' : ` (${number})`;
  const bare = suffix !== '' && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
  return { name, number, title: title ?? (bare === number ? undefined : bare) };
}

function folded(text: string | undefined): string | undefined {
  const name = text === undefined ? '' : foldStart(text).trim();
  return name === '' ? undefined : name;
}

/**
 * Finds siblings of a file among those of the server, each at most once and in linear time: by number and name, else by name where no
 * stored sibling has the number, else by number where one of both has no name, else by the name in the path where nothing contradicts.
 * Parts are found by name only where one of both has no number: many parts have descriptions such as "Shaft".
 * spec: decisions.md 11.2
 */
export async function matchItems(
  kind: PlanItemKind,
  wanted: readonly ItemNames[],
  stored: readonly ItemNames[],
  turns = new Turns(),
): Promise<(Match | undefined)[]> {
  const matching = new Matching(kind, wanted, stored, turns);
  return matching.run();
}

class Matching {
  private readonly kind: PlanItemKind;
  private readonly wanted: readonly ItemNames[];
  private readonly stored: readonly ItemNames[];
  private readonly turns: Turns;
  private readonly found: (Match | undefined)[];
  private readonly used = new Set<number>();
  private readonly byBoth: Candidates;
  private readonly byTitle: Candidates;
  private readonly byTitleAlone: Candidates;
  private readonly byNumber: Candidates;
  private readonly byNumberAlone: Candidates;
  private readonly byName = new Map<string, number>();
  private freeOfTitle = new Map<string, number>();

  constructor(kind: PlanItemKind, wanted: readonly ItemNames[], stored: readonly ItemNames[], turns: Turns) {
    this.kind = kind;
    this.turns = turns;
    this.wanted = wanted;
    this.stored = stored;
    this.found = wanted.map(() => undefined);
    this.byBoth = new Candidates(stored, bothOf);
    this.byTitle = new Candidates(stored, ({ title }) => title);
    this.byTitleAlone = new Candidates(stored, ({ number, title }) => (number === undefined ? title : undefined));
    this.byNumber = new Candidates(stored, ({ number }) => number);
    this.byNumberAlone = new Candidates(stored, ({ number, title }) => (title === undefined ? number : undefined));
  }

  async run(): Promise<(Match | undefined)[]> {
    await this.collect();
    await this.each((item) => {
      const both = bothOf(item);
      if (both === undefined) return undefined;
      // Without the attributes of number and name a path such as `Diameter (20)` has both.
      const bracketed = this.byName.get(`${item.title ?? ''} (${item.number ?? ''})`);
      const isBracketed = bracketed !== undefined && this.stored[bracketed]?.title === this.stored[bracketed]?.name;
      return this.take(this.byBoth, both, item) ?? (isBracketed && !this.used.has(bracketed) ? bracketed : undefined);
    });
    const openOfTitle = await countsOf(this.wanted, ({ title }, i) => (this.found[i] ? undefined : title), this.turns);
    await this.each((item) => {
      const { number, title } = item;
      if (title === undefined || (number !== undefined && this.byNumber.has(number))) return undefined;
      // Several siblings of one name are told apart by their numbers.
      const isOpen = openOfTitle.get(title) === 1;
      const isClear = isOpen && this.freeOfTitle.get(title) === 1;
      if (this.kind === 'characteristic') return number === undefined || isClear ? this.take(this.byTitle, title, item) : undefined;
      const without = number === undefined || isOpen ? this.take(this.byTitleAlone, title, item) : undefined;
      return without ?? (number === undefined && isClear ? this.take(this.byTitle, title, item) : undefined);
    });
    await this.each((item) => {
      if (item.number === undefined) return undefined;
      return this.take(item.title === undefined ? this.byNumber : this.byNumberAlone, item.number, item);
    });
    await this.each((item) => {
      const index = this.byName.get(item.name);
      const isFree = index !== undefined && !this.used.has(index);
      return isFree && !contradicts(item, this.stored[index] as ItemNames) ? index : undefined;
    }, true);
    return this.found;
  }

  private async collect(): Promise<void> {
    for (const candidates of [this.byBoth, this.byTitle, this.byTitleAlone, this.byNumber, this.byNumberAlone])
      await candidates.collect(this.turns);
    for (const [i, { name }] of this.stored.entries()) {
      if (this.turns.isOver) await this.turns.pass();
      this.byName.set(name, i);
    }
    this.freeOfTitle = await countsOf(this.stored, ({ title }) => title, this.turns);
  }

  private async each(find: (item: ItemNames) => number | undefined, isByPath = false): Promise<void> {
    for (const [i, item] of this.wanted.entries()) {
      if (this.turns.isOver) await this.turns.pass();
      if (this.found[i]) continue;
      const stored = find(item);
      if (stored === undefined) continue;
      this.used.add(stored);
      const { title } = this.stored[stored] as ItemNames;
      if (title !== undefined) this.freeOfTitle.set(title, (this.freeOfTitle.get(title) ?? 0) - 1);
      this.found[i] = { stored, isByPath };
    }
  }

  /** Takes the candidate whose path has the same name, else the first. */
  private take(candidates: Candidates, key: string, { name }: Pick<ItemNames, 'name'>): number | undefined {
    const same = this.byName.get(name);
    if (same !== undefined && !this.used.has(same) && candidates.keyOf(same) === key) return same;
    return candidates.first(key, this.used);
  }
}

/** Stored items by a key. */
class Candidates {
  private readonly stored: readonly ItemNames[];
  private readonly keyOfItem: (item: ItemNames) => string | undefined;
  /** Indexes in descending order: the last one is the next. */
  private readonly lists = new Map<string, number[]>();

  constructor(stored: readonly ItemNames[], keyOf: (item: ItemNames) => string | undefined) {
    this.stored = stored;
    this.keyOfItem = keyOf;
  }

  async collect(turns: Turns): Promise<void> {
    for (let i = this.stored.length - 1; i >= 0; i -= 1) {
      if (turns.isOver) await turns.pass();
      const own = this.keyOf(i);
      if (own === undefined) continue;
      const list = this.lists.get(own);
      if (list) list.push(i);
      else this.lists.set(own, [i]);
    }
  }

  keyOf(index: number): string | undefined {
    return this.keyOfItem(this.stored[index] as ItemNames);
  }

  /** Whether a stored item had the key at the beginning. */
  has(key: string): boolean {
    return this.lists.has(key);
  }

  first(key: string, used: ReadonlySet<number>): number | undefined {
    const list = this.lists.get(key) ?? [];
    while (list.length > 0 && used.has(list.at(-1) as number)) list.pop();
    return list.at(-1);
  }
}

function bothOf({ number, title }: ItemNames): string | undefined {
  return number === undefined || title === undefined ? undefined : `${number}\n${title}`;
}

/** An item that the file names by one text may have others on the server. */
function contradicts(item: ItemNames, stored: ItemNames): boolean {
  if (item.number === undefined || item.title === undefined) return false;
  const isOther = (a: string, b: string | undefined) => b !== undefined && a !== b;
  return isOther(item.number, stored.number) || isOther(item.title, stored.title);
}

/** @param keyOf `undefined`: the item does not count */
async function countsOf(
  items: readonly ItemNames[],
  keyOf: (item: ItemNames, index: number) => string | undefined,
  turns: Turns,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const [i, item] of items.entries()) {
    if (turns.isOver) await turns.pass();
    const key = keyOf(item, i);
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
