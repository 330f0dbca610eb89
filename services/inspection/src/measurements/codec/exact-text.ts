import { fitsDouble } from '@sinebar/query-language';

/** Byte of `measurement.digits` for a canonical text, and for a position without a value. */
export const CANONICAL = 255;
/** Byte of `measurement.digits` for a text that is stored in `measurement.extras`. */
export const IN_EXTRAS = 254;
/** Most fraction digits that a byte of `measurement.digits` stands for. */
const MAX_FRACTION_DIGITS = 60;

/** Number texts without superfluous zeros before the point: whole part and fraction. */
const USUAL_TEXT = /^-?(0|[1-9]\d*)(?:\.(\d+))?$/;
/** A float64 gives back this many decimal digits. */
const MAX_SAFE_DIGITS = 15;
/** Smaller numbers have an exponent in their canonical text. */
const MIN_WITHOUT_EXPONENT = 1e-6;

/** A number text in the form in which it is stored. */
export interface ExactNumber {
  /** The float64 nearest to the text. */
  value: number;
  /** {@link CANONICAL}, {@link IN_EXTRAS}, or the number of fraction digits written. */
  digits: number;
}

/**
 * Encodes the text of a Float without loss. Where `digits` is {@link IN_EXTRAS}, the text itself has to be stored too.
 * @returns `undefined` when the text is no number or its nearest float64 is not finite. spec: decisions.md 2.1
 */
export function encodeExactText(text: string): ExactNumber | undefined {
  const usual = text.length <= MAX_SAFE_DIGITS ? USUAL_TEXT.exec(text) : null;
  if (usual) {
    const value = Number(text);
    const fraction = usual[2] ?? '';
    // Digits that a float64 keeps are those of its canonical text, but for zeros at the end.
    if (value === 0 || Math.abs(value) >= MIN_WITHOUT_EXPONENT) {
      return { value, digits: fraction === '' || !fraction.endsWith('0') ? CANONICAL : fraction.length };
    }
  }
  if (!fitsDouble(text)) return undefined;
  const value = Number(text);
  const canonical = canonicalText(value);
  if (text === canonical) return { value, digits: CANONICAL };
  const point = text.indexOf('.');
  const fractionDigits = point < 0 ? 0 : text.length - point - 1;
  const padded = fractionDigits <= MAX_FRACTION_DIGITS && withFractionDigits(canonical, fractionDigits) === text;
  return { value, digits: padded ? fractionDigits : IN_EXTRAS };
}

/**
 * Decodes the text that the client sent.
 * @param digits its byte of `measurement.digits`
 * @param text the text in `measurement.extras` for {@link IN_EXTRAS}
 */
export function decodeExactText(value: number, digits: number = CANONICAL, text?: string): string {
  if (digits === IN_EXTRAS) {
    if (text === undefined) throw new Error('the text of a measured value is missing');
    return text;
  }
  const canonical = canonicalText(value);
  return digits === CANONICAL ? canonical : withFractionDigits(canonical, digits);
}

/** ECMAScript's text of a float64, with the sign of a negative zero. */
export function canonicalText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Pads a number text with zeros after its point; a text with an exponent or with more digits stays unchanged. */
function withFractionDigits(canonical: string, fractionDigits: number): string {
  if (fractionDigits === 0 || canonical.includes('e')) return canonical;
  const point = canonical.indexOf('.');
  if (point < 0) return `${canonical}.${'0'.repeat(fractionDigits)}`;
  return canonical.padEnd(point + 1 + fractionDigits, '0');
}
