/** Most digits after the decimal sign that a figure is shown with. */
const MAX_DECIMALS = 10;

/** Counts the digits after the decimal point of a number text; `undefined` for texts with an exponent and what is no number. */
function decimalsIn(text: string): number | undefined {
  const match = /^\s*[+-]?\d*(?:\.(\d*))?\s*$/.exec(text);
  return match && /\d/.test(text) ? (match[1] ?? '').length : undefined;
}

/** Digits after the decimal sign with which all of these texts or numbers can be shown as they were measured. */
export function decimalsOf(values: readonly (string | number | undefined)[]): number {
  const counts = values.map((value) => (value === undefined ? 0 : (decimalsIn(String(value)) ?? 0)));
  return Math.min(Math.max(0, ...counts), MAX_DECIMALS);
}
