const LF = 0x0a;
const CR = 0x0d;
const END_OF_FILE = 0x1a;
/** Bytes at both ends of a file that tell how it is written. */
const SAMPLE_BYTES = 64 * 1024;
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Joins the text files that make up one import, such as a DFD and a DFX file.
 * Files that cannot be joined byte by byte are decoded each by itself, and joined as UTF-8 with a byte order mark.
 * @param encoding a label of `TextDecoder` for files without a byte order mark; found when left out
 */
export async function joinTextFiles(files: readonly Blob[], encoding?: string): Promise<Blob> {
  const [first, ...others] = files;
  if (first === undefined || others.length === 0) return first ?? new Blob([]);
  const areJoinable = encoding === undefined && !(await Promise.all(files.map(needsDecoding))).includes(true);
  if (areJoinable) return new Blob([first, ...others.flatMap((other) => ['\n', other])]);
  const texts: string[] = [];
  // One after the other: a file of values may be large.
  for (const file of files) texts.push(await textOf(file, encoding));
  return new Blob([BYTE_ORDER_MARK + texts.join('\n')]);
}

/** Whether a file has a mark, is UTF-16, ends lines by CR alone, or ends with the end-of-file character of DOS. */
async function needsDecoding(file: Blob): Promise<boolean> {
  const start = await bytesOf(file.slice(0, SAMPLE_BYTES));
  const end = await bytesOf(file.slice(Math.max(0, file.size - SAMPLE_BYTES)));
  return foundEncoding(start) !== undefined || (start.includes(CR) && !start.includes(LF)) || end.includes(END_OF_FILE);
}

async function textOf(file: Blob, encoding: string | undefined): Promise<string> {
  const bytes = await bytesOf(file);
  const known = markOf(bytes) ?? encoding ?? foundEncoding(bytes);
  const text =
    known === undefined ? (tryUtf8(bytes) ?? new TextDecoder('windows-1252').decode(bytes)) : new TextDecoder(known).decode(bytes);
  const end = text.indexOf('\u001a', lengthWithoutEnd(text));
  const whole = end < 0 ? text : text.slice(0, end);
  return whole.includes('\n') ? whole : whole.replaceAll('\r', '\n');
}

/** Length of a text without what may stand at the end of a file of DOS. */
function lengthWithoutEnd(text: string): number {
  let length = text.length;
  for (; length > 0; length -= 1) {
    const last = text.charAt(length - 1);
    if (last !== '\u001a' && last !== '\0' && last.trim().length > 0) break;
  }
  return length;
}

function markOf(start: Uint8Array): string | undefined {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return 'utf-8';
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : undefined;
}

/** Finds an encoding by the byte order mark, or UTF-16 by the zero byte of a first character in ASCII. */
function foundEncoding(start: Uint8Array): string | undefined {
  const mark = markOf(start);
  if (mark !== undefined || start.length < 2) return mark;
  if (start[0] !== 0 && start[1] === 0) return 'utf-16le';
  return start[0] === 0 && start[1] !== 0 ? 'utf-16be' : undefined;
}

async function bytesOf(blob: Blob): Promise<Uint8Array> {
  return new Uint8Array(await blob.arrayBuffer());
}

function tryUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
