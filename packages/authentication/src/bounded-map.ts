/** A map that forgets what was not asked for longest when it is full: what strangers send must not fill the memory. */
export class BoundedMap<K, V> {
  private readonly entries = new Map<K, V>();
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  get size(): number {
    return this.entries.size;
  }

  get(key: K): V | undefined {
    const value = this.entries.get(key);
    if (value !== undefined) {
      this.entries.delete(key);
      this.entries.set(key, value);
    }
    return value;
  }

  set(key: K, value: V): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size > this.limit) {
      for (const oldest of this.entries.keys()) {
        this.entries.delete(oldest);
        break;
      }
    }
  }

  delete(key: K): void {
    this.entries.delete(key);
  }

  /** Forgets what `isOver` says. */
  prune(isOver: (value: V) => boolean): void {
    for (const [key, value] of this.entries) if (isOver(value)) this.entries.delete(key);
  }
}
