import { commandText } from '@sinebar/contracts';
import { runServices } from '@sinebar/runtime';
import { PROCESS_OUTPUT, UsageError, withArguments } from '../../command-line/arguments.ts';
import { composeServices, settingsOf } from '../../compose.ts';
import { readServices, SERVICE_NAMES } from '../../services.ts';

const HELP = `
${commandText('start')}
${commandText('start --database')}
${commandText('start --services inspection,raw-data,events')}

Runs Sinebar until Ctrl-C. Without an option everything is in this process, with a PostgreSQL of its own in the folder SINEBAR_DATA_DIR.

  --database        on the PostgreSQL server of DATABASE_URL; files (SINEBAR_DATA_DIR) and events are those of this process, which no
                    other may join
  --services a,b    one or several services, which find each other over NATS_URL. They need DATABASE_URL (events alone does not) and, for
                    raw-data, S3_ENDPOINT, S3_ACCESS_KEY and S3_SECRET_KEY, or the folder SINEBAR_FILE_DIR

${commandText('check-config')} lists all settings.
`;
const COMMAND = { name: 'start', help: HELP, options: { database: { type: 'boolean' }, services: { type: 'string' } }, words: [] } as const;

export async function run(words: readonly string[]): Promise<void> {
  const code = await withArguments(COMMAND, words, PROCESS_OUTPUT, async ({ values }) => {
    if (values.services === undefined) {
      const { runOneProcess } = await import('./one-process.ts');
      await runOneProcess(values.database === true ? 'database' : 'embedded');
      return 0;
    }
    if (values.database === true) throw new UsageError('Give either --database or --services.');
    const services = readServices(values.services, SERVICE_NAMES);
    await runServices(process, services.join('-'), await settingsOf(services), (settings, log, tracer) =>
      composeServices(services, settings, log, tracer),
    );
    return 0;
  });
  if (code !== 0) process.exitCode = code;
}
