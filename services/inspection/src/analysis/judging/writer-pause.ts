/** Pause as a multiple of the length of the step, and the longest pause. */
const PAUSE_SHARE = 4;
const MAX_PAUSE_MS = 500;
/** Values of a step that is followed by a pause. A step over fewer takes as long as its statements. */
const MANY_VALUES = 2000;
/** Writers that have written nothing for so long rest. */
const WRITERS_REST_MS = 100;

/** Decides how long a job leaves the processors to those who write, so that they keep most of one. */
export class WriterPause {
  private readonly now: () => number;
  private writtenAt = -Infinity;
  private writtenBefore = -Infinity;

  /** @param now milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  /** Notes a commit. */
  noteCommit(): void {
    [this.writtenBefore, this.writtenAt] = [this.writtenAt, this.now()];
  }

  /** Forgets the last commit, which was one of the job itself. */
  forgetCommit(): void {
    this.writtenAt = this.writtenBefore;
  }

  /** @returns milliseconds; 0 where nobody has written during the step, or just before */
  pauseAfter({ stepMs, values }: { stepMs: number; values: number }): number {
    if (values < MANY_VALUES || this.now() - this.writtenAt > Math.max(stepMs, WRITERS_REST_MS)) return 0;
    return Math.min(PAUSE_SHARE * stepMs, MAX_PAUSE_MS);
  }
}
