import cliProgress from 'cli-progress';

/** Where progress is shown: standard error, or what stands for it in a test. */
export interface ProgressStream extends NodeJS.WritableStream {
  isTTY?: boolean;
}

export interface ProgressOptions {
  /** What is done, for people: `Writing measurements`. */
  title: string;
  /** How much there is to do, in any unit; without it nobody knows yet. */
  total?: number | undefined;
  /** Written behind the amounts: `measurements`. */
  unit?: string;
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
export function startProgress(options: ProgressOptions): Progress {
  const { total, unit, format = String, stream = process.stderr, now = Date.now } = options;
  const amounts = { total, behind: unit === undefined ? '' : ` ${unit}`, format };
  return stream.isTTY === true ? bar(options.title, amounts, stream) : lines(options.title, amounts, stream, now);
}

interface Amounts {
  total: number | undefined;
  behind: string;
  format: (amount: number) => string;
}

function bar(title: string, { total, behind, format }: Amounts, stream: ProgressStream): Progress {
  const shown = new cliProgress.SingleBar(
    {
      stream,
      format:
        total === undefined
          ? `${title} | {value}${behind}`
          : `${title} {bar} {percentage} % | {value} of {total}${behind} | {eta_formatted} left`,
      formatValue: (value, _options, type) => (type === 'value' || type === 'total' ? format(value) : String(value)),
      // It would take Ctrl-C away from the program.
      gracefulExit: false,
    },
    cliProgress.Presets.shades_classic,
  );
  shown.start(total ?? 0, 0);
  return { advance: (amount = 1) => shown.increment(amount), stop: () => shown.stop() };
}

function lines(title: string, { total, behind, format }: Amounts, stream: ProgressStream, now: () => number): Progress {
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
