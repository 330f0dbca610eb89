import { ServiceError } from '@sinebar/contracts';

/** Maximum nesting of arrays and objects in a body (spec: decisions.md 10.2). */
export const MAX_JSON_DEPTH = 32;
/** Maximum items of one array and members of one object: reading them blocks the event loop. */
export const MAX_JSON_ITEMS = 200_000;
/** Maximum items and members of all arrays and objects of a body, plus these themselves. */
export const MAX_JSON_VALUES = 5_000_000;

/** A number of a body that a float64 cannot hold exactly: `12345678901234567890`, `1e400`. */
export class DecimalText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Parses the bytes of a JSON text without losing digits.
 * A number that a float64 does not hold exactly becomes a {@link DecimalText}.
 * @throws ServiceError 400 with the place of the mistake, or of the exceeded limit
 * spec: decisions.md 2.1, 10.2
 */
export function parseJson(bytes: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ServiceError('InvalidRequest', 'The body is not valid UTF-8.', { cause: error });
  }
  const hasLongNumbers = inspect(bytes);
  try {
    // `JSON.parse` is several times as fast; only numbers that it might round need the exact parser, on a text that is known to be JSON.
    const parsed = JSON.parse(text) as unknown;
    return hasLongNumbers ? new ExactParser(text).parse() : parsed;
  } catch (error) {
    throw new ServiceError('InvalidRequest', `The body is not valid JSON: ${(error as Error).message}.`, { cause: error });
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** A float64 holds every decimal of up to 15 digits. */
const SAFE_DIGITS = 15;
/** Maximum characters of a number that is compared with its float64; no attribute takes a longer one. */
const LONGEST_NUMBER = 1000;

/** Checks depth, item counts and U+0000 in one pass before parsing. @returns true if a number may be too long for a float64 */
function inspect(bytes: Buffer): boolean {
  const size = new SizeCheck();
  let numberLength = 0;
  let hasLongNumbers = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] as number;
    if (byte === QUOTE) {
      i = endOfText(bytes, i);
      numberLength = 0;
    } else if (byte === 0x5b || byte === 0x7b) size.open(i);
    else if (byte === 0x5d || byte === 0x7d) size.close();
    else if (byte === 0x2c) {
      size.separate(i);
      numberLength = 0;
    } else if (byte >= 0x30 && byte <= 0x39) {
      numberLength += 1;
      if (numberLength > SAFE_DIGITS) hasLongNumbers = true;
      // The `e` of an exponent, not of `true` or `false`.
      const next = bytes[i + 1];
      if (next === 0x65 || next === 0x45) hasLongNumbers = true;
    } else if (byte !== 0x2e) numberLength = 0;
  }
  return hasLongNumbers;
}

/** Tracks nesting and item counts of a text that may not be JSON. */
class SizeCheck {
  private depth = 0;
  private values = 0;
  private readonly separators = new Int32Array(MAX_JSON_DEPTH + 1);

  open(at: number): void {
    this.depth += 1;
    if (this.depth > MAX_JSON_DEPTH) refuse(`The body is nested more than ${MAX_JSON_DEPTH} levels deep`, at);
    this.separators[Math.max(this.depth, 0)] = 0;
    this.count(at);
  }

  close(): void {
    this.depth -= 1;
  }

  separate(at: number): void {
    const depth = Math.max(this.depth, 0);
    const separators = (this.separators[depth] as number) + 1;
    this.separators[depth] = separators;
    if (separators >= MAX_JSON_ITEMS)
      refuse(`An array or object of the body has more than ${MAX_JSON_ITEMS} items; send it in several requests`, at);
    this.count(at);
  }

  private count(at: number): void {
    this.values += 1;
    if (this.values > MAX_JSON_VALUES) refuse(`The body has more than ${MAX_JSON_VALUES} values; send it in several requests`, at);
  }
}

