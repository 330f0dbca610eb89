import type { FileContent, Problem } from './content.ts';

/** Errors, and warnings, that an answer lists at most. */
const MAX_LISTED = 100;
/** Subjects of which a file is warned once, at most. */
const MAX_SUBJECTS = 10 * MAX_LISTED;

/** A warning that counts how often a file gives reason for it. */
interface Counted {
  line: number | undefined;
  key: string | undefined;
  count: number;
  message: (count: number) => string;
}

/** Collects what is wrong in a file. Lists are limited; the numbers count all. */
export class Problems {
  readonly errors: Problem[] = [];
  errorCount = 0;
  private warned = 0;
  private readonly important: Problem[] = [];
  private readonly ordinary: Problem[] = [];
  private readonly counted = new Map<string, Counted>();
  private readonly last: Problem[] = [];
  private readonly subjects = new Set<string>();

  /** Notes what would lose a measured value, or makes the file unreadable. */
  error(line: number | undefined, key: string | undefined, message: string): void {
    this.errorCount += 1;
    if (this.errors.length < MAX_LISTED) this.errors.push(problemOf(line, key, message));
  }

  /** @param isOfLimit warnings of limits, which decide what is good, are listed before all others */
  warn(line: number | undefined, key: string | undefined, message: string, isOfLimit = false): void {
    this.add(isOfLimit ? this.important : this.ordinary, problemOf(line, key, message));
  }

  /** Warns once of each `subject`, where a file would repeat the warning on many lines. */
  warnOnce(subject: string, line: number | undefined, key: string | undefined, message: string, isOfLimit = false): void {
    if (this.subjects.has(subject) || this.subjects.size >= MAX_SUBJECTS) return;
    this.subjects.add(subject);
    this.warn(line, key, message, isOfLimit);
  }

  /** Warns once of each `subject` with the number of its occurrences, behind the warnings that matter more. */
  warnCounted(subject: string, line: number | undefined, key: string | undefined, message: (count: number) => string): void {
    const known = this.counted.get(subject);
    if (known) known.count += 1;
    else if (this.counted.size < MAX_SUBJECTS) {
      this.counted.set(subject, { line, key, count: 1, message });
      this.warned += 1;
    }
  }

  /** Warns of the file as a whole, at the end of the list. */
  warnLast(message: string): void {
    this.add(this.last, problemOf(undefined, undefined, message));
  }

  /** The lists and counts as a reader returns them. */
  summary(): Pick<FileContent, 'errors' | 'warnings' | 'errorCount' | 'warningCount' | 'minorWarnings'> {
    const { errors, errorCount, warned, important, ordinary, last } = this;
    const counted = [...this.counted.values()].map(({ line, key, count, message }) => problemOf(line, key, message(count)));
    const { warnings, minorWarnings } = listed([...important, ...ordinary], [...counted, ...last], last.length);
    return { errors, warnings, errorCount, warningCount: warned, minorWarnings };
  }

  private add(list: Problem[], problem: Problem): void {
    this.warned += 1;
    if (list.length < MAX_LISTED) list.push(problem);
  }
}

/** Adds warnings of another source to those of a file, before the minor ones. */
export function addWarnings({ warnings, minorWarnings }: FileContent, further: readonly Problem[]): readonly Problem[] {
  const end = warnings.length - minorWarnings;
  return listed([...warnings.slice(0, end), ...further], warnings.slice(end), 1).warnings;
}

/** Cuts a list of warnings; the last of the minor ones are always kept. */
function listed(major: readonly Problem[], minor: readonly Problem[], kept: number): { warnings: Problem[]; minorWarnings: number } {
  const tail = minor.slice(Math.max(0, minor.length - kept));
  const head = [...major, ...minor.slice(0, minor.length - tail.length)].slice(0, MAX_LISTED - tail.length);
  return { warnings: [...head, ...tail], minorWarnings: Math.max(0, head.length - major.length) + tail.length };
}

function problemOf(line: number | undefined, key: string | undefined, message: string): Problem {
  return { ...(line !== undefined && { line }), ...(key !== undefined && { key: cutKey(key) }), message };
}

/** Most characters of a key: a damaged header row may be one name of millions. */
const MAX_KEY = 255;

function cutKey(key: string): string {
  return key.length > MAX_KEY ? `${key.slice(0, MAX_KEY)}…` : key;
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
