import { canonicalText } from './exact-text.js';

/** Most bytes of a canonical number text. */
export const NUMBER_TEXT_BYTES = 25;
/** Decimals of fewer than 16 digits are different doubles when they are different numbers. */
const SHORTEST_BOUND = 1e15;
/** Smaller numbers are written with an exponent. */
const LEAST_PLAIN = 1e-6;
/** Exact as doubles, all of them. */
const POWERS_OF_TEN = Float64Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);
/** Numbers of 32 bits, whose divisions are the faster ones. */
const MOST_SHORT = 0x7fff_ffff;
const SHORT_POWERS = Int32Array.from(POWERS_OF_TEN.subarray(0, 10));
const [POINT, MINUS, ZERO] = Buffer.from('.-0') as unknown as [number, number, number];

/** Writes doubles as {@link canonicalText} does, several times as fast for numbers of as many fraction digits as the one before, as measured values are. */
export class NumberTextWriter {
  /** Fraction digits of the number that was written last; `undefined` for one with an exponent. */
  fractionDigits: number | undefined;
  #guess = 0;
  #whole = 0;

  /**
   * Writes the number at a place of an array: a double as an argument would be an object of its own, of which a long answer leaves megabytes.
   * @returns where the text ends, at most {@link NUMBER_TEXT_BYTES} behind `at`
   */
  write(numbers: Float64Array, place: number, bytes: Uint8Array, at: number): number {
    const value = numbers[place] as number;
    const magnitude = Math.abs(value);
    if (magnitude < LEAST_PLAIN || Number.isNaN(magnitude)) return this.writeAny(value, bytes, at);
    let start = at;
    if (value < 0) bytes[start++] = MINUS;
    const power = POWERS_OF_TEN[this.#guess] as number;
    const whole = Math.floor(magnitude * power + 0.5);
    if (whole <= MOST_SHORT && whole / power === magnitude) return this.writeShort(whole | 0, bytes, start);
    const scale = this.scaleOf(magnitude);
    if (scale === undefined) return this.writeAny(value, bytes, at);
    this.#guess = scale;
    this.fractionDigits = scale;
    return writeScaled(this.#whole, scale, bytes, start);
  }

  /**
   * As {@link writeScaled} of a number with as many fraction digits as are guessed, or fewer. Its digits are written here: in a loop that takes doubles, too,
   * numbers of 32 bits become doubles, and all takes a seventh longer.
   * @param whole up to `MOST_SHORT`
   */
  private writeShort(whole: number, bytes: Uint8Array, at: number): number {
    let rest = whole;
    let fractionDigits = this.#guess;
    for (; fractionDigits > 0; fractionDigits -= 1) {
      const tenth = (rest / 10) | 0;
      if (10 * tenth !== rest) break;
      rest = tenth;
    }
    // A number that ends with a zero by chance is followed by one that does not.
    this.#guess = Math.min(this.#guess, fractionDigits + 1);
    this.fractionDigits = fractionDigits;
    let digits = fractionDigits + 1;
    while (digits < SHORT_POWERS.length && rest >= (SHORT_POWERS[digits] as number)) digits += 1;
    const end = at + digits + (fractionDigits > 0 ? 1 : 0);
    let place = end;
    for (let i = 0; i < digits; i += 1) {
      if (i === fractionDigits && i > 0) bytes[--place] = POINT;
      const tenth = (rest / 10) | 0;
      bytes[--place] = ZERO + rest - 10 * tenth;
      rest = tenth;
    }
    return end;
  }

  /**
   * The fraction digits of the shortest decimal that is this double, and the decimal without its point in `#whole`. A whole number divided by a power of ten,
   * both exact, gives the double nearest to the quotient: when that is the one, the decimal is a text of it, and among those of so few digits the only one.
   * @returns `undefined` for a decimal of more digits
   */
  private scaleOf(magnitude: number): number | undefined {
    for (let scale = this.#guess; scale < POWERS_OF_TEN.length; scale += 1) {
      const power = POWERS_OF_TEN[scale] as number;
      const whole = Math.round(magnitude * power);
      if (whole >= SHORTEST_BOUND) return undefined;
      if (whole / power !== magnitude) continue;
      let digits = scale;
      for (this.#whole = whole; digits > 0 && this.#whole % 10 === 0; digits -= 1) this.#whole /= 10;
      return digits;
    }
    return undefined;
  }

  private writeAny(value: number, bytes: Uint8Array, at: number): number {
    const text = canonicalText(value);
    const point = text.indexOf('.');
    this.fractionDigits = text.includes('e') ? undefined : point < 0 ? 0 : text.length - point - 1;
    for (let i = 0; i < text.length; i += 1) bytes[at + i] = text.charCodeAt(i);
    return at + text.length;
  }
}

/** @param whole the number without its point, below 1e15 */
function writeScaled(whole: number, fractionDigits: number, bytes: Uint8Array, at: number): number {
  let digits = fractionDigits + 1;
  while (digits < POWERS_OF_TEN.length && whole >= (POWERS_OF_TEN[digits] as number)) digits += 1;
  const end = at + digits + (fractionDigits > 0 ? 1 : 0);
  let rest = whole;
  let place = end;
  for (let i = 0; i < digits; i += 1) {
    if (i === fractionDigits && i > 0) bytes[--place] = POINT;
    const tenth = rest < MOST_SHORT ? ((rest | 0) / 10) | 0 : Math.floor(rest / 10);
    bytes[--place] = ZERO + rest - 10 * tenth;
    rest = tenth;
  }
  return end;
}
