import { schemaOfPlant } from '@sinebar/contracts';
import { migrate } from '@sinebar/database';
import { databaseSettings, databaseUrl, runCommand } from '@sinebar/runtime';
import { INSPECTION_SCHEMA, inspectionMigrations } from './migrations/index.ts';

await runCommand(process, 'inspection migration', databaseSettings, async (settings, log) => {
  const { current, applied } = await migrate(
    databaseUrl(settings),
    schemaOfPlant(INSPECTION_SCHEMA, settings.SINEBAR_PLANT),
    inspectionMigrations,
    {
      startTimeoutMs: settings.SINEBAR_START_TIMEOUT_S * 1000,
      log,
    },
  );
  log.info({ current, applied }, 'the schema is up to date');
});
