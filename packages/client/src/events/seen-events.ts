/** Ids of the events seen last. A server delivers at least once: what it repeats is near. */
export class SeenEvents {
  private readonly limit: number;
  private readonly ids = new Set<string>();

  constructor(limit = 10_000) {
    this.limit = limit;
  }

  /** @returns whether the id is new; it is not from now on. */
  add(id: string): boolean {
    if (this.ids.has(id)) return false;
    this.ids.add(id);
    if (this.ids.size > this.limit) this.ids.delete(this.ids.values().next().value as string);
    return true;
  }
}
