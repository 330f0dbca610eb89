/** Prints figures of a test for the table of the long runs (scripts/long-runs.mjs). */
export function reportFigures(text: string): void {
  process.stderr.write(`FIGURES ${text}\n`);
}

/** Formats `{ acknowledged: 3, readsBroken: 0 }` as `3 acknowledged, 0 readsBroken`. */
export function figuresOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}
