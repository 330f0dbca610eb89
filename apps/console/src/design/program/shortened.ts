/** Most entries of a list or an object, most characters of a line, and most lines that are shown. */
const MAX_ENTRIES = 2;
const MAX_LINES = 16;

/** Writes an answer as JSON that fits beside its program: of lists only the first entries, of lines only the first. */
export function shortened(answer: unknown): string {
  const lines = (JSON.stringify(cut(answer), undefined, 2) ?? '').replaceAll(/"…": "…"|"…"/g, '…').split('\n');
  return lines.length <= MAX_LINES ? lines.join('\n') : [...lines.slice(0, MAX_LINES - 1), '…'].join('\n');
}

function cut(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > MAX_ENTRIES ? [...value.slice(0, MAX_ENTRIES).map(cut), '…'] : value.map(cut);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, cut(entry)]));
}
