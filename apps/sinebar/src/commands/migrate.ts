import { commandText, schemaOfPlant } from '@sinebar/contracts';
import { migrate } from '@sinebar/database';
import { databaseSettings, databaseUrl, runCommand } from '@sinebar/runtime';
import { PROCESS_OUTPUT, withArguments } from '../command-line/arguments.ts';
import { schemaOf } from '../compose.ts';
import { readServices, STORING_SERVICES } from '../services.ts';

const HELP = `
${commandText('migrate --services inspection,raw-data')}

Creates the schemas of the named services in the database of DATABASE_URL, or brings them up to date. A start does the same, unless
SINEBAR_MIGRATE is off.

Exit code 0: up to date; 1: not, with the reason; 2: wrong use.
`;
const COMMAND = { name: 'migrate', help: HELP, options: { services: { type: 'string' } }, words: [] } as const;

export async function run(words: readonly string[]): Promise<void> {
  process.exitCode = await withArguments(COMMAND, words, PROCESS_OUTPUT, async ({ values }) => {
    let code = 0;
    for (const service of readServices(values.services, STORING_SERVICES)) {
      code ||= await runCommand(process.env, `${service} migration`, databaseSettings, async (settings, log) => {
        const { schema, migrations } = await schemaOf(service);
        const startTimeoutMs = settings.SINEBAR_START_TIMEOUT_S * 1000;
        const ofPlant = schemaOfPlant(schema, settings.SINEBAR_PLANT);
        const { current, applied } = await migrate(databaseUrl(settings), ofPlant, migrations, { startTimeoutMs, log });
        log.info({ current, applied }, 'the schema is up to date');
      });
    }
    return code;
  });
}
