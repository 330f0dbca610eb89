import cliProgress from 'cli-progress';

/** Tells the person at the terminal how far a stage of the work is. */
export interface Progress {
  /**
   * Begins a stage; the one before it is over.
   * @param total in `unit`, where it is known
   */
  stage(title: string, unit: string, total?: number): void;
  advance(count: number): void;
  /** No stage is under way any more. */
  done(): void;
}

export const SILENT_PROGRESS: Progress = { stage: () => undefined, advance: () => undefined, done: () => undefined };

/** Between two lines where there is no terminal, milliseconds. */
const LINE_EVERY_MS = 10_000;

/** Bars on a terminal; elsewhere a line when a stage begins, one now and then, and one at its end. */
export function progressOn(stream: NodeJS.WriteStream): Progress {
  return stream.isTTY ? new Bars(stream) : new Lines(stream);
}

class Bars implements Progress {
  private readonly stream: NodeJS.WriteStream;
  private bar: cliProgress.SingleBar | undefined;
  private hasTotal = false;

  constructor(stream: NodeJS.WriteStream) {
    this.stream = stream;
  }

  stage(title: string, unit: string, total?: number): void {
    this.done();
    this.hasTotal = total !== undefined;
    const format = this.hasTotal ? `${title} [{bar}] {percentage}% {value}/{total} ${unit}` : `${title} {value} ${unit}`;
    this.bar = new cliProgress.SingleBar({ format, stream: this.stream, barsize: 30, hideCursor: true }, cliProgress.Presets.legacy);
    this.bar.start(total ?? 0, 0);
  }

  advance(count: number): void {
    this.bar?.increment(count);
  }

  done(): void {
    this.bar?.stop();
    this.bar = undefined;
  }
}

class Lines implements Progress {
  private readonly stream: NodeJS.WriteStream;
  private running: { title: string; unit: string; total: number | undefined; count: number; toldAt: number } | undefined;

  constructor(stream: NodeJS.WriteStream) {
    this.stream = stream;
  }

  stage(title: string, unit: string, total?: number): void {
    this.done();
    this.running = { title, unit, total, count: 0, toldAt: performance.now() };
    this.stream.write(`${title} …\n`);
  }

  advance(count: number): void {
    if (!this.running) return;
    this.running.count += count;
    if (performance.now() - this.running.toldAt < LINE_EVERY_MS) return;
    this.running.toldAt = performance.now();
    this.tell();
  }

  done(): void {
    if (this.running) this.tell();
    this.running = undefined;
  }

  private tell(): void {
    if (!this.running) return;
    const { title, unit, total, count } = this.running;
    this.stream.write(`${title}: ${count}${total === undefined ? '' : ` of ${total}`} ${unit}\n`);
  }
}
