import { removeUnusedThumbnails } from './thumbnails/thumbnail-store.ts';
import type { Database } from '@sinebar/database';
import type { Bus, Subscription } from '@sinebar/message-bus';
import {
  databaseMetrics,
  MAX_DRAWING_PIXELS,
  spoolUpkeep,
  streamMetrics,
  type ComposedService,
  type HealthCheck,
  type Logger,
  type Spool,
} from '@sinebar/runtime';
import { archiveLimits, type RawDataSettings } from './config.ts';
import { ArchiveReader } from './archives/archive-reader.ts';
import { archiveRoutes } from './archives/archive-routes.ts';
import { ArchiveService } from './archives/archive-service.ts';
import { answerDrawingRequests } from './drawings/drawing-responder.ts';
import { BlobRemovalWorker } from './blobs/blob-removal-worker.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { ChangeApplier } from './follow/change-applier.ts';
import { FollowLag } from './follow/follow-lag.ts';
import { MirrorRefill } from './follow/mirror-refill.ts';
import { PartFollower } from './follow/part-follower.ts';
import { informationRoutes } from './information/information-routes.ts';
import { interfaceRoutes } from './server/interface-routes.ts';
import { CurrentPaths } from './objects/current-paths.ts';
import { deleteRoutes } from './objects/delete-routes.ts';
import { downloadRoutes } from './objects/download-routes.ts';
import { ObjectService } from './objects/object-service.ts';
import { SweepSchedule } from './sweep/sweep-schedule.ts';
import { SweepService } from './sweep/sweep-service.ts';
import { TargetResolver } from './targets/target-resolver.ts';
import { IMAGE_LIMITS, PDF_SCRIPT, ThumbnailMaker } from './thumbnails/thumbnail-maker.ts';
import { thumbnailRoutes } from './thumbnails/thumbnail-routes.ts';
import { ThumbnailService } from './thumbnails/thumbnail-service.ts';
import { uploadRoutes } from './uploads/upload-routes.ts';
import { UploadService } from './uploads/upload-service.ts';
import { rawDataMetrics } from './metrics.ts';

export interface RawDataDependencies {
  /** Database with an up-to-date schema (`rawDataMigrations`) and a running outbox relay. */
  database: Database;
  bus: Bus;
  blobs: BlobStore;
  /** Unfinished uploads; on the file system of a `FileBlobStore` a finished upload is renamed instead of copied. */
  spool: Spool;
  /** Whether no other process writes to the store: the start then removes the files of a crash. */
  soleOwner: boolean;
  settings: RawDataSettings;
  /** Version of the server, for the service information. */
  version: string;
  log: Logger;
  /** Clock for the ages of stored bytes; times of files come from the database. */
  now: () => Date;
}

const PING_TIMEOUT_MS = 2000;

/** Composes the raw-data service from its dependencies; it opens no port and starts nothing. */
export function composeRawData(deps: RawDataDependencies): ComposedService {
  const { database, bus, blobs, spool, settings, log, now, soleOwner } = deps;
  const md5Format = settings.SINEBAR_MD5_FORMAT;
  const rules = { allowedFileNames: settings.SINEBAR_ALLOWED_FILE_NAMES, maxFileBytes: settings.SINEBAR_MAX_FILE_BYTES || undefined };
  const resolver = new TargetResolver(bus);
  const removals = new BlobRemovalWorker({ database, blobs, log, onRemoved: removeUnusedThumbnails });
  const onRemovalOrdered = () => removals.wake();

  const lag = new FollowLag({ database, bus, maxAgeMs: settings.SINEBAR_PART_PATHS_MAX_AGE_S * 1000 });
  const paths = new CurrentPaths({ resolver, isMirrorFresh: () => lag.isFresh() });
  const objects = new ObjectService({ database, blobs, resolver, paths, onRemovalOrdered });
  const archives = new ArchiveService({ objects, reader: new ArchiveReader(blobs, archiveLimits(settings)) });
  const maxExpansion = settings.SINEBAR_MAX_DECOMPRESSION_RATIO;
  const uploads = new UploadService({ database, blobs, spool, resolver, rules, maxExpansion, onRemovalOrdered });
  const limits = { ...IMAGE_LIMITS, memoryBytes: settings.SINEBAR_THUMBNAIL_MEMORY_MIB * 2 ** 20 };
  const maker = new ThumbnailMaker({ log, limits });
  const drawingMaker = new ThumbnailMaker({ log, limits: { ...limits, pixels: MAX_DRAWING_PIXELS } });
  const pages = new ThumbnailMaker({ log, limits, script: PDF_SCRIPT });
  let drawings: Subscription | undefined;
  const thumbnails = new ThumbnailService({ database, blobs, spool, maker, onRemovalOrdered });

  const applier = new ChangeApplier({ database, resolver, onRemovalOrdered });
  const refill = new MirrorRefill({ database, resolver, onRemovalOrdered, log });
  const follower = new PartFollower({ database, bus, applier, refill, log });
  const sweep = new SweepService({ database, blobs, now, onRemovalOrdered });
  const removeOrphans = settings.SINEBAR_ORPHANED_FILES === 'remove';
  const schedule = new SweepSchedule({ database, sweep, removeOrphans, log });
  const upkeep = spoolUpkeep(spool, now, log);

  return {
    name: 'raw-data',
    document: {
      below: '/rawDataServiceRest',
      title: 'Sinebar raw data service',
      description: 'Files that belong to parts, characteristics, measurements and values, and what is in archives among them.',
    },
    routes: [
      ...interfaceRoutes(deps.version),
      ...informationRoutes({ database, objects, md5Format, rules, now }),
      ...uploadRoutes({ uploads, md5Format }),
      ...downloadRoutes({ objects }),
      ...thumbnailRoutes({ objects, thumbnails }),
      ...archiveRoutes({ archives, md5Format }),
      ...deleteRoutes({ objects }),
    ],
    observe: (metrics) => {
      databaseMetrics(metrics, 'raw-data', database);
      streamMetrics(metrics, 'raw-data', bus);
      rawDataMetrics(metrics, { database, spool, uploads, objects, removals, lag });
    },
    start: async () => {
      await upkeep.start();
      drawings = await answerDrawingRequests(bus, { database, blobs, spool, maker: drawingMaker, pages });
      if (soleOwner) await schedule.removeCrashLeftovers();
      removals.start();
      follower.start();
      lag.start();
      schedule.start();
    },
    stop: async () => {
      lag.stop();
      await drawings?.stop();
      drawingMaker.stop();
      pages.stop();
      await Promise.all([follower.stop(), schedule.stop(), upkeep.stop(), removals.stop(), thumbnails.stop()]);
    },
    health: async () => [busHealth(bus), ...(await Promise.all([databaseHealth(database), blobHealth(blobs), lag.health()]))],
  };
}

async function databaseHealth(database: Database): Promise<HealthCheck> {
  const healthy = await database.ping(PING_TIMEOUT_MS);
  return { name: 'raw-data database', healthy, detail: healthy ? 'answers' : `does not answer within ${PING_TIMEOUT_MS} ms` };
}

function busHealth(bus: Bus): HealthCheck {
  const { connected, description } = bus.status();
  return { name: 'message bus', healthy: connected, detail: description };
}

async function blobHealth(blobs: BlobStore): Promise<HealthCheck> {
  return { name: 'file store', ...(await blobs.health()) };
}
