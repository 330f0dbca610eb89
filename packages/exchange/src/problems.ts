import type { Problem } from './content.js';

/** Errors, and warnings, that an answer lists at most. */
export const MAX_LISTED = 100;

/** Collects what is wrong in a file. Lists are limited; the numbers count all. */
export class Problems {
  readonly errors: Problem[] = [];
  readonly warnings: Problem[] = [];
  errorCount = 0;
  warningCount = 0;
  private readonly warned = new Set<string>();

  /** Notes what would lose a measured value, or makes the file unreadable. */
  error(line: number | undefined, key: string | undefined, message: string): void {
    this.errorCount += 1;
    if (this.errors.length < MAX_LISTED) this.errors.push(problemOf(line, key, message));
  }

  warn(line: number | undefined, key: string | undefined, message: string): void {
    this.warningCount += 1;
    if (this.warnings.length < MAX_LISTED) this.warnings.push(problemOf(line, key, message));
  }

  /** Warns once of each `subject`, where a file would repeat the warning on many lines. */
  warnOnce(subject: string, line: number | undefined, key: string | undefined, message: string): void {
    if (this.warned.has(subject) || this.warned.size >= 10 * MAX_LISTED) return;
    this.warned.add(subject);
    this.warn(line, key, message);
  }
}

function problemOf(line: number | undefined, key: string | undefined, message: string): Problem {
  return { ...(line !== undefined && { line }), ...(key !== undefined && { key }), message };
}

const SHOWN = 60;

/** Quotes text of a file for a message: cut, and with visible control characters. */
export function shown(text: string): string {
  const cut = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return JSON.stringify(cut);
}

/** A file that cannot be read on; the message says where and why. */
export class UnreadableFileError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}
