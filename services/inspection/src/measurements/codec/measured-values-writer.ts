import type { JsonBuffer } from '@sinebar/http';
import { CANONICAL, decodeExactText, IN_EXTRAS } from './exact-text.ts';
import { MAX_NUMBER_TEXT_BYTES, NumberTextWriter } from './number-text.ts';
import type { ReadSet } from './read-set.ts';
import type { StoredValues } from './stored-values.ts';

/** Most bytes of a value after its prefix: text, point, quotation mark, brace, comma. */
const ROOM = MAX_NUMBER_TEXT_BYTES + 4;
/** {@link ROOM} with the most padding zeros that `exact-text.ts` keeps. */
const PADDED_ROOM = ROOM + 60;
const [COMMA, OPEN_BRACE, CLOSE_BRACE, QUOTE, POINT, ZERO] = Buffer.from(',{}".0') as unknown as [
  number,
  number,
  number,
  number,
  number,
  number,
];

/**
 * Writes `characteristics` of a measurement without further value attributes, byte by byte. Most answers consist of such values, and
 * concatenated strings take many times as long.
 */
export class MeasuredValuesWriter {
  private readonly numbers = new NumberTextWriter();

  write({ positions }: ReadSet, values: StoredValues, out: JsonBuffer): void {
    const prefixes = positions.reduce((sum, characteristic) => sum + (characteristic?.prefix.length ?? 0), 2);
    out.append(prefixes + values.count * (values.isCanonical ? ROOM : PADDED_ROOM), (bytes, start) => {
      let at = start;
      bytes[at++] = OPEN_BRACE;
      for (let i = 0; i < values.count; i += 1) {
        const prefix = positions[i]?.prefix;
        const value = values.numbers[i] as number;
        if (prefix === undefined || Number.isNaN(value)) continue;
        if (at > start + 1) bytes[at++] = COMMA;
        bytes.set(prefix, at);
        at = this.numbers.write(values.numbers, i, bytes, at + prefix.length);
        if (!values.isCanonical) at = this.pad(value, values.digitsAt(i), bytes, at);
        bytes[at++] = QUOTE;
        bytes[at++] = CLOSE_BRACE;
      }
      bytes[at++] = CLOSE_BRACE;
      return at;
    });
  }

  /** Adds the trailing zeros with which the client wrote the value. @param at end of its canonical text */
  private pad(value: number, wanted: number, bytes: Uint8Array, at: number): number {
    // Throws, because without extras there is no stored text.
    if (wanted === IN_EXTRAS) decodeExactText(value, wanted);
    const written = this.numbers.fractionDigits;
    if (wanted === CANONICAL || written === undefined || wanted <= written) return at;
    let end = at;
    if (written === 0) bytes[end++] = POINT;
    for (let i = written; i < wanted; i += 1) bytes[end++] = ZERO;
    return end;
  }
}
