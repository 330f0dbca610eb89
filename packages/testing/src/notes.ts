import { appendFileSync } from 'node:fs';

/** Tells that a suite is skipped and why; the summary of the run repeats it (scripts/jest/summary-reporter.mjs). */
export function noteSkip(reason: string, suite: string): void {
  note(`SKIPPED (${reason}): ${suite}`);
}

/** Prints a measured figure, which the summary of the run repeats. */
export function reportFigures(text: string): void {
  note(`FIGURES ${text}`);
}

function note(line: string): void {
  // `console.warn` is not used: the test runner would add a stack trace and hide the line.
  process.stderr.write(`${line}\n`);
  const file = process.env['JEST_NOTES'];
  if (file) appendFileSync(file, `${line}\n`);
}
