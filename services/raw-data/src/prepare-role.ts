import { schemaOfPlant } from '@sinebar/contracts';
import { prepareServiceRole } from '@sinebar/database';
import { roleOptions, roleSettings, runCommand } from '@sinebar/runtime';
import { RAW_DATA_SCHEMA } from './migrations/index.ts';

await runCommand(process, 'raw-data role', roleSettings, async (settings, log) => {
  await prepareServiceRole({
    ...roleOptions(settings),
    schema: schemaOfPlant(RAW_DATA_SCHEMA, settings.SINEBAR_PLANT),
    extensions: ['pg_trgm'],
    log,
  });
});
