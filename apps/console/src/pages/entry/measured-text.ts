/** What was typed, scanned or sent by a gauge: nothing, a number with its text for the interface, or something else. */
export type MeasuredText = { kind: 'empty' } | { kind: 'number'; text: string; value: number } | { kind: 'nonsense' };

const NUMBER = /^([+-]?)(\d*)(?:[.,](\d*))?(e[+-]?\d+)?$/i;
/** Both separators: the one of thousands stands before each three digits. */
const THOUSANDS = /^[+-]?\d{1,3}(?:\.\d{3})+,\d+$|^[+-]?\d{1,3}(?:,\d{3})+\.\d+$/;

/**
 * Reads a measured value with point or comma; a unit behind it is left out when it is that of the characteristic.
 * Unlike in other fields, nothing is guessed: two values that ran together are no number.
 */
export function readMeasured(typed: string, unit = ''): MeasuredText {
  const tidy = withoutUnit(typed.trim(), unit).replace('\u2212', '-');
  if (tidy === '') return { kind: 'empty' };
  const plain = THOUSANDS.test(tidy) ? withoutThousands(tidy) : tidy;
  const [, sign = '', whole = '', fraction = '', exponent = ''] = NUMBER.exec(plain) ?? [];
  if (whole === '' && fraction === '') return { kind: 'nonsense' };
  const text = `${sign === '-' ? '-' : ''}${whole.replace(/^0+(?=\d)/, '') || '0'}${fraction === '' ? '' : `.${fraction}`}${exponent}`;
  const value = Number(text);
  return Number.isFinite(value) ? { kind: 'number', text, value } : { kind: 'nonsense' };
}

function withoutUnit(text: string, unit: string): string {
  const isThere = unit !== '' && text.toLowerCase().endsWith(unit.toLowerCase());
  return isThere ? text.slice(0, -unit.length).trimEnd() : text;
}

function withoutThousands(text: string): string {
  const decimal = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  return text.slice(0, decimal).replace(/[.,]/g, '') + text.slice(decimal);
}
