const FIRST_CAPACITY = 4 * 1024;
const NOTHING = Buffer.alloc(0);
const OPEN_BRACKET = 0x5b;

/** JSON text in the making, as the bytes that are sent: long answers are written without a text for each of their parts. */
export class JsonBuffer {
  #bytes: Buffer = NOTHING;
  #spare: Buffer = NOTHING;
  /** Of the bytes that are allocated next. */
  #capacity = FIRST_CAPACITY;
  #length = 0;
  #lastByte = OPEN_BRACKET;

  /** Bytes that wait to be taken. */
  get length(): number {
    return this.#length;
  }

  /** Adds a comma, unless the next item is the first of an array or of everything. */
  separate(): void {
    const last = this.#length === 0 ? this.#lastByte : this.#bytes[this.#length - 1];
    if (last !== OPEN_BRACKET) this.text(',');
  }

  text(json: string): void {
    // Three bytes are the most that a UTF-16 unit takes.
    this.append(3 * json.length, (bytes, at) => at + bytes.write(json, at));
  }

  /**
   * @param room bytes that are written at most
   * @param write puts ASCII or whole UTF-8 characters at `at` and says where they end
   */
  append(room: number, write: (bytes: Buffer, at: number) => number): void {
    if (this.#length + room > this.#bytes.length) {
      const larger = this.larger(this.#length + room);
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#length = write(this.#bytes, this.#length);
  }

  /** What was written since the last time. The bytes are the caller's. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    if (this.#length > 0) this.#lastByte = taken[this.#length - 1] as number;
    // The next piece is about as long.
    this.#capacity = Math.max(FIRST_CAPACITY, this.#length + (this.#length >> 2));
    this.#bytes = NOTHING;
    this.#length = 0;
    return taken;
  }

  /**
   * Gives bytes back that were taken and that nobody needs any more: what is written next may lie where they were. A long answer would else leave megabytes
   * of them to the collector.
   */
  giveBack({ buffer }: Buffer): void {
    if (buffer.byteLength > this.#spare.length) this.#spare = Buffer.from(buffer);
  }

  private larger(needed: number): Buffer {
    const spare = this.#spare;
    if (spare.length < needed) return Buffer.allocUnsafeSlow(Math.max(this.#capacity, 2 * this.#bytes.length, needed));
    this.#spare = NOTHING;
    return spare;
  }
}
