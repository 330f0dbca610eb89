/** Characters of a beginning that is worth shortening. */
const MIN_COMMON = 12;

/** Index of the first word in which a name differs from others; 0 where they share little. */
export function toldFrom(name: string, others: readonly (string | undefined)[]): number {
  const shared = Math.max(0, ...others.map((other) => (other === undefined || other === name ? 0 : sharedLength(name, other))));
  const word = name.lastIndexOf(' ', shared - 1) + 1;
  return word < MIN_COMMON ? 0 : word;
}

/** Index of the first word of the last ones that are this long together; 0 for a name that is not longer. */
export function lastWordsFrom(name: string, length: number): number {
  return name.length <= length ? 0 : name.indexOf(' ', name.length - length - 1) + 1;
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
