import cliProgress from 'cli-progress';

/** Where progress is shown: standard error, or what stands for it in a test. */
export interface ProgressStream extends NodeJS.WritableStream {
  isTTY?: boolean;
}

export interface ProgressOptions {
  /** What is done, for people: `Writing measurements`. */
  title: string;
  /** How much there is to do, in any unit. */
  total: number;
  /** How an amount is written; default: the number. */
  format?: (amount: number) => string;
  /** Default: standard error, so that standard output stays free for results. */
  stream?: ProgressStream;
  now?: () => number;
}

/** Work that is being done. */
export interface Progress {
  /** So much more is done. */
  advance(amount?: number): void;
  /** Ends the display as it stands: at the total, or where the work broke off. */
  stop(): void;
}

const LINE_EVERY_MS = 5_000;

/** Shows how far work has got: on a terminal a bar, elsewhere a line at both ends and every five seconds between them. */
export function startProgress({ title, total, format = String, stream = process.stderr, now = Date.now }: ProgressOptions): Progress {
  return stream.isTTY === true ? bar(title, total, format, stream) : lines(title, total, format, stream, now);
}

function bar(title: string, total: number, format: (amount: number) => string, stream: ProgressStream): Progress {
  const shown = new cliProgress.SingleBar(
    {
      stream,
      format: `${title} {bar} {percentage} % | {value} of {total} | {eta_formatted} left`,
      formatValue: (value, _options, type) => (type === 'value' || type === 'total' ? format(value) : String(value)),
      // It would take Ctrl-C away from the program.
      gracefulExit: false,
    },
    cliProgress.Presets.shades_classic,
  );
  shown.start(total, 0);
  return { advance: (amount = 1) => shown.increment(amount), stop: () => shown.stop() };
}

function lines(title: string, total: number, format: (amount: number) => string, stream: ProgressStream, now: () => number): Progress {
  let done = 0;
  let shown = -1;
  let saidAt = now();
  const say = () => {
    if (shown === done) return;
    shown = done;
    saidAt = now();
    stream.write(`${title}: ${format(done)} of ${format(total)}\n`);
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
