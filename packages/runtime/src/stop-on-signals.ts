import type { Shutdown } from '@sinebar/concurrency';

/**
 * Time within which repeated signals count as one Ctrl-C, milliseconds.
 * The terminal sends it to every process of the group, and npm and the start script each forward theirs.
 */
const SAME_PRESS_MS = 500;

export interface SignalSource {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
}

/** Stops in phases at Ctrl-C, SIGTERM or SIGHUP; a second Ctrl-C or SIGTERM exits at once. */
export function stopOnSignals(
  shutdown: Pick<Shutdown, 'run'>,
  exit: (code: number) => void,
  { signals = process, nowMs = () => performance.now() }: { signals?: SignalSource; nowMs?: () => number } = {},
): void {
  let firstMs: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    signals.on(signal, () => {
      const now = nowMs();
      if (firstMs === undefined) {
        firstMs = now;
        void shutdown.run(signal).then((clean) => exit(clean ? 0 : 1));
      } else if (signal !== 'SIGHUP' && now - firstMs > SAME_PRESS_MS) {
        exit(130);
      }
    });
  }
}
