import type { JsonBuffer } from '@sinebar/service-kit';
import { CANONICAL, decodeExactText, IN_EXTRAS } from '../values/exact-text.js';
import type { ReadSet } from './characteristic-set-reader.js';

/** Most bytes that stand for an element besides its own: quotation mark, brace, comma, and an exponent written out. */
const ROOM = 30;
/** As {@link ROOM}, with the zeros of as many fraction digits as are kept. */
const PADDED_ROOM = 100;
const [COMMA, OPEN_BRACE, CLOSE_BRACE, QUOTE, POINT, ZERO, EXPONENT, NULL] = Buffer.from(',{}".0eN') as unknown as number[];

/**
 * Writes `characteristics` of a measurement that has measured values alone, byte by byte from the text of the array: this is most of what a server of
 * measured values sends, and texts made of parts take four times as long.
 */
export class MeasuredValuesWriter {
  #elements = Buffer.allocUnsafe(4 * 1024);

  /** @param digits as for {@link digitsAt} */
  write({ positions }: ReadSet, array: string, digits: string | null, out: JsonBuffer): void {
    const elements = this.bytesOf(array);
    const prefixes = positions.reduce((sum, characteristic) => sum + (characteristic?.prefix.length ?? 0), 2);
    out.append(prefixes + array.length + positions.length * (digits === null ? ROOM : PADDED_ROOM), (bytes, start) => {
      let at = start;
      bytes[at++] = OPEN_BRACE as number;
      const end = array.length - 1;
      for (let i = 0, from = 1; from < end; i += 1, from += 1) {
        const prefix = positions[i]?.prefix;
        if (prefix === undefined || elements[from] === NULL) {
          while (from < end && elements[from] !== COMMA) from += 1;
          continue;
        }
        if (at > start + 1) bytes[at++] = COMMA as number;
        bytes.set(prefix, at);
        at += prefix.length;
        const [first, written] = [from, at];
        let behindPoint = 0;
        let isWritten = true;
        for (; from < end && elements[from] !== COMMA; from += 1) {
          const byte = elements[from] as number;
          bytes[at++] = byte;
          if (byte === POINT) behindPoint = at;
          else if (byte === EXPONENT) isWritten = false;
        }
        const wanted = digitsAt(digits, i);
        if (!isWritten || wanted === IN_EXTRAS) {
          at = written + bytes.write(decodeExactText(array.slice(first, from), wanted), written, 'latin1');
        } else if (wanted !== CANONICAL && wanted > 0) {
          if (behindPoint === 0) {
            bytes[at++] = POINT as number;
            behindPoint = at;
          }
          while (at < behindPoint + wanted) bytes[at++] = ZERO as number;
        }
        bytes[at++] = QUOTE as number;
        bytes[at++] = CLOSE_BRACE as number;
      }
      bytes[at++] = CLOSE_BRACE as number;
      return at;
    });
  }

  private bytesOf(array: string): Buffer {
    if (this.#elements.length < array.length) this.#elements = Buffer.allocUnsafe(2 * array.length);
    this.#elements.write(array, 'latin1');
    return this.#elements;
  }
}

/**
 * How the text at a position is written (`exact-text.ts`).
 * @param digits as PostgreSQL writes a bytea: `\x` and two hexadecimal digits for each position
 */
export function digitsAt(digits: string | null, position: number): number {
  if (digits === null) return CANONICAL;
  const start = 2 + 2 * position;
  return parseInt(digits.slice(start, start + 2), 16);
}
