import { CANONICAL } from './exact-text.js';

/** Before the elements: dimensions, flags, element type, and length and lower bound of the only dimension, each of four bytes. */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

/**
 * Select expressions of an array of numbers and of its digits, for {@link StoredValues}. PostgreSQL takes four times as long to write numbers as texts, and the
 * driver reads nothing but texts.
 */
export const valuesExpression = (array: string) => `encode(array_send(${array}), 'base64')`;
export const digitsExpression = (bytes: string) => `encode(${bytes}, 'base64')`;

/** The measured values of one measurement after another, in place of those before. */
export class StoredValues {
  /** Positions of the characteristic set. */
  count = 0;
  /** By position; NaN where there is none. Longer than `count`. */
  numbers = new Float64Array(1024);
  #digits: Uint8Array | undefined;
  #received = Buffer.allocUnsafeSlow(4 * 1024);
  #view = new DataView(this.#received.buffer);

  /**
   * @param values of {@link valuesExpression}; `null` for no values
   * @param digits of {@link digitsExpression}; `null` where every text is the canonical one
   */
  read(values: string | null, digits: string | null): void {
    this.#digits = digits === null ? undefined : Buffer.from(digits, 'base64');
    this.count = 0;
    if (values === null) return;
    // More than it can be: base64 takes four characters for three bytes.
    if (values.length > this.#received.length) this.enlarge(2 * values.length);
    const end = this.#received.write(values, 'base64');
    for (let at = HEADER_BYTES; at < end; this.count += 1) {
      const length = this.#view.getInt32(at);
      at += LENGTH_BYTES;
      if (length === NULL_LENGTH) {
        this.numbers[this.count] = NaN;
        continue;
      }
      this.numbers[this.count] = this.#view.getFloat64(at);
      at += length;
    }
  }

  /** Whether every text is the canonical one. */
  get isCanonical(): boolean {
    return this.#digits === undefined;
  }

  /** How the text at a position is written (`exact-text.ts`). */
  digitsAt(position: number): number {
    return this.#digits?.[position] ?? CANONICAL;
  }

  private enlarge(bytes: number): void {
    this.#received = Buffer.allocUnsafeSlow(bytes);
    this.#view = new DataView(this.#received.buffer);
    this.numbers = new Float64Array(Math.ceil(bytes / LENGTH_BYTES));
  }
}
