/** Bits to put, lowest first, and in the lowest places of the number how many they are. */
export type Bits = number;

const COUNT_PLACES = 5;
const COUNT = (1 << COUNT_PLACES) - 1;

/** @param count at most 20 */
export function bitsOf(value: number, count: number): Bits {
  return (value << COUNT_PLACES) | count;
}

/** The one behind the other; at most 20 bits together. */
export function joined(first: Bits, second: Bits): Bits {
  const count = first & COUNT;
  return bitsOf((first >>> COUNT_PLACES) | ((second >>> COUNT_PLACES) << count), count + (second & COUNT));
}

const ONE = new Int32Array(1);

/** Puts bits into bytes, the lowest first (RFC 1951, 3.1.1). */
export class BitWriter {
  readonly #bytes: Buffer;
  readonly #words: DataView;
  /** Whole bytes that were put; the others are in the byte behind, and in `#waiting`. */
  #length = 0;
  #waiting = 0;
  #waitingCount = 0;

  /** @param bytes must have room for all that is put, and four more */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  put(bits: Bits): void {
    ONE[0] = bits;
    this.putAll(ONE, 1);
  }

  /** Puts the first ones. */
  putAll(all: Int32Array, count: number): void {
    // What it works with is its own: this is where much of the time of packing goes.
    const words = this.#words;
    let length = this.#length;
    let waiting = this.#waiting;
    let waitingCount = this.#waitingCount;
    for (let i = 0; i < count; i += 1) {
      const bits = all[i] as Bits;
      waiting |= (bits >>> COUNT_PLACES) << waitingCount;
      waitingCount += bits & COUNT;
      // Always, and more than there is: a branch that depends on how long codes are would be guessed wrong half of the time.
      words.setInt32(length, waiting, true);
      length += waitingCount >>> 3;
      waiting >>>= waitingCount & 24;
      waitingCount &= 7;
    }
    this.#length = length;
    this.#waiting = waiting;
    this.#waitingCount = waitingCount;
  }

  /** Fills the last byte with zeros. */
  endByte(): void {
    this.put(bitsOf(0, (8 - this.#waitingCount) & 7));
  }

  /** A copy of the whole bytes that were put since the last time. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    return taken;
  }
}
