import cliProgress from 'cli-progress';

/** Stream that shows progress: standard error, or a replacement in tests. */
export interface ProgressStream extends NodeJS.WritableStream {
  isTTY?: boolean;
}

export interface ProgressOptions {
  /** Name of the work: `Writing measurements`. */
  title: string;
  /** Total amount, in any unit; undefined while it is unknown. */
  total?: number | undefined;
  /** Unit behind the amounts: `measurements`. */
  unit?: string;
  /** Formats an amount; default: the number. */
  format?: (amount: number) => string;
  /** Output stream; default: standard error, so that standard output stays free for results. */
  stream?: ProgressStream;
  now?: () => number;
}

/** Progress display of one piece of work. */
export interface WorkProgress {
  /** Adds an amount to the finished work. */
  advance(amount?: number): void;
  /** Ends the display at its current state: at the total, or where the work failed. */
  stop(): void;
}

const LINE_EVERY_MS = 5_000;

/** Shows the progress of work: a bar on a terminal, elsewhere a line at both ends and every five seconds between. */
export function startProgress(options: ProgressOptions): WorkProgress {
  const { total, unit, format = String, stream = process.stderr, now = Date.now } = options;
  const amounts = { total, behind: unit === undefined ? '' : ` ${unit}`, format };
  return stream.isTTY === true ? bar(options.title, amounts, stream) : lines(options.title, amounts, stream, now);
}

interface Amounts {
  total: number | undefined;
  behind: string;
  format: (amount: number) => string;
}

function bar(title: string, { total, behind, format }: Amounts, stream: ProgressStream): WorkProgress {
  const shown = new cliProgress.SingleBar(
    {
      stream,
      format:
        total === undefined
          ? `${title} | {value}${behind}`
          : `${title} {bar} {percentage} % | {value} of {total}${behind} | {eta_formatted} left`,
      formatValue: (value, _options, type) => (type === 'value' || type === 'total' ? format(value) : String(value)),
      // The option would intercept Ctrl-C of the program.
      gracefulExit: false,
    },
    cliProgress.Presets.shades_classic,
  );
  shown.start(total ?? 0, 0);
  return { advance: (amount = 1) => shown.increment(amount), stop: () => shown.stop() };
}

function lines(title: string, { total, behind, format }: Amounts, stream: ProgressStream, now: () => number): WorkProgress {
  let done = 0;
  let shown = -1;
  let saidAt = now();
  const say = () => {
    if (shown === done) return;
    shown = done;
    saidAt = now();
    stream.write(`${title}: ${format(done)}${total === undefined ? '' : ` of ${format(total)}`}${behind}\n`);
  };
  say();
  return {
    advance: (amount = 1) => {
      done += amount;
      if (now() - saidAt >= LINE_EVERY_MS) say();
    },
    stop: say,
  };
}

export interface Progress {
  /** Begins a stage and ends the previous one. @param total in `unit`, where it is known */
  stage(title: string, unit: string, total?: number): void;
  advance(count: number): void;
  /** Ends the last stage. */
  done(): void;
}

export const SILENT_PROGRESS: Progress = { stage: () => undefined, advance: () => undefined, done: () => undefined };

export function progressOn(stream: ProgressStream): Progress {
  let running: WorkProgress | undefined;
  const done = () => {
    running?.stop();
    running = undefined;
  };
  return {
    stage: (title, unit, total) => {
      done();
      running = startProgress({ title, total, unit, stream });
    },
    advance: (count) => running?.advance(count),
    done,
  };
}
