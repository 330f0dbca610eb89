import { cleaned } from './texts.ts';

/** Most characters of a number text that servers accept. */
const MAX_LENGTH = 1000;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$/;
/** Most numbers: they are finite and stay as they are. */
const USUAL_NUMBER = /^-?\d{1,15}(?:\.\d{1,20})?$/;
/** Zeros that files write before the digits of an exponent. */
const LEADING_ZEROS_OF_EXPONENT = /[eE]([+-]?)0+(?=\d)/;

/**
 * Reads a number as files write it: with a decimal point or comma, and an exponent such as `E+0002`.
 * @returns the text with a point, `undefined` when it is no finite number
 */
export function readNumberText(written: string): string | undefined {
  if (USUAL_NUMBER.test(written)) return written;
  let text = cleaned(written);
  if (text.length === 0 || text.length > MAX_LENGTH) return undefined;
  if (text.includes(',') && !text.includes('.')) text = text.replace(',', '.');
  text = text.replace(LEADING_ZEROS_OF_EXPONENT, 'e$1');
  return NUMBER.test(text) && Number.isFinite(Number(text)) ? text : undefined;
}
