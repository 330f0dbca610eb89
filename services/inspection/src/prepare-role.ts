import { schemaOfPlant } from '@sinebar/contracts';
import { prepareServiceRole } from '@sinebar/database';
import { roleOptions, roleSettings, runCommand } from '@sinebar/runtime';
import { INSPECTION_SCHEMA } from './migrations/index.ts';

await runCommand(process, 'inspection role', roleSettings, async (settings, log) => {
  await prepareServiceRole({ ...roleOptions(settings), schema: schemaOfPlant(INSPECTION_SCHEMA, settings.SINEBAR_PLANT), log });
});
