import { fork, type ChildProcess } from 'node:child_process';
import { ServiceError } from '@sinebar/contracts';
import type { ImageJob, ImageLimits, ImageOutcome } from './image-job.ts';

/** The process ended during a job: the image needed too much memory, or crashed the library. */
export class ImageProcessEnded extends Error {
  override readonly name = 'ImageProcessEnded';
}

/** The job exceeded its time limit, and the process was ended. */
export class ImageTookTooLong extends Error {
  override readonly name = 'ImageTookTooLong';
}

const HEAP_MIB = 64;

/** Runs one image process, one job at a time. */
export class ImageWorker {
  private readonly child: ChildProcess;
  private readonly limits: ImageLimits;
  private ended = false;

  constructor(script: URL, limits: ImageLimits) {
    this.limits = limits;
    this.child = fork(script, [JSON.stringify(limits)], {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${HEAP_MIB}`],
      // A compromised process must find no secrets in its environment.
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.child.once('exit', () => (this.ended = true));
    // A running job receives the error too; without a listener the error would end this process.
    this.child.on('error', () => this.kill());
  }

  get isUsable(): boolean {
    return !this.ended;
  }

  /** @throws ImageProcessEnded, ImageTookTooLong; ServiceError `Unavailable` when no process can be started; the signal's reason */
  run(job: ImageJob, signal: AbortSignal): Promise<ImageOutcome> {
    const { child } = this;
    return new Promise<ImageOutcome>((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        child.off('message', onMessage).off('exit', onExit).off('error', onError);
        signal.removeEventListener('abort', onAbort);
        settle();
      };
      const fail = (error: Error) => {
        this.kill();
        end(() => reject(error));
      };
      const onMessage = (outcome: unknown) => end(() => resolve(outcome as ImageOutcome));
      const onExit = () => fail(new ImageProcessEnded('the image process ended'));
      const onError = (cause: Error) =>
        fail(
          new ServiceError('Unavailable', 'No process for images can be started. Try again in a few seconds.', {
            retryAfterSeconds: 10,
            cause,
          }),
        );
      const onAbort = () => fail(signal.reason as Error);
      const timer = setTimeout(() => fail(new ImageTookTooLong('the image took too long')), this.limits.timeMs);
      child.on('message', onMessage).on('exit', onExit).on('error', onError);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      else if (this.ended) onExit();
      else child.send(job, (error) => error && onExit());
    });
  }

  kill(): void {
    this.ended = true;
    this.child.kill('SIGKILL');
  }
}
