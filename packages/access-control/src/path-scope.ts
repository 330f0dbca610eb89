/** A {@link PathScope} as JSON: `all`, or the subtrees. */
export type PathScopeJson = 'all' | readonly { prefix: string }[];

/**
 * The paths that a right covers: everything, or some subtrees of the inspection plan.
 * A subtree is given by the stored path of its root, for example `passembly/pdoor/`; the empty text is the whole plan.
 */
export class PathScope {
  static readonly EVERYTHING = new PathScope(['']);
  static readonly NOTHING = new PathScope([]);

  /** Stored paths of the roots in ascending order, none inside another. They end in `/`, so that `pa/` does not contain `pab/`. */
  readonly prefixes: readonly string[];

  private constructor(prefixes: readonly string[]) {
    this.prefixes = prefixes;
  }

  /** @param prefixes stored paths of the roots, in any order */
  static below(...prefixes: readonly string[]): PathScope {
    return PathScope.of(prefixes);
  }

  /** Same as {@link below}, for an array of roots. */
  static of(prefixes: readonly string[]): PathScope {
    const kept: string[] = [];
    for (const prefix of [...prefixes].sort((a, b) => (a < b ? -1 : 1))) {
      const previous = kept.at(-1);
      if (previous === undefined || !prefix.startsWith(previous)) kept.push(prefix);
    }
    return kept[0] === '' ? PathScope.EVERYTHING : new PathScope(kept);
  }

  /** @throws TypeError when the stored JSON is neither `all` nor a list */
  static fromJSON(json: PathScopeJson): PathScope {
    if (json === 'all') return PathScope.EVERYTHING;
    const prefixes: string[] = [];
    for (const { prefix } of json) prefixes.push(prefix);
    return PathScope.of(prefixes);
  }

  get isEverything(): boolean {
    return this.prefixes[0] === '';
  }

  get isEmpty(): boolean {
    return this.prefixes.length === 0;
  }

  /** Whether the scope covers the item with this stored path. */
  includes(storedPath: string): boolean {
    return this.prefixes.some((prefix) => storedPath.startsWith(prefix));
  }

  toJSON(): PathScopeJson {
    return this.isEverything ? 'all' : this.prefixes.map((prefix) => ({ prefix }));
  }

  /** The stored paths that the scope covers, as ranges `[first, end)` in the order of `COLLATE "C"`; a scope of everything has no end. */
  get ranges(): readonly { first: string; end: string | undefined }[] {
    return this.prefixes.map((first) => ({ first, end: first === '' ? undefined : rangeEnd(first) }));
  }
}

/** Returns the first text, in code point order, after every text with this prefix: the final `/` of a prefix becomes `0`. */
export function rangeEnd(prefix: string): string {
  if (!prefix.endsWith('/')) throw new Error(`a stored path must end in "/": ${prefix}`);
  return `${prefix.slice(0, -1)}0`;
}
