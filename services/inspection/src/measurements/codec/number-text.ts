import { canonicalText } from './exact-text.ts';

/** Most bytes of a canonical number text. */
export const MAX_NUMBER_TEXT_BYTES = 25;
/** Below this bound, different decimals of up to 15 digits have different float64 values. */
const MAX_DISTINCT = 1e15;
/** ECMAScript writes smaller numbers with an exponent. */
const MIN_PLAIN = 1e-6;
/** Powers of ten that a float64 holds exactly. */
const POWERS_OF_TEN = Float64Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);
/** Largest number for which V8 uses 32-bit integer division, which is faster. */
const MAX_SHORT = 0x7fff_ffff;
const SHORT_POWERS = Int32Array.from(POWERS_OF_TEN.subarray(0, 10));
const [POINT, MINUS, ZERO] = Buffer.from('.-0') as unknown as [number, number, number];

/**
 * Writes numbers as {@link canonicalText} does. Fast for consecutive numbers with the same count of fraction digits, which measured values
 * usually have.
 */
export class NumberTextWriter {
  /** Fraction digits of the last number written; `undefined` when it has an exponent. */
  fractionDigits: number | undefined;
  private guess = 0;
  private whole = 0;

  /**
   * Writes one number of an array. It takes the array instead of the number, because V8 would allocate a heap object for each float64
   * argument.
   * @returns the end of the text, at most {@link MAX_NUMBER_TEXT_BYTES} after `at`
   */
  write(numbers: Float64Array, position: number, bytes: Uint8Array, at: number): number {
    const value = numbers[position] as number;
    const magnitude = Math.abs(value);
    if (magnitude < MIN_PLAIN || Number.isNaN(magnitude)) return this.writeAny(value, bytes, at);
    let start = at;
    if (value < 0) bytes[start++] = MINUS;
    const power = POWERS_OF_TEN[this.guess] as number;
    const whole = Math.floor(magnitude * power + 0.5);
    if (whole <= MAX_SHORT && whole / power === magnitude) return this.writeShort(whole | 0, bytes, start);
    const scale = this.scaleOf(magnitude);
    if (scale === undefined) return this.writeAny(value, bytes, at);
    this.guess = scale;
    this.fractionDigits = scale;
    return writeScaled(this.whole, scale, bytes, start);
  }

  /**
   * Writes a number with at most the guessed count of fraction digits. Its loop is separate from the one of {@link writeScaled}: a loop
   * that also sees larger numbers is compiled to float64 arithmetic, which is slower.
   * @param whole up to `MAX_SHORT`
   */
  private writeShort(whole: number, bytes: Uint8Array, at: number): number {
    let rest = whole;
    let fractionDigits = this.guess;
    for (; fractionDigits > 0; fractionDigits -= 1) {
      const tenth = (rest / 10) | 0;
      if (10 * tenth !== rest) break;
      rest = tenth;
    }
    // Lowers the guess by one digit at most: a number may end with a zero by chance.
    this.guess = Math.min(this.guess, fractionDigits + 1);
    this.fractionDigits = fractionDigits;
    let digits = fractionDigits + 1;
    while (digits < SHORT_POWERS.length && rest >= (SHORT_POWERS[digits] as number)) digits += 1;
    const end = at + digits + (fractionDigits > 0 ? 1 : 0);
    let position = end;
    for (let i = 0; i < digits; i += 1) {
      if (i === fractionDigits && i > 0) bytes[--position] = POINT;
      const tenth = (rest / 10) | 0;
      bytes[--position] = ZERO + rest - 10 * tenth;
      rest = tenth;
    }
    return end;
  }

  /**
   * Finds the fraction digits of the shortest decimal for this number, and puts the decimal without its point into `whole`. Dividing an
   * exact integer by an exact power of ten yields the float64 nearest to the quotient; if that equals the number, the quotient is its only
   * decimal with so few digits.
   * @returns `undefined` when the decimal needs more digits
   */
  private scaleOf(magnitude: number): number | undefined {
    for (let scale = this.guess; scale < POWERS_OF_TEN.length; scale += 1) {
      const power = POWERS_OF_TEN[scale] as number;
      const whole = Math.round(magnitude * power);
      if (whole >= MAX_DISTINCT) return undefined;
      if (whole / power !== magnitude) continue;
      let digits = scale;
      for (this.whole = whole; digits > 0 && this.whole % 10 === 0; digits -= 1) this.whole /= 10;
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
  let position = end;
  for (let i = 0; i < digits; i += 1) {
    if (i === fractionDigits && i > 0) bytes[--position] = POINT;
    const tenth = rest < MAX_SHORT ? ((rest | 0) / 10) | 0 : Math.floor(rest / 10);
    bytes[--position] = ZERO + rest - 10 * tenth;
    rest = tenth;
  }
  return end;
}
