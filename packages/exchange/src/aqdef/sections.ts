import { folded } from '../names.ts';
import type { Problems } from '../problems.ts';
import { HierarchyDraft } from './hierarchy.ts';
import { fieldName, LIMIT_KEYS } from './k-fields.ts';

/** A part or characteristic while its fields are read. */
export interface ItemDraft {
  /** Index in the whole file. */
  index: number;
  /** Index as it is written. */
  written: number;
  line: number;
  attributes: Map<number, string>;
}

export interface CharacteristicDraft extends ItemDraft {
  part: number;
}

/** A header of a file with its own indices. */
export class Section {
  readonly parts = new Map<number, ItemDraft>();
  /** Their parts are indices of the header. */
  readonly characteristics = new Map<number, CharacteristicDraft>();
  readonly hierarchy = new HierarchyDraft();
  readonly commonOfParts = new Map<number, string>();
  readonly commonOfCharacteristics = new Map<number, string>();
  /** The part to which the next characteristics belong. */
  currentPart = 1;
  hasCharacteristicsOfPart = false;
  /** K0100. */
  declaredCharacteristics: number | undefined;
}

/** Fields by which a later header finds items again. */
export interface ItemKeys {
  number: number;
  name: number;
  /** Whether items with different numbers are never the same. */
  isToldByNumber: boolean;
}

/**
 * Finds items of the same parent again: by number and name, by name, or by number where one of both has no name.
 * Parts are found by name only where one of both has no number: many have descriptions such as "Shaft".
 */
export class KnownItems<T extends ItemDraft> {
  private readonly byBoth = new Map<string, T[]>();
  private readonly byName = new Map<string, T[]>();
  /** Items without a number. */
  private readonly byNameAlone = new Map<string, T[]>();
  private readonly byNumber = new Map<string, T[]>();
  private readonly keys: ItemKeys;
  private cursors = new Map<string, number>();
  private taken = new Set<T>();

  constructor(keys: ItemKeys) {
    this.keys = keys;
  }

  /** Begins a header, in which each item is found once. */
  begin(): void {
    this.cursors = new Map();
    this.taken = new Set();
  }

  add(scope: string, item: T): void {
    const [number, name] = this.identityOf(item);
    this.taken.add(item);
    put(this.byBoth, `${scope}\n${number}\n${name}`, item);
    if (name !== '') put(this.byName, `${scope}\n${name}`, item);
    if (name !== '' && number === '') put(this.byNameAlone, `${scope}\n${name}`, item);
    if (number !== '') put(this.byNumber, `${scope}\n${number}`, item);
  }

  find(scope: string, item: ItemDraft): T | undefined {
    const [number, name] = this.identityOf(item);
    if (number === '' && name === '') return undefined;
    const isNamed = (one: T) => this.identityOf(one)[1] !== '';
    const siblingHasNumber = number !== '' && this.byNumber.has(`${scope}\n${number}`);
    return (
      this.next(this.byBoth, `${scope}\n${number}\n${name}`) ??
      (name === '' || siblingHasNumber ? undefined : this.findByName(scope, number, name)) ??
      (number === '' ? undefined : this.next(this.byNumber, `${scope}\n${number}`, (one) => name === '' || !isNamed(one)))
    );
  }

  private findByName(scope: string, number: string, name: string): T | undefined {
    if (!this.keys.isToldByNumber || number === '') return this.next(this.byName, `${scope}\n${name}`);
    // One that was found has got the number of its header.
    const found = this.next(this.byNameAlone, `${scope}\n${name}`, (one) => this.identityOf(one)[0] === '');
    if (!found) return undefined;
    put(this.byBoth, `${scope}\n${number}\n${name}`, found);
    put(this.byNumber, `${scope}\n${number}`, found);
    return found;
  }

  private identityOf({ attributes }: ItemDraft): [number: string, name: string] {
    return [attributes.get(this.keys.number) ?? '', folded(attributes.get(this.keys.name) ?? '')];
  }

  /** The next item of a list that the header has not found yet. */
  private next(lists: ReadonlyMap<string, readonly T[]>, key: string, isWanted: (item: T) => boolean = () => true): T | undefined {
    const list = lists.get(key) ?? [];
    let at = this.cursors.get(key) ?? 0;
    for (; at < list.length; at += 1) {
      const item = list[at] as T;
      if (this.taken.has(item) || !isWanted(item)) continue;
      this.taken.add(item);
      this.cursors.set(key, at + 1);
      return item;
    }
    this.cursors.set(key, at);
    return undefined;
  }
}

function put<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** Gives an item what a later header says more; what the file said first is kept. */
export function addAttributes(known: ItemDraft, later: ItemDraft, kind: 'part' | 'characteristic', problems: Problems): void {
  for (const [key, text] of later.attributes) {
    const before = known.attributes.get(key);
    if (before === undefined) known.attributes.set(key, text);
    else if (before !== text && !(Number(before) === Number(text) && text.trim() !== '')) {
      const message =
        `The ${kind} ${known.attributes.get(kind === 'part' ? 1002 : 2002) ?? known.attributes.get(kind === 'part' ? 1001 : 2001) ?? known.written} ` +
        `has ${fieldName(key)} ${before} in its first header and ${text} in a later one. The first is kept.`;
      problems.warnOnce(`${kind} ${known.index} ${key}`, later.line, fieldName(key), message, LIMIT_KEYS.has(key));
    }
  }
}
