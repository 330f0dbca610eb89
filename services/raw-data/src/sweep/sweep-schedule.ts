import { BackgroundLoop } from '@sinebar/concurrency';
import type { Database } from '@sinebar/database';
import type { Logger } from '@sinebar/runtime';
import { PartMirrorStore } from '../targets/part-mirror-store.ts';
import { ThumbnailStore } from '../thumbnails/thumbnail-store.ts';
import type { SweepService } from './sweep-service.ts';

export interface SweepScheduleDependencies {
  database: Database;
  sweep: SweepService;
  removeOrphans: boolean;
  log: Logger;
}

const HOUR_MS = 3600 * 1000;
/** Longest time between storing the bytes of an upload and its row. */
const OLDER_THAN_MS = 24 * HOUR_MS;
/** Lifetime of the marks of deleted parts: uploads that started before the deletion run for minutes, not days. */
const KEEP_MARKS_MS = 7 * 24 * HOUR_MS;
/** Most objects to remove at the start: a crash leaves at most one for each running upload. */
const MAX_CRASH_LEFTOVERS = 64;
const CRASH_AGE_MS = HOUR_MS;
const STATEMENT_TIMEOUT_MS = 60_000;

/** Cleans up at the start and every hour, on one replica. */
export class SweepSchedule {
  private readonly deps: SweepScheduleDependencies;
  private readonly loop: BackgroundLoop;

  constructor(deps: SweepScheduleDependencies) {
    this.deps = deps;
    this.loop = new BackgroundLoop({
      step: async (signal) => {
        await this.runIfDue(signal);
        return 'nothing';
      },
      intervalMs: HOUR_MS,
      onFailure: (error) =>
        deps.log.warn({ err: error }, 'the store for files could not be compared with the database; it is tried again in an hour'),
    });
  }

  start(): void {
    this.loop.start();
  }

  /**
   * Removes the objects of uploads that a crash interrupted, before new uploads run.
   * Removes only {@link MAX_CRASH_LEFTOVERS}: with a new or restored database most objects seem to have no row.
   */
  async removeCrashLeftovers(): Promise<void> {
    const { sweep, log } = this.deps;
    const options = { olderThanMs: 0, youngerThanMs: CRASH_AGE_MS, signal: this.loop.signal };
    await sweep.hastenRemovals(options);
    const found = await sweep.sweep({ ...options, delete: false });
    if (found.orphans.count === 0) return;
    const plausible = found.checkedRows > 0 && found.orphans.count <= MAX_CRASH_LEFTOVERS;
    if (plausible) await sweep.sweep({ ...options, delete: true });
    log.warn({ orphans: found.orphans, removed: plausible }, 'the file store holds recent objects without a file');
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async runIfDue(signal: AbortSignal): Promise<void> {
    const { database, log, sweep, removeOrphans } = this.deps;
    const due = await database.write({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, async (session) => {
      await new PartMirrorStore(session).forgetDeletions(KEEP_MARKS_MS);
      // A replica of an older release deletes files without their thumbnails.
      await new ThumbnailStore(session).removeUnused();
      return session.query(
        `UPDATE sweep_run SET at = statement_timestamp() WHERE at < statement_timestamp() - $1 * interval '1 millisecond' RETURNING at`,
        [HOUR_MS / 2],
      );
    });
    if (due.length === 0) return;
    const report = await sweep.sweep({ olderThanMs: OLDER_THAN_MS, delete: removeOrphans, signal });
    if (report.missing.count > 0) log.error(report, 'files are lost: their bytes are not in the file store');
    else if (report.orphans.count > 0) log.warn({ ...report, removed: removeOrphans }, 'the file store holds objects without a file');
    else log.info({ checkedObjects: report.checkedObjects }, 'the file store agrees with the database');
  }
}
