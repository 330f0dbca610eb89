import { outboxMigration, type Migration } from '@sinebar/database';
import { rawDataTables } from './0002-raw-data.ts';
import { partMirror } from './0003-part-mirror.ts';
import { valueFiles } from './0004-value-files.ts';
import { thumbnailsAndFilters } from './0005-thumbnails-and-filters.ts';
import { targetVersions } from './0006-target-versions.ts';
import { partRevisions } from './0007-part-revisions.ts';

export const RAW_DATA_SCHEMA = 'raw_data';

/** Steps of the schema, oldest first. Append only. */
export const rawDataMigrations: readonly Migration[] = [
  outboxMigration('0001-outbox'),
  rawDataTables,
  partMirror,
  valueFiles,
  thumbnailsAndFilters,
  targetVersions,
  partRevisions,
];
