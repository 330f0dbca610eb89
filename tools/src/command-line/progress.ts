import { startProgress, type Progress as StageProgress, type ProgressStream } from '@sinebar/progress';

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

/** One display for each stage. */
export function progressOn(stream: ProgressStream): Progress {
  let running: StageProgress | undefined;
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
