import { randomFillSync } from 'node:crypto';
import { WORDS_PER_UUID } from './uuid-words.ts';

const BYTE_VALUES = 256;
const BYTES_OF_UUID = 16;
/** A local copy: the loop that uses it is hot. */
const { fromCharCode } = String;

/**
 * Random numbers for each value of each byte of a uuid (tabulation hashing): the hash of a uuid is the exclusive or of the numbers for its
 * bytes. Clients choose uuids; without knowing the numbers they cannot make many collide. A seed for a fixed hash function would not
 * prevent that.
 */
export type UuidHash = Int32Array;

/** The random numbers of this process. */
export const PROCESS_HASH: UuidHash = randomFillSync(new Int32Array(BYTES_OF_UUID * BYTE_VALUES));

/** Most slots that the search for one uuid probes; random hashes need this many once in millions of lists. */
const MAX_PROBES = 128;
/** Most slots per uuid that the insertions of a list probe on average; random hashes need 1.5. */
const MAX_PROBES_ON_AVERAGE = 4;

export function hashOfUuid(hash: UuidHash, words: Int32Array, at: number): number {
  return hashOfWords(hash, words[at] as number, words[at + 1] as number, words[at + 2] as number, words[at + 3] as number);
}

function hashOfWords(hash: UuidHash, a: number, b: number, c: number, d: number): number {
  return (
    (hash[a & 255] as number) ^
    (hash[256 + ((a >>> 8) & 255)] as number) ^
    (hash[512 + ((a >>> 16) & 255)] as number) ^
    (hash[768 + (a >>> 24)] as number) ^
    (hash[1024 + (b & 255)] as number) ^
    (hash[1280 + ((b >>> 8) & 255)] as number) ^
    (hash[1536 + ((b >>> 16) & 255)] as number) ^
    (hash[1792 + (b >>> 24)] as number) ^
    (hash[2048 + (c & 255)] as number) ^
    (hash[2304 + ((c >>> 8) & 255)] as number) ^
    (hash[2560 + ((c >>> 16) & 255)] as number) ^
    (hash[2816 + (c >>> 24)] as number) ^
    (hash[3072 + (d & 255)] as number) ^
    (hash[3328 + ((d >>> 8) & 255)] as number) ^
    (hash[3584 + ((d >>> 16) & 255)] as number) ^
    (hash[3840 + (d >>> 24)] as number)
  );
}

/** Finds the index of a uuid in a list without converting it to a string. */
export class UuidIndex {
  private readonly words: Int32Array;
  private readonly hash: UuidHash;
  /** Hash table with open addressing, at most half full. A slot holds index + 1, or 0 when it is empty. */
  private readonly table: Int32Array;
  /** Replaces the table when too many uuids of the list collide. */
  private indexes: Map<string, number> | undefined;
  /** Slots that the longest search of an insertion probed. */
  private longest = 0;
  /** The first index whose uuid occurs earlier in the list, -1 when there is none. */
  readonly firstDuplicate: number;

  /**
   * @param count uuids to read from `words`
   * @param hash another hash for tests
   */
  constructor(words: Int32Array, count: number, hash = PROCESS_HASH) {
    this.words = words;
    this.hash = hash;
    this.table = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(count, 1) * 2 + 1)));
    this.firstDuplicate = this.fillTable(count) ?? this.fillIndexes(count);
  }

  /** Whether too many of the uuids collide for the table. */
  get isCrowded(): boolean {
    return this.indexes !== undefined;
  }

  /** @returns -1 when the uuid at `at` of `words` is not in the list */
  indexOf(words: Int32Array, at: number): number {
    if (this.indexes) return this.indexes.get(keyOf(words, at)) ?? -1;
    const { table, words: known } = this;
    const mask = table.length - 1;
    const a = words[at] as number;
    const b = words[at + 1] as number;
    const c = words[at + 2] as number;
    const d = words[at + 3] as number;
    let slot = hashOfWords(this.hash, a, b, c, d) & mask;
    for (let probes = this.longest; probes > 0; probes -= 1) {
      const index = (table[slot] as number) - 1;
      if (index < 0) return -1;
      const other = index * WORDS_PER_UUID;
      if (known[other] === a && known[other + 1] === b && known[other + 2] === c && known[other + 3] === d) return index;
      slot = (slot + 1) & mask;
    }
    return -1;
  }

  /** @returns {@link firstDuplicate}; `undefined` where too many collide */
  private fillTable(count: number): number | undefined {
    const { words, table, hash } = this;
    const mask = table.length - 1;
    let left = count * MAX_PROBES_ON_AVERAGE + MAX_PROBES;
    for (let index = 0; index < count; index += 1) {
      const at = index * WORDS_PER_UUID;
      const a = words[at] as number;
      const b = words[at + 1] as number;
      const c = words[at + 2] as number;
      const d = words[at + 3] as number;
      let slot = hashOfWords(hash, a, b, c, d) & mask;
      let probes = 1;
      for (let other = table[slot] as number; other !== 0; other = table[slot] as number) {
        const known = (other - 1) * WORDS_PER_UUID;
        if (words[known] === a && words[known + 1] === b && words[known + 2] === c && words[known + 3] === d) return index;
        slot = (slot + 1) & mask;
        probes += 1;
      }
      left -= probes;
      if (probes > MAX_PROBES || left < 0) return undefined;
      if (probes > this.longest) this.longest = probes;
      table[slot] = index + 1;
    }
    return -1;
  }

  private fillIndexes(count: number): number {
    const indexes = new Map<string, number>();
    this.indexes = indexes;
    for (let index = 0; index < count; index += 1) {
      indexes.set(keyOf(this.words, index * WORDS_PER_UUID), index);
      if (indexes.size === index) return index;
    }
    return -1;
  }
}

/** A short string as key of a Map: V8 seeds the hashes of strings for each process, but not those of numbers. */
function keyOf(words: Int32Array, at: number): string {
  const a = words[at] as number;
  const b = words[at + 1] as number;
  const c = words[at + 2] as number;
  const d = words[at + 3] as number;
  // `fromCharCode` takes the lower 16 bits of each argument.
  return fromCharCode(a >>> 16, a, b >>> 16, b, c >>> 16, c, d >>> 16, d);
}
