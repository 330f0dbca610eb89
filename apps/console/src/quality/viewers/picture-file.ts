const PNG_MAGIC = [0x89, 0x50, 0x4e, 0x47];
const PNG_END = [0x49, 0x45, 0x4e, 0x44];
/** Bytes behind the name of the last chunk of a PNG: its check sum. */
const PNG_CHECK_BYTES = 4;
const JPEG_MAGIC = [0xff, 0xd8];
const JPEG_SCAN = 0xda;
const JPEG_END = 0xd9;
const RIFF_MAGIC = [0x52, 0x49, 0x46, 0x46];
const RIFF_HEAD_BYTES = 8;

/** Whether the end of a PNG, JPEG or WebP is missing: browsers show the rest without a word. */
export function isCutPicture(bytes: Uint8Array): boolean {
  if (hasAt(bytes, 0, PNG_MAGIC)) return !hasAt(bytes, bytes.length - PNG_CHECK_BYTES - PNG_END.length, PNG_END);
  if (hasAt(bytes, 0, JPEG_MAGIC)) return isCutJpeg(bytes);
  if (!hasAt(bytes, 0, RIFF_MAGIC) || bytes.length < RIFF_HEAD_BYTES) return false;
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true) + RIFF_HEAD_BYTES > bytes.length;
}

/** Looks for the end behind the last scan; what cameras write behind the end has no such marks, or its own end. */
function isCutJpeg(bytes: Uint8Array): boolean {
  for (let at = bytes.length - 2; at > 0; at -= 1) {
    if (bytes[at] !== 0xff) continue;
    if (bytes[at + 1] === JPEG_END) return false;
    if (bytes[at + 1] === JPEG_SCAN) return true;
  }
  return true;
}

function hasAt(bytes: Uint8Array, at: number, wanted: readonly number[]): boolean {
  return wanted.every((byte, index) => bytes[at + index] === byte);
}
