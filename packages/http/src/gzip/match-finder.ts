import { FARTHEST_MATCH, LONGEST_MATCH } from './match-symbols.js';

export const MOST_PIECE_BYTES = 128 * 1024;
/** What comes again for less is not worth looking for. */
const LEAST_MATCH = 8;
/** As far as a UUID reaches, with what is between a value and it: many begin alike. */
const NAME_BYTES = 40;
const PLACE_BITS = 14;
const NOWHERE = -1;

/** Finds what comes again in a text: only where the same name was last, or the same eight bytes. Nothing is lost where it is not found, but for room. */
export class MatchFinder {
  /** What matches may point to, and behind it the piece. */
  readonly text = new Uint8Array(FARTHEST_MATCH + MOST_PIECE_BYTES);
  /** Of the piece, in the text. */
  begin = 0;
  end = 0;
  /** What {@link seek} found, in the text. */
  found = NOWHERE;
  readonly #words = new DataView(this.text.buffer);
  /** Place of the text in the whole, modulo 2^32. */
  #origin: number;
  /** Where eight bytes were last, by their hash; places in the whole. Of others with the same hash, if these were later. */
  readonly #places = new Int32Array(2 ** PLACE_BITS);
  /** The same of `NAME_BYTES` bytes. */
  readonly #placesOfNames = new Int32Array(2 ** PLACE_BITS);

  /** @param origin place of the first byte in the whole */
  constructor(origin = 0) {
    this.#origin = origin | 0;
  }

  /** Goes on to the next piece. @param piece 1 to `MOST_PIECE_BYTES` bytes, which are copied */
  append(piece: Uint8Array): void {
    if (this.end + piece.length > this.text.length) {
      const dropped = this.end - FARTHEST_MATCH;
      this.text.copyWithin(0, dropped, this.end);
      this.#origin = (this.#origin + dropped) | 0;
      this.end = FARTHEST_MATCH;
    }
    this.text.set(piece, this.end);
    this.begin = this.end;
    this.end += piece.length;
  }

  /** Is as new. */
  reset(): void {
    this.forget();
    this.#origin = 0;
    this.begin = 0;
    this.end = 0;
  }

  /** Forgets what came, so that the same can be gone through again. */
  forget(): void {
    this.#places.fill(0);
    this.#placesOfNames.fill(0);
  }

  /** @returns for how many bytes the text at `found` is the same as there; 0 if fewer than eight */
  seek(at: number): number {
    if (at + LEAST_MATCH > this.end) return 0;
    const words = this.#words;
    const hash = (Math.imul(words.getInt32(at, true), 0x9e3779b1) + Math.imul(words.getInt32(at + 4, true), 0x85ebca6b)) | 0;
    this.found = NOWHERE;
    if (at + NAME_BYTES <= this.end) {
      const middle = (Math.imul(words.getInt32(at + 24, true), 0xc2b2ae35) + Math.imul(words.getInt32(at + 28, true), 0x27d4eb2f)) | 0;
      const end = (Math.imul(words.getInt32(at + 32, true), 0x165667b1) + Math.imul(words.getInt32(at + 36, true), 0xd3a2646d)) | 0;
      this.found = this.#last(this.#placesOfNames, ((hash + middle) | 0) + end, at);
    }
    if (this.found === NOWHERE) this.found = this.#last(this.#places, hash, at);
    return this.found === NOWHERE ? 0 : this.#matchLength(this.found, at);
  }

  /** Where the bytes with this hash were last, which are at another place now. */
  #last(places: Int32Array, hash: number, at: number): number {
    const slot = (hash | 0) >>> (32 - PLACE_BITS);
    const place = (this.#origin + at) | 0;
    const distance = (place - (places[slot] as number)) | 0;
    places[slot] = place;
    const isInText = distance > 0 && distance <= FARTHEST_MATCH && distance <= at;
    return isInText && areSame(this.#words, at - distance, at) ? at - distance : NOWHERE;
  }

  /** Of two places whose first eight bytes are the same. */
  #matchLength(before: number, at: number): number {
    const { text, end } = this;
    const words = this.#words;
    const most = Math.min(LONGEST_MATCH, end - at);
    let length = LEAST_MATCH;
    while (length + 8 <= most && areSame(words, before + length, at + length)) length += 8;
    for (; length + 4 <= most; length += 4) {
      const differing = words.getInt32(before + length, true) ^ words.getInt32(at + length, true);
      // The first byte is the lowest.
      if (differing !== 0) return length + ((31 - Math.clz32(differing & -differing)) >> 3);
    }
    while (length < most && text[before + length] === text[at + length]) length += 1;
    return length;
  }
}

/** Whether eight bytes are the same, compared as doubles: for zeros, and what is not a number, it is said that they are not, which makes matches shorter. */
function areSame(words: DataView, one: number, other: number): boolean {
  const value = words.getFloat64(one, true);
  return value !== 0 && value === words.getFloat64(other, true);
}
