import { ServiceError } from '@sinebar/contracts';

/** Nesting of arrays and objects in a body, at most (spec: decisions.md 10.2). */
export const MAX_JSON_DEPTH = 32;

/** A number of a body that a double does not hold as it was written: `12345678901234567890`, `1e400`. */
export class DecimalText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Parses the bytes of a JSON text without losing digits: a number that a double does not hold exactly as written becomes a {@link DecimalText}.
 * @throws ServiceError 400 with the place of the mistake
 * spec: decisions.md 2.1, 10.2
 */
export function parseJson(bytes: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ServiceError('InvalidRequest', 'the body is not valid UTF-8', { cause: error });
  }
  const hasLongNumbers = inspect(bytes);
  try {
    // The built-in parser is several times as fast; only numbers that it might round need the other one, on a text that is known to be JSON.
    const parsed = JSON.parse(text) as unknown;
    return hasLongNumbers ? new ExactParser(text).parse() : parsed;
  } catch (error) {
    throw new ServiceError('InvalidRequest', `the body is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** A double holds every decimal of up to 15 digits. */
const SAFE_DIGITS = 15;
/** Characters of a number up to which it is worth finding out whether a double holds it; no attribute takes a longer one. */
const LONGEST_NUMBER = 1000;

/** One pass over the bytes before anything is built from them: depth, the escape of U+0000, and whether a number may be too long for a double. */
function inspect(bytes: Buffer): boolean {
  let depth = 0;
  let numberLength = 0;
  let hasLongNumbers = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] as number;
    if (byte === QUOTE) {
      i = endOfText(bytes, i);
      numberLength = 0;
    } else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      if (depth > MAX_JSON_DEPTH)
        throw new ServiceError('InvalidRequest', `the body is nested more than ${MAX_JSON_DEPTH} levels deep (at byte ${i + 1})`);
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1;
    else if (byte >= 0x30 && byte <= 0x39) {
      numberLength += 1;
      if (numberLength > SAFE_DIGITS) hasLongNumbers = true;
      // An exponent, but not the e of true and false.
      const next = bytes[i + 1];
      if (next === 0x65 || next === 0x45) hasLongNumbers = true;
    } else if (byte !== 0x2e) numberLength = 0;
  }
  return hasLongNumbers;
}

/** @returns the index of the closing quote, or the end of the bytes. */
function endOfText(bytes: Buffer, start: number): number {
  let i = start + 1;
  for (; i < bytes.length && bytes[i] !== QUOTE; i += 1) {
    if (bytes[i] !== BACKSLASH) continue;
    i += 1;
    if (bytes[i] === 0x75 && bytes.toString('latin1', i + 1, i + 5) === '0000') {
      throw new ServiceError('InvalidRequest', `the body contains the character U+0000 (at byte ${i}), which no text may hold`);
    }
  }
  return i;
}

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
    // As JSON.parse does it: `__proto__` is a member like any other.
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
    this.position += 1;
    while (this.text[this.position] !== '"') this.position += this.text[this.position] === '\\' ? 2 : 1;
    this.position += 1;
    return JSON.parse(this.text.slice(start, this.position)) as string;
  }

  private number(): number | DecimalText {
    const start = this.position;
    while (/[-+.eE\d]/.test(this.text[this.position] ?? '')) this.position += 1;
    const token = this.text.slice(start, this.position);
    if (token.length > LONGEST_NUMBER) return new DecimalText(token);
    const double = Number(token);
    return Number.isFinite(double) && sameDecimal(String(double), token) ? double : new DecimalText(token);
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
    while (/[ \t\r\n]/.test(this.text[this.position] ?? '')) this.position += 1;
  }
}

/** Whether two number texts stand for the same decimal number, whatever their form. */
function sameDecimal(a: string, b: string): boolean {
  return normalDecimal(a) === normalDecimal(b);
}

/** Sign, digits without zeros at either end, and the power of ten of the last digit. */
function normalDecimal(text: string): string {
  const match = /^([-+]?)(\d+)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/.exec(text);
  if (!match) return text;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  // By index: a regular expression for zeros at the end takes time with the square of their number.
  let begin = 0;
  let end = digits.length;
  while (begin < end && digits[begin] === '0') begin += 1;
  while (end > begin && digits[end - 1] === '0') end -= 1;
  if (begin === end) return '0';
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - end);
  return `${sign === '-' ? '-' : ''}${digits.slice(begin, end)}e${power}`;
}
