/** Generates pseudo-random numbers that are the same at every run. */
export class Random {
  private state: number;

  /** @param seed any text; each has its own numbers */
  constructor(seed: string) {
    this.state = 2166136261;
    for (const letter of seed) this.state = Math.imul(this.state ^ (letter.codePointAt(0) ?? 0), 16777619);
  }

  /** Returns a number in [0, 1) (generator mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** Returns a normally distributed number with mean 0 and standard deviation 1 (Box and Muller). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[Math.floor(this.next() * items.length)] ?? items[0];
  }

  /** Returns a uuid of version 4. */
  uuid(): string {
    const digits = Array.from({ length: 32 }, () => Math.floor(this.next() * 16).toString(16));
    digits[12] = '4';
    digits[16] = this.pick(['8', '9', 'a', 'b']);
    return [0, 8, 12, 16, 20].map((from, i, all) => digits.slice(from, all[i + 1]).join('')).join('-');
  }
}
