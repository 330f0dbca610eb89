/** The most decimal places that a figure is shown with. */
const MAX_DECIMALS = 8;

/** Returns the decimal places that values were measured with: the most that one of them has. */
export function decimalsOf(values: Iterable<number | undefined>): number {
  let most = 0;
  for (const value of values) {
    if (value === undefined || !Number.isFinite(value)) continue;
    most = Math.max(most, decimalsOfOne(value));
  }
  return Math.min(most, MAX_DECIMALS);
}

function decimalsOfOne(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const fraction = digits.split('.')[1]?.length ?? 0;
  return Math.max(0, fraction - Number(exponent));
}
