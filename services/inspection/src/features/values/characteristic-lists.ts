import type { SentCharacteristics } from './sent-measurement.js';
import { UuidIndex, WORDS_PER_UUID } from './uuid-words.js';

/** Characteristics in memory, at most: 16 bytes each. */
const MAX_CHARACTERISTICS = 500_000;

/**
 * Lists of characteristics that requests have named. Machines send the same ones again and again: whoever has worked something out for a list finds it
 * again under the same object.
 */
export class CharacteristicLists {
  private readonly known = new Map<number, SentCharacteristics>();
  private size = 0;

  /**
   * @param words of the uuids, four each; they may be used for other lists afterwards
   * @returns `undefined` when a characteristic stands there twice
   */
  find(words: Int32Array, count: number): SentCharacteristics | undefined {
    const end = count * WORDS_PER_UUID;
    const key = keyOf(words, end);
    const known = this.known.get(key);
    if (known?.count === count && isSame(known.words, words, end)) return known;
    const characteristics = { count, words: words.slice(0, end) };
    if (new UuidIndex(characteristics.words, count).firstDouble >= 0) return undefined;
    if (this.size + count > MAX_CHARACTERISTICS) this.clear();
    if (count <= MAX_CHARACTERISTICS) {
      this.size += count - (known?.count ?? 0);
      this.known.set(key, characteristics);
    }
    return characteristics;
  }

  private clear(): void {
    this.known.clear();
    this.size = 0;
  }
}

/** Of the first and the last uuid: lists that agree in it are compared as a whole. */
function keyOf(words: Int32Array, end: number): number {
  let key = end;
  const mix = (at: number) => {
    for (let i = at; i < at + WORDS_PER_UUID; i += 1) key = Math.imul(key ^ (words[i] as number), 0x9e3779b1) ^ (key >>> 15);
  };
  if (end > 0) mix(0);
  if (end > 0) mix(end - WORDS_PER_UUID);
  return key;
}

function isSame(known: Int32Array, words: Int32Array, end: number): boolean {
  for (let i = 0; i < end; i += 1) if (known[i] !== words[i]) return false;
  return true;
}
