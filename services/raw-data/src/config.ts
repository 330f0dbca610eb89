import { authenticationSettings } from '@sinebar/authentication';
import {
  busSettings,
  databaseSettings,
  defineSettings,
  serverSettings,
  settingType,
  spoolSettings,
  streamSettings,
  type SettingsOf,
} from '@sinebar/runtime';
import { fileStoreSettings } from './blobs/file-store-settings.ts';
import type { ArchiveLimits } from './archives/archive-reader.ts';
import { MD5_FORMATS } from './objects/md5.ts';

/** Settings that the raw-data service has in every deployment. */
export const rawDataSettings = defineSettings({
  ...streamSettings,
  ...spoolSettings,
  SINEBAR_MAX_FILE_BYTES: {
    schema: settingType.integer({ min: 0, max: 999_999_999_999_999 }, 2 * 2 ** 30),
    description: 'largest file, bytes; 0 is no limit',
  },
  // The HTTP shell reads the same setting for JSON bodies.
  SINEBAR_MAX_DECOMPRESSION_RATIO: serverSettings.SINEBAR_MAX_DECOMPRESSION_RATIO,
  SINEBAR_PART_PATHS_MAX_AGE_S: {
    schema: settingType.integer({ min: 1, max: 3600 }, 30),
    description:
      'how long paths of parts decide about rights on files while the event stream cannot be followed, seconds; ' +
      'then the inspection service is asked',
  },
  SINEBAR_ALLOWED_FILE_NAMES: {
    schema: settingType.list(),
    description: 'file names that are taken, comma separated, with * and ? as wildcards (*.pdf,*.png); empty takes all',
  },
  SINEBAR_MD5_FORMAT: {
    schema: settingType.choice(MD5_FORMATS, 'guid'),
    description: 'how the MD5 of a file is written in answers: guid (as a .NET GUID) or hex (as md5sum prints it)',
  },
  SINEBAR_ORPHANED_FILES: {
    schema: settingType.choice(['report', 'remove'], 'report'),
    description: 'what the hourly comparison does with stored objects that belong to no file: report them in the log, or remove them',
  },
  SINEBAR_THUMBNAIL_MEMORY_MIB: {
    schema: settingType.integer({ min: 0, max: 65_536 }, 512),
    description:
      'memory that reading one image for its thumbnail may take, MiB, at least 128; two are read at a time; 0 makes no thumbnails',
  },
  SINEBAR_ARCHIVE_MAX_ENTRIES: {
    schema: settingType.integer({ min: 1, max: 10_000_000 }, 200_000),
    description: 'files and folders in an archive, at most; an archive with more is not read',
  },
  SINEBAR_ARCHIVE_MAX_DIRECTORY_BYTES: {
    schema: settingType.integer({ min: 1024, max: 2 ** 31 - 1 }, 32 * 2 ** 20),
    description: 'largest directory of an archive, bytes; it is read into memory',
  },
  SINEBAR_ARCHIVE_MAX_ENTRY_BYTES: {
    schema: settingType.integer({ min: 0, max: 999_999_999_999_999 }, 0),
    description: 'largest file in an archive that is given out, bytes when inflated; 0 is no limit',
  },
  SINEBAR_ARCHIVE_MAX_RATIO: {
    schema: settingType.integer({ min: 1, max: 10_000 }, 200),
    description: 'how many times as large as it is stored a file in an archive may be, once it is larger than 64 MiB',
  },
  SINEBAR_ARCHIVE_CACHE_BYTES: {
    schema: settingType.integer({ min: 0, max: 2 ** 40 }, 32 * 2 ** 20),
    description: 'memory for directories of archives that were read before, bytes',
  },
  SINEBAR_RAW_DATA_POOL: {
    schema: settingType.integer({ min: 3, max: 500 }, 10),
    description: 'database connections of the raw-data service for requests; one of them follows the parts',
  },
  SINEBAR_RAW_DATA_STREAM_POOL: {
    schema: settingType.integer({ min: 1, max: 500 }, 5),
    description: 'database connections of the raw-data service for streaming answers',
  },
});
export type RawDataSettings = SettingsOf<typeof rawDataSettings>;

export function archiveLimits(settings: RawDataSettings): ArchiveLimits {
  return {
    maxEntries: settings.SINEBAR_ARCHIVE_MAX_ENTRIES,
    maxDirectoryBytes: settings.SINEBAR_ARCHIVE_MAX_DIRECTORY_BYTES,
    maxEntryBytes: settings.SINEBAR_ARCHIVE_MAX_ENTRY_BYTES,
    maxRatio: settings.SINEBAR_ARCHIVE_MAX_RATIO,
    cacheBytes: settings.SINEBAR_ARCHIVE_CACHE_BYTES,
  };
}

export const rawDataProcessSettings = defineSettings({
  ...serverSettings,
  ...authenticationSettings,
  ...databaseSettings,
  ...busSettings,
  ...rawDataSettings,
  ...fileStoreSettings,
});
