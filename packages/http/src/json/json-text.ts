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
 * @throws ServiceError 400 with the position of the mistake, or of the exceeded limit
 * spec: decisions.md 2.1, 10.2
 */
export function parseJson(bytes: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ServiceError('InvalidRequest', 'The body is not valid UTF-8.', { cause: error });
  }
  const hasInexact = inspect(bytes);
  try {
    // A reviver takes several times as long, so only bodies with such numbers get one.
    return JSON.parse(text, hasInexact ? keepDigits : undefined) as unknown;
  } catch (error) {
    throw new ServiceError('InvalidRequest', `The body is not valid JSON: ${(error as Error).message}.`, { cause: error });
  }
}

/** Reviver of `JSON.parse`: keeps numbers that a float64 does not hold exactly as text. */
function keepDigits(_name: string, value: unknown, { source = '' }: { source?: string } = {}): unknown {
  return typeof value === 'number' && !isExact(source) ? new DecimalText(source) : value;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
/** A float64 holds every decimal of up to 15 digits. */
const MAX_SAFE_DIGITS = 15;
/** Maximum characters of a number that is compared with its float64; no attribute takes a longer one. */
const MAX_COMPARED_LENGTH = 1000;

/** Checks depth, item counts and U+0000 in one pass before parsing. @returns true if a float64 does not hold one of the numbers exactly */
function inspect(bytes: Buffer): boolean {
  const size = new SizeCheck();
  let hasInexact = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] as number;
    if (byte === QUOTE) i = endOfText(bytes, i);
    else if (byte === 0x5b || byte === 0x7b) size.open(i);
    else if (byte === 0x5d || byte === 0x7d) size.close();
    else if (byte === 0x2c) size.separate(i);
    else if (byte === MINUS || isDigit(byte)) {
      const start = i;
      let hasExponent = false;
      for (; isInNumber(bytes[i + 1]); i += 1) hasExponent ||= ((bytes[i + 1] as number) | 0x20) === 0x65;
      if (hasExponent || i - start >= MAX_SAFE_DIGITS) hasInexact ||= !isExact(bytes.toString('latin1', start, i + 1));
    }
  }
  return hasInexact;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** @returns whether the byte continues a number: a digit, `.`, `e`, `E`, `+` or `-` */
function isInNumber(byte = 0): boolean {
  return isDigit(byte) || byte === 0x2e || byte === 0x65 || byte === 0x45 || byte === 0x2b || byte === MINUS;
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

/** @returns whether the shortest text of the float64 that is nearest to the number means the same decimal */
function isExact(number: string): boolean {
  if (number.length > MAX_COMPARED_LENGTH) return false;
  const nearest = String(Number(number));
  return nearest === number || normalDecimal(nearest) === normalDecimal(number);
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
