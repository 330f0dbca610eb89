import { schemaOfPlant } from '@sinebar/contracts';
import { migrate } from '@sinebar/database';
import { databaseSettings, databaseUrl, runCommand } from '@sinebar/runtime';
import { RAW_DATA_SCHEMA, rawDataMigrations } from './migrations/index.ts';

await runCommand(process, 'raw-data migration', databaseSettings, async (settings, log) => {
  const { current, applied } = await migrate(
    databaseUrl(settings),
    schemaOfPlant(RAW_DATA_SCHEMA, settings.SINEBAR_PLANT),
    rawDataMigrations,
    {
      startTimeoutMs: settings.SINEBAR_START_TIMEOUT_S * 1000,
      log,
    },
  );
  log.info({ current, applied }, 'the schema is up to date');
});
