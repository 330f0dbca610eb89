import { isAscii, isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { extraField } from './extra-field.ts';

/** Upper half of code page 437, the default encoding of names. */
const CODE_PAGE_437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';
const UNICODE_PATH = 0x7075;

/**
 * Decodes the name of an entry without the UTF-8 flag: as UTF-8 if the bytes are valid, because many writers omit the flag, else as code
 * page 437.
 * @param extra the extra fields of the entry, which may hold the name in Unicode
 */
export function decodeName(bytes: Buffer, extra: Buffer | undefined): string {
  const unicode = extra && unicodePath(bytes, extra);
  if (unicode !== undefined) return unicode;
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  return [...bytes].map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : CODE_PAGE_437[byte - 0x80])).join('');
}

/** Uses the Info-ZIP field only if its CRC matches the name: a program without support for the field keeps it when it renames an entry. */
function unicodePath(name: Buffer, extra: Buffer): string | undefined {
  const field = extraField(extra, UNICODE_PATH);
  if (!field || field.length < 5 || field[0] !== 1 || field.readUInt32LE(1) !== crc32(name)) return undefined;
  const path = field.subarray(5);
  return isUtf8(path) ? path.toString('utf8') : undefined;
}
