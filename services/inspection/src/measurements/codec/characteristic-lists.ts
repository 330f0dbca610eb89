import { LRUCache } from 'lru-cache';
import type { SentCharacteristics } from './sent-measurement.ts';
import { hashOfUuid, PROCESS_HASH, UuidIndex, type UuidHash } from './uuid-index.ts';
import { WORDS_PER_UUID } from './uuid-words.ts';

/** Most characteristics in memory, 16 bytes each. */
const MAX_CHARACTERISTICS = 500_000;

/**
 * Deduplicates the lists of characteristics that requests name. Machines send the same lists again and again; an equal list yields the same
 * object, so that results can be cached by it.
 */
export class CharacteristicLists {
  private readonly known = new LRUCache<number, SentCharacteristics>({
    maxSize: MAX_CHARACTERISTICS,
    // A size must be positive; a list may be empty.
    sizeCalculation: ({ count }) => count + 1,
  });
  private readonly hash: UuidHash;

  /** @param hash another hash for tests */
  constructor(hash = PROCESS_HASH) {
    this.hash = hash;
  }

  /**
   * @param words four for each uuid; copied where they are kept
   * @returns `undefined` when the list has a duplicate
   */
  find(words: Int32Array, count: number): SentCharacteristics | undefined {
    const end = count * WORDS_PER_UUID;
    const key = this.keyOf(words, end);
    const known = this.known.get(key);
    if (known?.count === count && isSame(known.words, words, end)) return known;
    const characteristics = { count, words: words.slice(0, end) };
    if (new UuidIndex(characteristics.words, count, this.hash).firstDuplicate >= 0) return undefined;
    this.known.set(key, characteristics);
    return characteristics;
  }

  /** Hashes the first and the last uuid only; lists with equal keys are compared as a whole. */
  private keyOf(words: Int32Array, end: number): number {
    if (end === 0) return 0;
    return (Math.imul(hashOfUuid(this.hash, words, 0), 0x9e3779b1) + hashOfUuid(this.hash, words, end - WORDS_PER_UUID) + end) | 0;
  }
}

function isSame(known: Int32Array, words: Int32Array, end: number): boolean {
  for (let i = 0; i < end; i += 1) if (known[i] !== words[i]) return false;
  return true;
}
