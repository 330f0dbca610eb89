/** Key of measurements without the attribute. */
export const NO_KEY = -1;

/** Numbers different numbers in the order in which they come; NaN is {@link NO_KEY}. */
export function numberKeys(numbers: Float64Array): Int32Array {
  const indexOf = new Map<number, number>();
  return Int32Array.from(numbers, (number) => {
    if (Number.isNaN(number)) return NO_KEY;
    let index = indexOf.get(number);
    if (index === undefined) indexOf.set(number, (index = indexOf.size));
    return index;
  });
}
