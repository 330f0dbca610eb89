/** The exact value of a number text: `sign × 0.digits × 10^exponent`. */
export interface Decimal {
  sign: -1 | 0 | 1;
  /** Digits without leading and trailing zeros; empty for 0. Equal numbers have equal digits. */
  digits: string;
  /** Power of ten; 0 for the number 0. */
  exponent: number;
}

/** Maximum characters of a number text: enough for 1e308 written out with decimals. */
const MAX_NUMBER_LENGTH = 1000;
/** Maximum written exponent, either sign. With the length above, every number text fits a PostgreSQL `numeric`. */
const MAX_EXPONENT = 10_000;

const FLOAT = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d+))?$/;
/** Matches number texts whose exponent is certainly within {@link MAX_EXPONENT}. Several times as fast because it has no groups. */
const USUAL_FLOAT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$/;
const INTEGER = /^[+-]?\d+$/;
const INTEGER_BITS = 64;

/**
 * Reads the text of a Float: digits with at most one point (`.5` and `5.` are valid), an optional sign (.NET clients write `+` too), an
 * optional exponent.
 * Blanks, separators, a decimal comma, hexadecimal, `NaN` and `Infinity` are invalid.
 * At most {@link MAX_NUMBER_LENGTH} characters and an exponent within ±{@link MAX_EXPONENT}.
 * The value is exact: it may exceed a float64 (see {@link fitsDouble}).
 * @returns `undefined` when the text is no such number. spec: decisions.md 2.2
 */
export function parseFloatText(text: string): Decimal | undefined {
  if (text.length > MAX_NUMBER_LENGTH) return undefined;
  const match = FLOAT.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', bareFraction = '', writtenExponent = '0'] = match;
  const exponent = Number(writtenExponent);
  if (Math.abs(exponent) > MAX_EXPONENT) return undefined;
  return normalised(sign === '-', whole, fraction + bareFraction, exponent);
}

/**
 * Reads the text of an Integer: digits with an optional sign, leading zeros allowed, from -2^63 to 2^63 - 1.
 * @returns `undefined` when the text is no such number. spec: decisions.md 2.2
 */
export function parseIntegerText(text: string): bigint | undefined {
  if (text.length > MAX_NUMBER_LENGTH || !INTEGER.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return BigInt.asIntN(INTEGER_BITS, value) === value ? value : undefined;
}

/**
 * Whether a Float with this text can be stored: its nearest float64 is finite. Underflow is allowed, since the text is kept. spec:
 * decisions.md 2.2
 */
export function fitsDouble(text: string): boolean {
  const isFloat = text.length <= MAX_NUMBER_LENGTH && (USUAL_FLOAT.test(text) || parseFloatText(text) !== undefined);
  return isFloat && Number.isFinite(Number(text));
}

/** Orders numbers by their exact value, whatever their size and number of digits: negative when `a` is smaller, 0 when they are equal. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.sign !== b.sign) return a.sign - b.sign;
  if (a.exponent !== b.exponent) return a.sign * (a.exponent - b.exponent);
  // Digits follow the point and have no trailing zeros: a prefix is the smaller number, as it is the smaller text.
  if (a.digits === b.digits) return 0;
  return a.digits < b.digits ? -a.sign : a.sign;
}

function normalised(negative: boolean, whole: string, fraction: string, exponent: number): Decimal {
  const written = whole + fraction;
  let first = 0;
  while (written[first] === '0') first += 1;
  let end = written.length;
  while (end > first && written[end - 1] === '0') end -= 1;
  if (first === end) return { sign: 0, digits: '', exponent: 0 };
  return { sign: negative ? -1 : 1, digits: written.slice(first, end), exponent: exponent + whole.length - first };
}
