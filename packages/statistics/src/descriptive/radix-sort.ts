/**
 * Sorts doubles by the digits of their bits, in one pass for each digit that differs between them.
 * The sort of typed arrays compares, which takes three times as long for measured values: most of their last digits are 0.
 */

/** Bits of a digit: three digits are as long as half a double. */
const DIGIT_BITS = 11;
const BUCKETS = 2 ** DIGIT_BITS;
const MASK = BUCKETS - 1;
const SHIFTS = [0, DIGIT_BITS, 2 * DIGIT_BITS];

/** The low and the high half of each double, in turns. */
type Halves = Uint32Array;

/** A digit of a number, by the half in which it is, and how often each of its values occurs. */
interface Digit {
  readonly half: 0 | 1;
  readonly shift: number;
  readonly counts: Uint32Array;
}

/** Sorts the values themselves, ascending. @param values without missing ones (NaN) */
export function radixSort(values: Float64Array): void {
  const halves = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length);
  let [from, to]: [Halves, Halves] = [halves, new Uint32Array(halves.length)];
  for (const digit of orderedDigits(halves)) {
    if (!makeStarts(digit, values.length)) continue;
    distribute(from, to, digit);
    [from, to] = [to, from];
  }
  if (from !== halves) halves.set(from);
  restoreDoubles(halves);
}

/**
 * Makes whole numbers of doubles that have their order: positive ones get the sign bit, of negative ones all bits change.
 * @returns the digits of the numbers, the least significant one first
 */
function orderedDigits(halves: Halves): Digit[] {
  const counts = Array.from({ length: 6 }, () => new Uint32Array(BUCKETS));
  const [first, second, third, fourth, fifth, sixth] = counts as [Halves, Halves, Halves, Halves, Halves, Halves];
  for (let i = 0; i < halves.length; i += 2) {
    const sign = halves[i + 1]! >> 31;
    const low = (halves[i]! ^ sign) >>> 0;
    const high = (halves[i + 1]! ^ (sign | 0x80000000)) >>> 0;
    halves[i] = low;
    halves[i + 1] = high;
    first[low & MASK]!++;
    second[(low >>> DIGIT_BITS) & MASK]!++;
    third[low >>> (2 * DIGIT_BITS)]!++;
    fourth[high & MASK]!++;
    fifth[(high >>> DIGIT_BITS) & MASK]!++;
    sixth[high >>> (2 * DIGIT_BITS)]!++;
  }
  return counts.map((each, i) => ({ half: i < 3 ? 0 : 1, shift: SHIFTS[i % 3]!, counts: each }));
}

function restoreDoubles(halves: Halves): void {
  for (let i = 0; i < halves.length; i += 2) {
    const sign = ~(halves[i + 1]! >> 31);
    halves[i]! ^= sign;
    halves[i + 1]! ^= sign | 0x80000000;
  }
}

/** Makes of the counts of a digit the index at which its numbers begin. @returns whether the digit differs between the numbers */
function makeStarts({ counts }: Digit, length: number): boolean {
  let start = 0;
  for (let value = 0; value < BUCKETS; value++) {
    const count = counts[value]!;
    if (count === length) return false;
    counts[value] = start;
    start += count;
  }
  return true;
}

function distribute(from: Halves, to: Halves, { half, shift, counts: starts }: Digit): void {
  for (let i = 0; i < from.length; i += 2) {
    const at = 2 * starts[(from[i + half]! >>> shift) & MASK]!++;
    to[at] = from[i]!;
    to[at + 1] = from[i + 1]!;
  }
}
