const FIRST_CAPACITY = 4 * 1024;
const NOTHING = Buffer.alloc(0);
const OPEN_BRACKET = 0x5b;

/** Builds JSON text as bytes, without an intermediate string for each item of a long answer. */
export class JsonBuffer {
  private bytes: Buffer = NOTHING;
  private spare: Buffer = NOTHING;
  /** Size of the next allocation in bytes. */
  private capacity = FIRST_CAPACITY;
  private end = 0;
  private lastByte = OPEN_BRACKET;

  /** Number of bytes that `take` would return. */
  get length(): number {
    return this.end;
  }

  /** Adds a comma unless the next item is the first of an array or of the text. */
  separate(): void {
    const last = this.end === 0 ? this.lastByte : this.bytes[this.end - 1];
    if (last !== OPEN_BRACKET) this.text(',');
  }

  text(json: string): void {
    // A UTF-16 unit takes at most three bytes of UTF-8.
    this.append(3 * json.length, (bytes, at) => at + bytes.write(json, at));
  }

  /**
   * Appends bytes.
   * @param room maximum bytes to write
   * @param write puts ASCII or whole UTF-8 characters at `at` and returns their end
   */
  append(room: number, write: (bytes: Buffer, at: number) => number): void {
    if (this.end + room > this.bytes.length) {
      const larger = this.larger(this.end + room);
      this.bytes.copy(larger, 0, 0, this.end);
      this.bytes = larger;
    }
    this.end = write(this.bytes, this.end);
  }

  /** Returns the bytes written since the last call. The caller owns them. */
  take(): Buffer {
    const taken = this.bytes.subarray(0, this.end);
    if (this.end > 0) this.lastByte = taken[this.end - 1] as number;
    // The next piece is expected to have a similar length.
    this.capacity = Math.max(FIRST_CAPACITY, this.end + (this.end >> 2));
    this.bytes = NOTHING;
    this.end = 0;
    return taken;
  }

  /** Returns taken bytes for reuse once nothing reads them. A long answer would otherwise leave megabytes to the garbage collector. */
  giveBack({ buffer }: Buffer): void {
    if (buffer.byteLength > this.spare.length) this.spare = Buffer.from(buffer);
  }

  private larger(needed: number): Buffer {
    const spare = this.spare;
    if (spare.length < needed) return Buffer.allocUnsafeSlow(Math.max(this.capacity, 2 * this.bytes.length, needed));
    this.spare = NOTHING;
    return spare;
  }
}
