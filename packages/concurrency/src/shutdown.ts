import { withTimeout } from './waiting.ts';

/** Receives the steps of the shutdown, such as a pino logger. */
export interface ShutdownLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Order: no new work, running work ends, connections to backing services close. */
export const SHUTDOWN_PHASES = ['announce', 'accept', 'drain', 'work', 'backing'] as const;
export type ShutdownPhase = (typeof SHUTDOWN_PHASES)[number];

interface Step {
  phase: ShutdownPhase;
  name: string;
  deadlineMs: number;
  run: () => Promise<void>;
}

/** Stops a process in phases, each step with a deadline; a step that fails or hangs is logged and does not block the rest. */
export class Shutdown {
  /** Whether the shutdown has begun. */
  started = false;
  private readonly steps: Step[] = [];
  private running: Promise<boolean> | undefined;
  private readonly log: ShutdownLog;

  constructor(log: ShutdownLog) {
    this.log = log;
  }

  add(phase: ShutdownPhase, name: string, deadlineMs: number, run: () => Promise<void>): void {
    this.steps.push({ phase, name, deadlineMs, run });
  }

  /** @returns whether every step ended by itself; a second call returns the same run. */
  run(reason: string): Promise<boolean> {
    this.started = true;
    this.running ??= this.runPhases(reason);
    return this.running;
  }

  private async runPhases(reason: string): Promise<boolean> {
    this.log.info({ reason }, 'stopping');
    let clean = true;
    for (const phase of SHUTDOWN_PHASES) {
      const results = await Promise.all(this.steps.filter((step) => step.phase === phase).map((step) => this.runStep(step)));
      clean &&= results.every(Boolean);
    }
    this.log.info({ clean }, 'stopped');
    return clean;
  }

  private async runStep(step: Step): Promise<boolean> {
    const { deadlineMs } = step;
    try {
      await withTimeout(step.run(), deadlineMs, () => new Error(`not done after ${deadlineMs} ms`));
      return true;
    } catch (error) {
      this.log.error({ err: error, phase: step.phase, step: step.name }, 'a step of the shutdown failed');
      return false;
    }
  }
}
