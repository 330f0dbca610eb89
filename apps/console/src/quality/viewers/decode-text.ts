const MARKS: readonly (readonly [bytes: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];
/** Letters of the beginning that tell a text from other bytes. */
const CHECKED_LETTERS = 4000;

/**
 * Reads bytes as text: UTF-8 or UTF-16 with a byte order mark, else UTF-8, else Windows-1252, which spreadsheets write.
 * @param isWhole otherwise a letter that is cut at the end is left out
 * @returns `undefined` for bytes that are no text
 */
export function decodeText(bytes: Uint8Array, isWhole: boolean): string | undefined {
  const decoded = (encoding: string) => decodedBytes(bytes, encoding, isWhole);
  const [, marked] = MARKS.find(([mark]) => mark.every((byte, index) => bytes[index] === byte)) ?? [];
  const text = marked === undefined ? (decoded('utf-8') ?? decoded('windows-1252')) : decoded(marked);
  return text === undefined || text.slice(0, CHECKED_LETTERS).includes('\0') ? undefined : text;
}

function decodedBytes(bytes: Uint8Array, encoding: string, isWhole: boolean): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: !isWhole });
  } catch {
    return undefined;
  }
}
