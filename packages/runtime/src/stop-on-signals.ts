import type { Shutdown } from '@sinebar/concurrency';

/**
 * Time within which repeated signals count as one Ctrl-C, milliseconds.
 * The terminal sends it to every process of the group, and npm and the start script each forward theirs.
 */
const SAME_PRESS_MS = 500;

/** A process that ends by signals, such as `process`. */
export interface StoppableProcess {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  exit(code: number): void;
}

/** Stops in phases at Ctrl-C, SIGTERM or SIGHUP; a second Ctrl-C or SIGTERM exits at once. */
export function stopOnSignals(
  stopped: StoppableProcess,
  shutdown: Pick<Shutdown, 'run'>,
  nowMs: () => number = () => performance.now(),
): void {
  let firstMs: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    stopped.on(signal, () => {
      const now = nowMs();
      if (firstMs === undefined) {
        firstMs = now;
        void shutdown.run(signal).then((clean) => stopped.exit(clean ? 0 : 1));
      } else if (signal !== 'SIGHUP' && now - firstMs > SAME_PRESS_MS) {
        stopped.exit(130);
      }
    });
  }
}
