/** An item that a request names, with its stored path before and after the request. */
export interface Move {
  from: string;
  to: string;
}

/**
 * Translates stored paths between the plan before a request and the plan after it.
 * An item that the request does not name moves with the nearest named item above it.
 */
export class FinalPaths {
  private readonly byFrom: ReadonlyMap<string, Move>;
  private readonly byTo: ReadonlyMap<string, Move>;

  constructor(moves: readonly Move[]) {
    this.byFrom = new Map(moves.map((move) => [move.from, move]));
    this.byTo = new Map(moves.map((move) => [move.to, move]));
  }

  /** Future path of the item that is at `path` now. */
  finalPathOf(path: string): string {
    const above = nearest(path, this.byFrom);
    return above ? above.to + path.slice(above.from.length) : path;
  }

  /** Current path of the item that will be at `path`; the item need not exist. */
  currentPathOf(path: string): string {
    const above = nearest(path, this.byTo);
    return above ? above.from + path.slice(above.to.length) : path;
  }
}

/** Finds the entry with the longest path that equals the given one or lies above it. */
export function nearest<T>(path: string, known: ReadonlyMap<string, T>): T | undefined {
  for (let end = path.length; end > 0; end = endAbove(path, end)) {
    const found = known.get(path.slice(0, end));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** End of the parent of the path that ends at `end`: just after the last slash before it that is not escaped. */
function endAbove(path: string, end: number): number {
  for (let slash = path.lastIndexOf('/', end - 2); slash >= 0; slash = path.lastIndexOf('/', slash - 1)) {
    let backslashes = 0;
    while (path[slash - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return slash + 1;
    if (slash === 0) break;
  }
  return 0;
}
