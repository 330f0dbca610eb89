import { BackgroundLoop } from '@sinebar/concurrency';
import type { Logger } from '../logger.ts';
import type { Spool } from './spool.ts';

const INTERVAL_MS = 60_000;

export interface SpoolUpkeep {
  /** Removes the files of ended processes. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Keeps the files of this process in a shared spool folder, and removes those of ended processes, such as a replaced container. */
export function spoolUpkeep(spool: Spool, now: () => Date, log: Pick<Logger, 'warn'>): SpoolUpkeep {
  const loop = new BackgroundLoop({
    step: async () => {
      await spool.touch(now());
      await spool.prepare(now());
      return 'nothing';
    },
    intervalMs: INTERVAL_MS,
    onFailure: (error) =>
      log.warn({ err: error }, 'files of ended processes could not be removed from the spool folder; it is tried again in a minute'),
  });
  return {
    start: async () => {
      await spool.prepare(now());
      if (spool.isShared) loop.start();
    },
    stop: () => loop.stop(),
  };
}
