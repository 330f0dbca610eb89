import { BackgroundLoop } from '@sinebar/concurrency';
import type { Logger } from '@sinebar/runtime';
import type { Spool } from './spool.js';

const INTERVAL_MS = 60_000;

/** Keeps the files of this process in a shared spool folder, and removes those of ended processes, such as a replaced container. */
export function spoolUpkeep(spool: Spool, now: () => Date, log: Logger): BackgroundLoop {
  return new BackgroundLoop({
    step: async () => {
      await spool.touch(now());
      await spool.prepare(now(), true);
      return 'nothing';
    },
    intervalMs: INTERVAL_MS,
    onFailure: (error) =>
      log.warn({ err: error }, 'files of ended processes could not be removed from the spool folder; it is tried again in a minute'),
  });
}
