/** Operators by colour; the library converts a colour at each use, to numbers of 17 digits. */
const known = new Map<string, string>();

/** Operator that sets the colour of areas and texts. @param color such as `#14171a` */
export function fillOperator(color: string): string {
  return operatorOf(color, 'rg');
}

/** Operator that sets the colour of lines. @param color such as `#14171a` */
export function strokeOperator(color: string): string {
  return operatorOf(color, 'RG');
}

function operatorOf(color: string, operator: 'rg' | 'RG'): string {
  const key = `${color} ${operator}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = `${numbersOf(color)} ${operator}`;
  known.set(key, made);
  return made;
}

/** Three numbers from 0 to 1. @throws Error for another notation */
function numbersOf(color: string): string {
  if (!/^#[\da-f]{6}$/i.test(color)) throw new Error(`not a colour of six hexadecimal digits: ${color}`);
  return [1, 3, 5].map((at) => String(Math.round((Number.parseInt(color.slice(at, at + 2), 16) / 255) * 1000) / 1000)).join(' ');
}
