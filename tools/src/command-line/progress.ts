import { startProgress, type Progress as StageProgress, type ProgressStream } from '@sinebar/progress';

export interface Progress {
  /** Begins a stage and ends the previous one. @param total in `unit`, where it is known */
  stage(title: string, unit: string, total?: number): void;
  advance(count: number): void;
  /** Ends the last stage. */
  done(): void;
}

export const SILENT_PROGRESS: Progress = { stage: () => undefined, advance: () => undefined, done: () => undefined };

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
