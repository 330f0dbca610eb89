import { bitsOf } from './bit-writer.js';
import { codeLengths, prefixCodes } from './prefix-code.js';

const MOST_CODE_BITS = 7;
/** A length as the one before, `LEAST_AGAIN` to `MOST_AGAIN` times. */
const AS_BEFORE = 16;
const LEAST_AGAIN = 3;
const MOST_AGAIN = 6;
/** Codes of lengths are sent in this order. */
const SYMBOLS = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/**
 * What a block of deflate begins with that is not the last and has codes of its own (RFC 1951, 3.2.7).
 * @param literals lengths of the codes of literals, end of block and match lengths @param distances of distances; none is 0
 * @returns `Bits` to put one after another
 */
export function blockHeader(literals: Uint8Array, distances: Uint8Array): Int32Array {
  const lengths = [...runs([...literals, ...distances])];
  const counts = new Int32Array(SYMBOLS.length);
  for (const { symbol } of lengths) (counts[symbol] as number) += 1;
  const codeBits = codeLengths(counts, MOST_CODE_BITS);
  const codes = prefixCodes(codeBits);
  return Int32Array.from([
    bitsOf(0b100, 3),
    bitsOf(literals.length - 257, 5),
    bitsOf(distances.length - 1, 5),
    bitsOf(SYMBOLS.length - 4, 4),
    ...SYMBOLS.map((symbol) => bitsOf(codeBits[symbol] as number, 3)),
    ...lengths.flatMap(({ symbol, again }) => [codes[symbol] as number, ...(symbol === AS_BEFORE ? [bitsOf(again - LEAST_AGAIN, 2)] : [])]),
  ]);
}

/** Those of no length are not shortened: there are none. */
function* runs(lengths: readonly number[]): Iterable<{ symbol: number; again: number }> {
  for (let at = 0; at < lengths.length;) {
    const length = lengths[at] as number;
    let again = 0;
    while (again < MOST_AGAIN && at > 0 && length === lengths[at - 1] && lengths[at + again] === length) again += 1;
    const isRun = again >= LEAST_AGAIN;
    yield isRun ? { symbol: AS_BEFORE, again } : { symbol: length, again: 1 };
    at += isRun ? again : 1;
  }
}
