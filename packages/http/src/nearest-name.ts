/** Finds the known name that a mistyped one most likely means; `undefined` when none is near. */
export function nearestName(written: string, known: readonly string[]): string | undefined {
  const word = written.slice(0, MAX_LENGTH).toLowerCase();
  let nearest: string | undefined;
  // A third of the letters may differ.
  let least = Math.ceil(word.length / 3) + 1;
  for (const name of known) {
    const distance = editDistance(word, name.toLowerCase());
    if (distance >= least) continue;
    least = distance;
    nearest = name;
  }
  return nearest;
}

const MAX_LENGTH = 100;

/** Counts the letters to insert, remove or replace (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}