function refuse(problem: string, at: number): never {
  throw new ServiceError('InvalidRequest', `${problem} (at byte ${at + 1}).`);
}

/** @returns the index of the closing quote, or the end of the bytes. */
function endOfText(bytes: Buffer, start: number): number {
  let i = start + 1;
  for (; i < bytes.length && bytes[i] !== QUOTE; i += 1) {
    if (bytes[i] !== BACKSLASH) continue;
    i += 1;
    if (bytes[i] === 0x75 && bytes[i + 1] === 0x30 && bytes[i + 2] === 0x30 && bytes[i + 3] === 0x30 && bytes[i + 4] === 0x30)
      refuse('The body contains the character U+0000, which no text may hold', i - 1);
  }
  return i;
}

const NUMBER = /[-+.eE\d]+/y;

/** Reads a text that is known to be JSON. */
class ExactParser {
  private position = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  parse(): unknown {
    this.skipBlanks();
    return this.value();
  }

  private value(): unknown {
    switch (this.text.charAt(this.position)) {
      case '{':
        return this.object();
      case '[':
        return this.array();
      case '"':
        return this.string();
      case 't':
        return this.word('true', true);
      case 'f':
        return this.word('false', false);
      case 'n':
        return this.word('null', null);
      default:
        return this.number();
    }
  }

  private object(): unknown {
    const entries: [string, unknown][] = [];
    this.step();
    while (this.text[this.position] !== '}') {
      const name = this.string();
      this.skipBlanks();
      this.step();
      entries.push([name, this.value()]);
      this.skipBlanks();
      if (this.text[this.position] === ',') this.step();
    }
    this.position += 1;
    // `__proto__` is a member like any other, as in `JSON.parse`.
    return Object.fromEntries(entries);
  }

  private array(): unknown[] {
    const items: unknown[] = [];
    this.step();
    while (this.text[this.position] !== ']') {
      items.push(this.value());
      this.skipBlanks();
      if (this.text[this.position] === ',') this.step();
    }
    this.position += 1;
    return items;
  }

  private string(): string {
    const start = this.position;
    let hasEscape = false;
    this.position += 1;
    for (;;) {
      const code = this.text.charCodeAt(this.position);
      if (code === QUOTE) break;
      if (code === BACKSLASH) hasEscape = true;
      this.position += code === BACKSLASH ? 2 : 1;
    }
    this.position += 1;
    if (!hasEscape) return this.text.slice(start + 1, this.position - 1);
    return JSON.parse(this.text.slice(start, this.position)) as string;
  }

  private number(): number | DecimalText {
    NUMBER.lastIndex = this.position;
    const token = NUMBER.exec(this.text)?.[0] ?? '';
    this.position += token.length;
    if (token.length > LONGEST_NUMBER) return new DecimalText(token);
    const nearest = Number(token);
    return Number.isFinite(nearest) && sameDecimal(String(nearest), token) ? nearest : new DecimalText(token);
  }

  private word<T>(word: string, value: T): T {
    this.position += word.length;
    return value;
  }

  private step(): void {
    this.position += 1;
    this.skipBlanks();
  }

  private skipBlanks(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.position);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.position += 1;
    }
  }
}

function sameDecimal(a: string, b: string): boolean {
  return normalDecimal(a) === normalDecimal(b);
}

/** Normalises a number: sign, digits without zeros at either end, and the power of ten of the last digit. */
function normalDecimal(text: string): string {
  const match = /^([-+]?)(\d+)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/.exec(text);
  if (!match) return text;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  // Scans by index: a regular expression for trailing zeros takes quadratic time.
  let begin = 0;
  let end = digits.length;
  while (begin < end && digits[begin] === '0') begin += 1;
  while (end > begin && digits[end - 1] === '0') end -= 1;
  if (begin === end) return '0';
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - end);
  return `${sign === '-' ? '-' : ''}${digits.slice(begin, end)}e${power}`;
}
