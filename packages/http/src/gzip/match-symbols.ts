/** RFC 1951, 3.2.5: a length or distance is sent as a symbol that stands for a range, and the place in it. */
export interface Ranges {
  /** By symbol. */
  firsts: Uint16Array;
  /** Bits of the place, by symbol. */
  bits: Uint8Array;
}

const SHORTEST_MATCH = 3;
export const LONGEST_MATCH = 258;
export const FARTHEST_MATCH = 32 * 1024;

/** Four ranges have the same number of bits; the last is of one length only. */
export const LENGTHS = ranges(29, SHORTEST_MATCH, 4);
LENGTHS.firsts[28] = LONGEST_MATCH;
LENGTHS.bits[28] = 0;
/** Two ranges have the same number of bits. */
export const DISTANCES = ranges(30, 1, 2);

/** Symbol of a length. */
const OF_LENGTH = new Uint8Array(LONGEST_MATCH + 1);
/** Symbol of a distance up to 256, by what it is more than one. */
const OF_NEAR = new Uint8Array(256);
/** Symbol of a distance, by what it is more than one in units of 128: above 256 every range has whole units. */
const OF_FAR = new Uint8Array(FARTHEST_MATCH / 128);
for (const [symbol, first] of LENGTHS.firsts.entries()) OF_LENGTH.fill(symbol, first);
for (const [symbol, first] of DISTANCES.firsts.entries()) {
  OF_NEAR.fill(symbol, first - 1);
  OF_FAR.fill(symbol, (first - 1) >> 7);
}

/** @param length from 3 to 258 */
export function lengthSymbol(length: number): number {
  return OF_LENGTH[length] as number;
}

/** @param distance from 1 to 32768 */
export function distanceSymbol(distance: number): number {
  return (distance <= OF_NEAR.length ? OF_NEAR[distance - 1] : OF_FAR[(distance - 1) >> 7]) as number;
}

/** @param each ranges have the same number of bits; the first of all have none, and there are twice as many of them */
function ranges(count: number, first: number, each: number): Ranges {
  const bits = Uint8Array.from({ length: count }, (_, symbol) => Math.max(0, Math.floor(symbol / each) - 1));
  let next = first;
  const firsts = Uint16Array.from(bits, (ofPlace) => {
    const own = next;
    next += 1 << ofPlace;
    return own;
  });
  return { firsts, bits };
}
