import { bitsOf } from './bit-writer.js';

/** Symbols: how often each came since the codes were made, and the codes (RFC 1951, 3.2.2), of which each has one then. */
export class Alphabet {
  readonly counts: Int32Array;
  /** Of the codes in bits, by symbol. */
  lengths: Uint8Array;
  /** As `Bits`, by symbol. */
  codes: Int32Array;
  readonly #mostBits: number;

  /** @param size at least 2 symbols @param mostBits of a code */
  constructor(size: number, mostBits: number) {
    this.counts = new Int32Array(size);
    this.lengths = new Uint8Array(size);
    this.codes = new Int32Array(size);
    this.#mostBits = mostBits;
  }

  /** Makes the codes that are best for what was counted, and begins to count anew. */
  renew(): void {
    // What did not come yet may still come.
    this.lengths = codeLengths(
      this.counts.map((count) => count + 1),
      this.#mostBits,
    );
    this.codes = prefixCodes(this.lengths);
    this.counts.fill(0);
  }
}

/**
 * Lengths of prefix codes that take few bits (the fewest, if no code has to be shortened), none longer than `mostBits`.
 * @param counts how often each symbol comes; two symbols must come, those that do not get the length 0
 */
export function codeLengths(counts: Int32Array, mostBits: number): Uint8Array {
  const lengths = huffmanLengths(counts);
  if (lengths.every((length) => length <= mostBits)) return lengths;
  // What is rare gets shorter codes where it seems less rare.
  return codeLengths(
    counts.map((count) => count - (count >> 1)),
    mostBits,
  );
}

/** Those of Huffman: the two lightest trees are joined until there is one. Trees are made in the order of their weights, so that no heap is needed. */
function huffmanLengths(counts: Int32Array): Uint8Array {
  const symbols = symbolsByCount(counts);
  const leaves = symbols.length;
  const trees = 2 * leaves - 1;
  const weights = new Float64Array(trees);
  const parents = new Uint16Array(trees);
  for (let leaf = 0; leaf < leaves; leaf += 1) weights[leaf] = counts[symbols[leaf] as number] as number;
  let leaf = 0;
  let joined = leaves;
  for (let tree = leaves; tree < trees; tree += 1) {
    for (let child = 0; child < 2; child += 1) {
      const isLeaf = leaf < leaves && (joined >= tree || (weights[leaf] as number) <= (weights[joined] as number));
      const lightest = isLeaf ? leaf++ : joined++;
      parents[lightest] = tree;
      (weights[tree] as number) += weights[lightest] as number;
    }
  }
  const depths = new Uint16Array(trees);
  for (let tree = trees - 2; tree >= 0; tree -= 1) depths[tree] = (depths[parents[tree] as number] as number) + 1;
  const lengths = new Uint8Array(counts.length);
  for (let leaf = 0; leaf < leaves; leaf += 1) lengths[symbols[leaf] as number] = depths[leaf] as number;
  return lengths;
}

/** Those that come, the rarest first. (Numbers are sorted much faster than by a comparison.) */
function symbolsByCount(counts: Int32Array): Float64Array {
  const size = counts.length;
  const keys = new Float64Array(size);
  let found = 0;
  for (const [symbol, count] of counts.entries()) if (count > 0) keys[found++] = count * size + symbol;
  return keys
    .subarray(0, found)
    .sort()
    .map((key) => key % size);
}

/** Codes of these lengths (RFC 1951, 3.2.2), as `Bits`. */
export function prefixCodes(lengths: Uint8Array): Int32Array {
  const sizes = new Int32Array(16);
  for (const length of lengths) (sizes[length] as number) += 1;
  const next = new Int32Array(16);
  for (let length = 2; length < 16; length += 1) next[length] = ((next[length - 1] as number) + (sizes[length - 1] as number)) << 1;
  return Int32Array.from(lengths, (length) => {
    if (length === 0) return 0;
    const code = next[length] as number;
    next[length] = code + 1;
    return bitsOf(reversed(code, length), length);
  });
}

/** A code begins with its highest bit, which is sent first. */
function reversed(code: number, length: number): number {
  let bits = 0;
  for (let i = 0; i < length; i += 1) bits |= ((code >> i) & 1) << (length - 1 - i);
  return bits;
}
