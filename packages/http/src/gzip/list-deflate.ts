import { BitWriter, bitsOf, joined } from './bit-writer.js';
import { blockHeader } from './block-header.js';
import { MOST_PIECE_BYTES, MatchFinder } from './match-finder.js';
import { DISTANCES, LENGTHS, LONGEST_MATCH, distanceSymbol, lengthSymbol } from './match-symbols.js';
import { Alphabet } from './prefix-code.js';

/** Codes are made anew when twice as much has come as the last time, and whenever so much has come, */
const MOST_BYTES_PER_CODES = 4 * 1024 * 1024;
/** or when a piece took so many times the room of the first with these codes: then of the next one alone. */
const MOST_ROOM = 1.25;
const MOST_CODE_BITS = 15;
const MOST_HEADER_BYTES = 1024;
/** Of literals and lengths: the end of a block, and the first symbol of a length. */
const END_OF_BLOCK = 256;
const FIRST_LENGTH = 257;

/** What a piece is made of. It is packed before anything else goes on, so that all may use the same memory. */
const CODED = new Int32Array(MOST_PIECE_BYTES);
/** Each byte may take as many bits as a code has. */
const PACKED = new BitWriter(Buffer.alloc((MOST_PIECE_BYTES * MOST_CODE_BITS) / 8 + MOST_HEADER_BYTES));

const IS_OF_WORD = Uint8Array.from({ length: 256 }, (_, byte) => Number(/[\w.-]/.test(String.fromCharCode(byte))));

/**
 * Deflate (RFC 1951) for lists in JSON, in half the time of zlib. What comes again in these are names and words, and what is new is mostly numbers: so matches
 * are looked for where a word or number ends and nowhere in it. Any other bytes are packed as rightly, if not as well.
 */
export class ListDeflate {
  readonly #finder = new MatchFinder();
  readonly #literals = new Alphabet(FIRST_LENGTH + LENGTHS.bits.length, MOST_CODE_BITS);
  readonly #distances = new Alphabet(DISTANCES.bits.length, MOST_CODE_BITS);
  /** As `Bits`, by length. */
  #lengthCodes = new Int32Array(LONGEST_MATCH + 1);
  #header: Int32Array = new Int32Array();
  #countedBytes = 0;
  /** That are counted before codes are made of them. */
  #bytesPerCodes = 0;
  /** Packed bytes per byte of the first piece with these codes. */
  #room = 0;

  /**
   * The bytes as a block of deflate, and an empty one behind it that ends with a byte, so that all of them can be unpacked.
   * @param piece 1 to `MOST_PIECE_BYTES` bytes, which are copied
   */
  pack(piece: Uint8Array): Buffer {
    this.#finder.append(piece);
    if (this.#header.length === 0) {
      // Gone through twice, to begin with codes that fit.
      this.#code();
      this.#finder.forget();
    }
    const isRenewed = this.#countedBytes >= this.#bytesPerCodes;
    if (isRenewed) this.#renewCodes();
    const count = this.#code();
    PACKED.putAll(this.#header, this.#header.length);
    PACKED.putAll(CODED, count);
    PACKED.put(this.#literals.codes[END_OF_BLOCK] as number);
    putEmptyBlock();
    const compressed = PACKED.take();
    const room = compressed.length / piece.length;
    if (isRenewed) this.#room = room;
    else if (room > MOST_ROOM * this.#room) this.#forgetCodes();
    return compressed;
  }

  /** As new, for other bytes. */
  again(): this {
    this.#finder.reset();
    this.#forgetCodes();
    return this;
  }

  /** Begins with codes that fit what comes next. */
  #forgetCodes(): void {
    this.#literals.counts.fill(0);
    this.#distances.counts.fill(0);
    this.#header = new Int32Array();
    this.#countedBytes = 0;
    this.#bytesPerCodes = 0;
  }

  #renewCodes(): void {
    this.#literals.renew();
    this.#distances.renew();
    this.#header = blockHeader(this.#literals.lengths, this.#distances.lengths);
    const codes = this.#literals.codes;
    this.#lengthCodes = this.#lengthCodes.map((_, length) => {
      const symbol = lengthSymbol(length);
      const place = bitsOf(length - (LENGTHS.firsts[symbol] as number), LENGTHS.bits[symbol] as number);
      return joined(codes[FIRST_LENGTH + symbol] as number, place);
    });
    this.#bytesPerCodes = Math.min(2 * this.#countedBytes, MOST_BYTES_PER_CODES);
    this.#countedBytes = 0;
  }

  /** Fills `CODED` with the codes of the piece, and counts its symbols. @returns how many they are */
  #code(): number {
    const finder = this.#finder;
    const { text, begin, end } = finder;
    const { codes, counts } = this.#literals;
    let coded = 0;
    let at = begin;
    while (at < end) {
      const length = IS_OF_WORD[text[at] as number] === 1 ? 0 : finder.seek(at);
      if (length > 0) {
        coded = this.#codeMatch(length, at - finder.found, coded);
        at += length;
        continue;
      }
      do {
        const byte = text[at] as number;
        (counts[byte] as number) += 1;
        CODED[coded] = codes[byte] as number;
        coded += 1;
        at += 1;
      } while (at < end && IS_OF_WORD[text[at] as number] === 1);
    }
    this.#countedBytes += end - begin;
    return coded;
  }

  #codeMatch(length: number, distance: number, coded: number): number {
    (this.#literals.counts[FIRST_LENGTH + lengthSymbol(length)] as number) += 1;
    CODED[coded] = this.#lengthCodes[length] as number;
    const symbol = distanceSymbol(distance);
    (this.#distances.counts[symbol] as number) += 1;
    CODED[coded + 1] = this.#distances.codes[symbol] as number;
    CODED[coded + 2] = bitsOf(distance - (DISTANCES.firsts[symbol] as number), DISTANCES.bits[symbol] as number);
    return coded + 3;
  }
}

/** A block that is stored begins with a whole byte. */
function putEmptyBlock(): void {
  PACKED.put(bitsOf(0b000, 3));
  PACKED.endByte();
  PACKED.put(bitsOf(0x0000, 16));
  PACKED.put(bitsOf(0xffff, 16));
}
