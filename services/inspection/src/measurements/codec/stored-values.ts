import { CANONICAL } from './exact-text.ts';

/** Header of a one-dimensional array: dimensions, flags, element type, length and lower bound, four bytes each. */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

/**
 * Select expressions for an array of numbers and for its digits, as {@link StoredValues} reads them. They encode PostgreSQL's binary format
 * in base64: the driver reads texts only, and PostgreSQL formats float8 values as text much more slowly.
 */
export const valuesExpression = (array: string) => `encode(array_send(${array}), 'base64')`;
export const digitsExpression = (bytes: string) => `encode(${bytes}, 'base64')`;

/** Decodes the measured values of one measurement at a time, reusing its buffers. */
export class StoredValues {
  /** Positions of the characteristic set. */
  count = 0;
  /** Values by position, NaN where there is none. The array may be longer than `count`. */
  numbers = new Float64Array(1024);
  private digits: Uint8Array | undefined;
  private received = Buffer.allocUnsafeSlow(4 * 1024);
  private view = new DataView(this.received.buffer);

  /**
   * @param values result of {@link valuesExpression}; `null` for no values
   * @param digits result of {@link digitsExpression}; `null` when every text is canonical
   */
  read(values: string | null, digits: string | null): void {
    this.digits = digits === null ? undefined : Buffer.from(digits, 'base64');
    this.count = 0;
    if (values === null) return;
    // The text length is an upper bound: base64 uses four characters for three bytes.
    if (values.length > this.received.length) this.enlarge(2 * values.length);
    const end = this.received.write(values, 'base64');
    for (let at = HEADER_BYTES; at < end; this.count += 1) {
      const length = this.view.getInt32(at);
      at += LENGTH_BYTES;
      if (length === NULL_LENGTH) {
        this.numbers[this.count] = NaN;
        continue;
      }
      this.numbers[this.count] = this.view.getFloat64(at);
      at += length;
    }
  }

  /** Whether every text is the canonical one. */
  get isCanonical(): boolean {
    return this.digits === undefined;
  }

  /** The byte of `exact-text.ts` for the text at a position. */
  digitsAt(position: number): number {
    return this.digits?.[position] ?? CANONICAL;
  }

  private enlarge(bytes: number): void {
    this.received = Buffer.allocUnsafeSlow(bytes);
    this.view = new DataView(this.received.buffer);
    this.numbers = new Float64Array(Math.ceil(bytes / LENGTH_BYTES));
  }
}
