const HEX_DIGIT = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 16; digit += 1) {
  HEX_DIGIT[digit.toString(16).charCodeAt(0)] = digit;
  HEX_DIGIT[digit.toString(16).toUpperCase().charCodeAt(0)] = digit;
}
const HYPHEN = 0x2d;
/** Characters of a uuid with its hyphens. */
export const UUID_BYTES = 36;
/** 32-bit words of a uuid. */
export const WORDS_PER_UUID = 4;

/**
 * Reads a uuid with hyphens and without braces, in any case, into four words.
 * @returns false when there is no uuid at `start`
 */
export function readUuidWords(bytes: Uint8Array, start: number, words: Int32Array, at: number): boolean {
  if (start + UUID_BYTES > bytes.length) return false;
  if (bytes[start + 8] !== HYPHEN || bytes[start + 13] !== HYPHEN || bytes[start + 18] !== HYPHEN || bytes[start + 23] !== HYPHEN)
    return false;
  const a = fourDigits(bytes, start);
  const b = fourDigits(bytes, start + 4);
  const c = fourDigits(bytes, start + 9);
  const d = fourDigits(bytes, start + 14);
  const e = fourDigits(bytes, start + 19);
  const f = fourDigits(bytes, start + 24);
  const g = fourDigits(bytes, start + 28);
  const h = fourDigits(bytes, start + 32);
  words[at] = (a << 16) | b;
  words[at + 1] = (c << 16) | d;
  words[at + 2] = (e << 16) | f;
  words[at + 3] = (g << 16) | h;
  return (a | b | c | d | e | f | g | h) >= 0;
}

/** Reads four hexadecimal digits; the result is negative when one of the bytes is no digit. */
function fourDigits(bytes: Uint8Array, at: number): number {
  return (
    ((HEX_DIGIT[bytes[at] as number] as number) << 12) |
    ((HEX_DIGIT[bytes[at + 1] as number] as number) << 8) |
    ((HEX_DIGIT[bytes[at + 2] as number] as number) << 4) |
    (HEX_DIGIT[bytes[at + 3] as number] as number)
  );
}

/** Formats a uuid in lower case with hyphens. */
export function uuidOfWords(words: Int32Array, at: number): string {
  const hex = Array.from({ length: WORDS_PER_UUID }, (_, i) => ((words[at + i] as number) >>> 0).toString(16).padStart(8, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** @param uuids lower case with hyphens */
export function wordsOfUuids(uuids: readonly string[]): Int32Array {
  const words = new Int32Array(uuids.length * WORDS_PER_UUID);
  const bytes = Buffer.from(uuids.join(''), 'latin1');
  uuids.forEach((uuid, i) => {
    if (!readUuidWords(bytes, i * UUID_BYTES, words, i * WORDS_PER_UUID)) throw new Error(`not a uuid: ${uuid}`);
  });
  return words;
}
