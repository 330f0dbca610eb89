import type { ByteSource } from './content.ts';
import { UnreadableFileError, type Problems } from './problems.ts';

/** Most bytes of one line. A record of 10,000 characteristics with all fields has about 1 MB. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;

const [LF, CR] = [0x0a, 0x0d] as const;
const UTF8_BOM = [0xef, 0xbb, 0xbf];
/** Ends a text file of DOS; only blanks, line ends and zeros may stand behind it. */
const END_OF_FILE = '\u001a';
/** Most characters of it and what stands behind it. */
const MAX_TAIL = 64 * 1024;
const isBehindEnd = (character: string) => character === END_OF_FILE || character === '\0' || character.trim().length === 0;

/** Texts of whole lines, and the number of the first of them. */
export interface TextBlock {
  text: string;
  firstLine: number;
}

/** Whether a text decoder knows the label, such as `gbk` or `windows-1250`. */
export function isEncoding(label: string): boolean {
  try {
    new TextDecoder(label);
    return true;
  } catch {
    return false;
  }
}

/**
 * Decodes a file into blocks of whole lines, each with its line ends except possibly the last.
 * A byte order mark decides, then the given encoding. Without both, UTF-16 is found by a zero byte in its first character,
 * and each line that is no UTF-8 is read as Windows-1252.
 * CR alone ends lines in a file without LF, and becomes LF. The end-of-file character of DOS is left out at the end.
 * @param encoding a label of `TextDecoder`
 * @param problems gets a warning when the encoding was guessed
 * @throws UnreadableFileError a line is longer than {@link MAX_LINE_BYTES}
 */
export async function* textBlocks(source: ByteSource, encoding: string | undefined, problems: Problems): AsyncGenerator<TextBlock> {
  let line = 1;
  let held = '';
  for await (const piece of decoded(source, encoding, problems)) {
    let text = piece;
    if (held.length > 0 || text.includes(END_OF_FILE)) {
      text = held + text;
      const end = held.length > MAX_TAIL ? text.length : endOf(text);
      held = text.slice(end);
      text = text.slice(0, end);
    }
    if (text.length > 0) yield { text, firstLine: line };
    line += countLines(text);
  }
}

/** Finds the end-of-file character behind which nothing else stands. */
function endOf(text: string): number {
  let tail = text.length;
  while (tail > 0 && isBehindEnd(text.charAt(tail - 1))) tail -= 1;
  const end = text.indexOf(END_OF_FILE, tail);
  return end < 0 ? text.length : end;
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

async function* decoded(source: ByteSource, encoding: string | undefined, problems: Problems): AsyncGenerator<string> {
  const chunks = withStart(source);
  const first = await chunks.next();
  if (first.done === true) return;
  const start = first.value;
  const mark = markOf(start);
  const named = mark ?? (encoding === undefined ? undefined : new TextDecoder(encoding).encoding);
  const utf16 = named === undefined ? utf16Of(start) : undefined;
  if (utf16 !== undefined) warnOfGuess(utf16, problems);
  const known = named ?? utf16;
  if (known !== undefined && known !== 'utf-8') {
    yield* wholeLines(decodedAs(start, chunks, known));
    return;
  }
  let isGuessed = false;
  const fallback = (line: Uint8Array): string => {
    if (known === 'utf-8') return forgivingUtf8.decode(line);
    if (!isGuessed) warnOfGuess('windows-1252', problems);
    isGuessed = true;
    return windows1252.decode(line);
  };
  const decode = (bytes: Uint8Array, lineEnd: number) => decodeLines(bytes, lineEnd, fallback);
  yield* decodedLines(mark === undefined ? start : start.subarray(UTF8_BOM.length), chunks, decode);
}

/** Finds the encoding by a byte order mark. */
function markOf(start: Uint8Array): string | undefined {
  if (UTF8_BOM.every((byte, i) => start[i] === byte)) return 'utf-8';
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : undefined;
}

/** Finds UTF-16 by the zero byte of a first character in ASCII. */
function utf16Of([first, second]: Uint8Array): string | undefined {
  if (first !== 0 && second === 0) return 'utf-16le';
  return first === 0 && second !== 0 && second !== undefined ? 'utf-16be' : undefined;
}

function warnOfGuess(encoding: string, problems: Problems): void {
  problems.warnLast(
    `The text of the file is neither ASCII nor UTF-8 and has no byte order mark; it is read as ${encoding}. ` +
      'When names look wrong, name its encoding, for example encoding=gbk.',
  );
}

/** Joins the first chunks until they have the length of a byte order mark. */
async function* withStart(source: ByteSource): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | undefined = new Uint8Array(0);
  for await (const chunk of source) {
    if (start === undefined) yield chunk;
    else {
      start = joined([start, chunk]);
      if (start.length < UTF8_BOM.length) continue;
      yield start;
      start = undefined;
    }
  }
  if (start !== undefined && start.length > 0) yield start;
}

