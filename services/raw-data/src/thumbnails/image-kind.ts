/** Formats that thumbnails are made of (spec: decisions.md 6.6). */
export const IMAGE_KINDS = ['jpeg', 'png', 'gif', 'webp', 'tiff', 'avif', 'svg'] as const;
export type ImageKind = (typeof IMAGE_KINDS)[number];

/** Number of bytes at the start of a file that {@link imageKind} needs. */
export const HEAD_BYTES = 1024;

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const TIFF = ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'];
const AVIF_BRANDS = ['avif', 'avis'];

/**
 * Detects the format of an image by its first bytes; name and MIME type are ignored.
 * @param head up to {@link HEAD_BYTES}
 * @returns `undefined` for other formats
 */
export function imageKind(head: Buffer): ImageKind | undefined {
  const text = head.toString('latin1');
  if (head.subarray(0, JPEG.length).equals(JPEG)) return 'jpeg';
  if (head.subarray(0, PNG.length).equals(PNG)) return 'png';
  if (/^GIF8[79]a/.test(text)) return 'gif';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'webp';
  if (TIFF.some((magic) => text.startsWith(magic))) return 'tiff';
  if (text.slice(4, 8) === 'ftyp' && isAvif(head)) return 'avif';
  return isSvg(text) ? 'svg' : undefined;
}

/** Whether the first bytes are those of a PDF, before which some programs write others. */
export function isPdfHead(head: Buffer): boolean {
  return head.includes('%PDF-');
}

/** Checks the box `ftyp`: its length, its name, the main brand, a version, compatible brands. */
function isAvif(head: Buffer): boolean {
  const length = Math.min(head.length, head.length >= 4 ? head.readUInt32BE(0) : 0);
  for (let at = 8; at + 4 <= length; at += 4) {
    if (at !== 12 && AVIF_BRANDS.includes(head.toString('latin1', at, at + 4))) return true;
  }
  return false;
}

/** Whether a text begins with a tag, as XML does. Compressed SVG is not supported. */
function isSvg(text: string): boolean {
  return /^(?:\xef\xbb\xbf)?\s*</.test(text) && /<svg[\s>]/.test(text) && !text.includes('\0');
}
