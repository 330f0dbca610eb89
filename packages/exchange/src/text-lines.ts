import type { ByteSource } from './content.js';
import { UnreadableFileError } from './problems.js';

/** Most bytes of one line. A record of 10,000 characteristics with all fields has about 1 MB. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;

const LF = 0x0a;
const UTF8_BOM = [0xef, 0xbb, 0xbf];

/** Texts of whole lines, and the number of the first of them. */
export interface TextBlock {
  text: string;
  firstLine: number;
}

/** Encodings of text files. */
export type Encoding = 'utf-8' | 'windows-1252' | 'utf-16le' | 'utf-16be';

/**
 * Decodes a file into blocks of whole lines, each with its line ends except possibly the last.
 * UTF-16 begins with a byte order mark or with a character of ASCII.
 * Otherwise a block that is no UTF-8 is read as Windows-1252 line by line.
 * @param encoding the one that is known to be right
 * @throws UnreadableFileError a line is longer than {@link MAX_LINE_BYTES}
 */
export async function* textBlocks(source: ByteSource, encoding?: Encoding): AsyncGenerator<TextBlock> {
  let line = 1;
  for await (const text of wholeLines(encoding === undefined ? decoded(source) : decodedAs(source, encoding))) {
    if (text.length > 0) yield { text, firstLine: line };
    line += countLines(text);
  }
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** A decoded text, cut at a line end when `isWhole`. */
interface Piece {
  text: string;
  isWhole: boolean;
}

async function* wholeLines(pieces: AsyncGenerator<Piece>): AsyncGenerator<string> {
  let rest = '';
  let line = 1;
  for await (const { text, isWhole } of pieces) {
    if (isWhole) {
      yield text;
      line += countLines(text);
      continue;
    }
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) {
      const whole = rest + text.slice(0, end);
      rest = text.slice(end);
      yield whole;
      line += countLines(whole);
    } else rest += text;
    refuseLongLine(rest.length * 2, line);
  }
  if (rest.length > 0) yield rest;
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

async function* decodedAs(source: ByteSource, encoding: Encoding): AsyncGenerator<Piece> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of source) yield { text: decoder.decode(chunk, { stream: true }), isWhole: false };
  yield { text: decoder.decode(), isWhole: false };
}

async function* decoded(source: ByteSource): AsyncGenerator<Piece> {
  const chunks = withStart(source);
  const first = await chunks.next();
  if (first.done === true) return;
  const start = first.value;
  const utf16 = utf16Of(start);
  if (utf16 !== undefined) {
    const decoder = new TextDecoder(utf16);
    yield { text: decoder.decode(start, { stream: true }), isWhole: false };
    for await (const chunk of chunks) yield { text: decoder.decode(chunk, { stream: true }), isWhole: false };
    yield { text: decoder.decode(), isWhole: false };
    return;
  }
  const hasBom = UTF8_BOM.every((byte, i) => start[i] === byte);
  yield* decodedLines(hasBom ? start.subarray(UTF8_BOM.length) : start, chunks);
}

/** Finds UTF-16 by its byte order mark, or by the zero byte of a first character in ASCII. */
function utf16Of([first, second]: Uint8Array): Encoding | undefined {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0 && second !== undefined)) return 'utf-16be';
  return undefined;
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

/** Cuts bytes at line ends, where no character is split, and decodes them. */
async function* decodedLines(start: Uint8Array, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Piece> {
  let rest: Uint8Array[] = [];
  let restBytes = 0;
  let line = 1;
  const cut = function* (chunk: Uint8Array): Generator<Piece> {
    const end = chunk.lastIndexOf(LF) + 1;
    if (end > 0) {
      const text = decodeBytes(rest.length > 0 ? joined([...rest, chunk.subarray(0, end)]) : chunk.subarray(0, end));
      rest = [];
      restBytes = 0;
      yield { text, isWhole: true };
      line += countLines(text);
    }
    if (end < chunk.length) {
      // A copy: the source may use the memory of its chunk again.
      rest.push(chunk.slice(end));
      restBytes += chunk.length - end;
      refuseLongLine(restBytes, line);
    }
  };
  yield* cut(start);
  for await (const chunk of chunks) yield* cut(chunk);
  if (restBytes > 0) yield { text: decodeBytes(joined(rest)), isWhole: true };
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
const windows1252 = new TextDecoder('windows-1252');

/** Decodes whole lines. Each line that is no UTF-8 is Windows-1252. */
function decodeBytes(bytes: Uint8Array): string {
  const text = tryUtf8(bytes);
  if (text !== undefined) return text;
  let all = '';
  for (let start = 0; start < bytes.length;) {
    const lineEnd = bytes.indexOf(LF, start);
    const end = lineEnd < 0 ? bytes.length : lineEnd + 1;
    const line = bytes.subarray(start, end);
    all += tryUtf8(line) ?? windows1252.decode(line);
    start = end;
  }
  return all;
}

function tryUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
