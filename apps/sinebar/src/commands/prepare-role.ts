import { commandText, schemaOfPlant } from '@sinebar/contracts';
import { prepareServiceRole } from '@sinebar/database';
import { roleOptions, roleSettings, runCommand } from '@sinebar/runtime';
import { PROCESS_OUTPUT, withArguments } from '../command-line/arguments.ts';
import { schemaOf } from '../compose.ts';
import { readServices, STORING_SERVICES } from '../services.ts';

const HELP = `
${commandText('prepare-role --services inspection,raw-data')}

Creates the role of DATABASE_URL, which the named services use, with their schemas and extensions, as the user of
DATABASE_ADMINISTRATOR_URL. What exists stays.

Exit code 0: prepared; 1: not, with the reason; 2: wrong use.
`;
const COMMAND = { name: 'prepare-role', help: HELP, options: { services: { type: 'string' } }, words: [] } as const;

export async function run(words: readonly string[]): Promise<void> {
  process.exitCode = await withArguments(COMMAND, words, PROCESS_OUTPUT, async ({ values }) => {
    let code = 0;
    for (const service of readServices(values.services, STORING_SERVICES)) {
      code ||= await runCommand(process.env, `${service} role`, roleSettings, async (settings, log) => {
        const { schema, extensions } = await schemaOf(service);
        await prepareServiceRole({ ...roleOptions(settings), schema: schemaOfPlant(schema, settings.SINEBAR_PLANT), extensions, log });
      });
    }
    return code;
  });
}
