/**
 * Remembers the ids of recent events, because a server delivers at least once and repeats recent ones.
 * It evicts by hand: a library for a cache would be one more dependency of every program that uses this client.
 */
export class SeenEvents {
  private readonly limit: number;
  private readonly ids = new Set<string>();

  constructor(limit = 10_000) {
    this.limit = limit;
  }

  /** Adds an id. @returns true if it was new */
  add(id: string): boolean {
    if (this.ids.has(id)) return false;
    this.ids.add(id);
    if (this.ids.size > this.limit) this.ids.delete(this.ids.values().next().value as string);
    return true;
  }
}
