import { BackgroundLoop } from '@sinebar/concurrency';
import { diskMetrics, type ComposedService, type Logger, type Metrics } from '@sinebar/runtime';
import { sentenceOf } from '../../command-line/command.ts';
import { listBackups } from './backup-folder.ts';
import type { MadeBackup } from './make-backup.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const RETRY_MS = 15 * MINUTE_MS;

export interface BackupScheduleOptions {
  folder: string;
  /** Minutes after midnight, UTC. */
  minuteOfDay: number;
  /** Folders on the disks to observe, by name. */
  disks: Readonly<Record<string, string>>;
  makeBackup: (signal: AbortSignal) => Promise<MadeBackup>;
  now: () => Date;
  log: Logger;
}

/** Returns the last time at which a backup should have begun. */
export function lastDue(now: Date, minuteOfDay: number): Date {
  const offset = minuteOfDay * MINUTE_MS;
  return new Date(Math.floor((now.getTime() - offset) / DAY_MS) * DAY_MS + offset);
}

/**
 * Makes a backup each day, also a late one after a time at which nothing ran, and tries a failed one again after a quarter of an hour.
 * Its metrics tell the age of the newest backup and the space on the disks.
 */
export function scheduleBackups(options: BackupScheduleOptions): ComposedService {
  const { folder, minuteOfDay, makeBackup, now, log } = options;
  const state: { failure: string | undefined } = { failure: undefined };
  const loop = new BackgroundLoop({
    intervalMs: MINUTE_MS,
    retryMs: () => RETRY_MS,
    step: async (signal) => {
      const newest = (await listBackups(folder)).at(-1);
      if (newest && newest.created >= lastDue(now(), minuteOfDay)) return 'nothing';
      const { path, manifest, removed } = await makeBackup(signal);
      state.failure = manifest.missing.length === 0 ? undefined : `${manifest.missing.length} files of the newest backup were lost before.`;
      log.info({ path, files: manifest.files.count, removed }, 'made a backup');
      return 'nothing';
    },
    onFailure: (error) => {
      state.failure = sentenceOf(error);
      log.error({ reason: state.failure }, 'a backup failed and is tried again after a quarter of an hour');
    },
  });
  return {
    name: 'backup',
    routes: [],
    start: () => Promise.resolve(loop.start()),
    stop: () => loop.stop(),
    observe: (metrics) => observeBackups(metrics, options, () => state.failure !== undefined),
    // A failed backup is an alert: it must not make the container unhealthy.
    health: () => Promise.resolve([{ name: 'backup', healthy: true, detail: state.failure ?? 'no failure since the start' }]),
  };
}

function observeBackups(metrics: Metrics, { folder, disks }: BackupScheduleOptions, hasFailed: () => boolean): void {
  metrics.gauge(
    { name: 'sinebar_backup_newest_timestamp_seconds', help: 'Time of the state that the newest scheduled backup holds; 0 without one' },
    async (set) => set(((await listBackups(folder)).at(-1)?.created.getTime() ?? 0) / 1000),
  );
  metrics.gauge({ name: 'sinebar_backup_failed', help: '1 while the last attempt to make a backup has failed' }, (set) =>
    set(hasFailed() ? 1 : 0),
  );
  diskMetrics(metrics, { ...disks, backup: folder });
}
