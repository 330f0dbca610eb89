import type { Database } from '@sinebar/database';
import { spoolMetrics, type Metrics, type Spool } from '@sinebar/runtime';
import type { BlobRemovalWorker } from './blobs/blob-removal-worker.ts';
import type { FollowLag } from './follow/follow-lag.ts';
import type { ObjectService } from './objects/object-service.ts';
import type { UploadService } from './uploads/upload-service.ts';

export interface ObservedRawData {
  database: Database;
  spool: Pick<Spool, 'usage' | 'quotaBytes' | 'folder'>;
  uploads: Pick<UploadService, 'storedBytes'>;
  objects: Pick<ObjectService, 'readBytes'>;
  removals: Pick<BlobRemovalWorker, 'removedCount' | 'failureCount'>;
  lag: Pick<FollowLag, 'lagMs' | 'followed'>;
}

const TIMEOUT_MS = 2000;

/** Registers the metrics of files, uploads, removals and the part mirror. */
export function rawDataMetrics(metrics: Metrics, { database, spool, uploads, objects, removals, lag }: ObservedRawData): void {
  metrics.count({ name: 'sinebar_blob_written_bytes_total', help: 'Bytes of files that were stored' }, (set) => set(uploads.storedBytes));
  metrics.count({ name: 'sinebar_blob_read_bytes_total', help: 'Bytes of files that were read from their store for clients' }, (set) =>
    set(objects.readBytes),
  );
  metrics.gauge({ name: 'sinebar_uploads_in_progress', help: 'Bodies of files that are being received' }, (set) =>
    set(spool.usage.receiving),
  );
  spoolMetrics(metrics, 'raw-data', spool);
  metrics.count({ name: 'sinebar_blobs_removed_total', help: 'Stored objects removed after their files were deleted' }, (set) =>
    set(removals.removedCount),
  );
  const labels = ['service', 'task'];
  metrics.count({ name: 'sinebar_background_failures_total', help: 'Failures of background jobs', labels }, (set) =>
    set(removals.failureCount, { service: 'raw-data', task: 'blob removal' }),
  );
  metrics.gauge(
    {
      name: 'sinebar_background_backlog',
      help: 'What background jobs have still to do: operations, measurements, attributes, sets',
      labels,
    },
    async (set) => set(await dueRemovals(database), { service: 'raw-data', task: 'blob removal' }),
  );
  metrics.gauge({ name: 'sinebar_mirror_lag_seconds', help: 'How far the copy of the parts is behind the event stream, seconds' }, (set) =>
    set(lag.lagMs() / 1000),
  );
  metrics.gauge({ name: 'sinebar_mirror_position', help: 'Sequence of the last message that the copy of the parts holds' }, (set) => {
    if (lag.followed !== undefined) set(lag.followed);
  });
}

/** Counts the removals that are due, and those that wait for another attempt: the due time of these lies ahead. */
async function dueRemovals(database: Database): Promise<number> {
  const options = { signal: AbortSignal.timeout(TIMEOUT_MS), statementTimeoutMs: TIMEOUT_MS };
  const [row] = await database.read(options, (session) =>
    session.query<{ due: number }>('SELECT count(*)::float8 AS due FROM blob_removal WHERE due <= statement_timestamp() OR attempts > 0'),
  );
  return row?.due ?? 0;
}