async function* decodedAs(start: Uint8Array, chunks: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  yield decoder.decode(start, { stream: true });
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

async function* wholeLines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  let line = 1;
  let hasLf = false;
  let lineEnd: '\n' | '\r' = '\n';
  for await (const text of texts) {
    hasLf ||= text.includes('\n');
    rest += text;
    if (!hasLf && lineEnd === '\n' && rest.length * 2 > MAX_LINE_BYTES && rest.includes('\r')) lineEnd = '\r';
    const end = (text.includes(lineEnd) || lineEnd === '\r' ? rest.lastIndexOf(lineEnd) : -1) + 1;
    if (end > 0) {
      const whole = withLf(rest.slice(0, end), lineEnd);
      rest = rest.slice(end);
      yield whole;
      line += countLines(whole);
    }
    refuseLongLine(rest.length * 2, line);
  }
  if (rest.length > 0) yield withLf(rest, hasLf ? lineEnd : '\r');
}

function withLf(text: string, lineEnd: '\n' | '\r'): string {
  return lineEnd === '\r' ? text.replaceAll('\r', '\n') : text;
}

function refuseLongLine(bytes: number, line: number): void {
  if (bytes <= MAX_LINE_BYTES) return;
  throw new UnreadableFileError({
    line,
    message:
      `Line ${line} has no end within ${MAX_LINE_BYTES / 1024 / 1024} MiB. ` +
      'Check that the file is a text file with line ends and that it is complete.',
  });
}

/** Cuts bytes at line ends, where no character is split, and decodes them. */
async function* decodedLines(
  start: Uint8Array,
  chunks: AsyncIterable<Uint8Array>,
  decode: (bytes: Uint8Array, lineEnd: number) => string,
): AsyncGenerator<string> {
  let rest: Uint8Array[] = [];
  let restBytes = 0;
  let line = 1;
  let hasLf = false;
  let lineEnd: number = LF;
  const cut = function* (chunk: Uint8Array): Generator<string> {
    const end = chunk.lastIndexOf(lineEnd) + 1;
    if (end > 0) {
      hasLf = true;
      const text = decode(rest.length > 0 ? joined([...rest, chunk.subarray(0, end)]) : chunk.subarray(0, end), lineEnd);
      rest = [];
      restBytes = 0;
      yield text;
      line += countLines(text);
    }
    if (end < chunk.length) {
      // A copy: the source may use the memory of its chunk again.
      rest.push(chunk.slice(end));
      restBytes += chunk.length - end;
      if (restBytes > MAX_LINE_BYTES && !hasLf && rest.some((one) => one.includes(CR))) {
        lineEnd = CR;
        const waiting = joined(rest);
        rest = [];
        restBytes = 0;
        yield* cut(waiting);
      } else refuseLongLine(restBytes, line);
    }
  };
  yield* cut(start);
  for await (const chunk of chunks) yield* cut(chunk);
  if (restBytes > 0) yield decode(joined(rest), hasLf ? lineEnd : CR);
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [only, ...others] = chunks;
  if (only !== undefined && others.length === 0) return only;
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const forgivingUtf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const windows1252 = new TextDecoder('windows-1252');

/**
 * Decodes whole lines.
 * @param fallback decodes a line that is no UTF-8
 */
function decodeLines(bytes: Uint8Array, lineEnd: number, fallback: (line: Uint8Array) => string): string {
  let text = tryUtf8(bytes);
  if (text === undefined) {
    text = '';
    for (let start = 0; start < bytes.length;) {
      const found = bytes.indexOf(lineEnd, start);
      const end = found < 0 ? bytes.length : found + 1;
      const line = bytes.subarray(start, end);
      text += tryUtf8(line) ?? fallback(line);
      start = end;
    }
  }
  return lineEnd === CR ? text.replaceAll('\r', '\n') : text;
}

function tryUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
