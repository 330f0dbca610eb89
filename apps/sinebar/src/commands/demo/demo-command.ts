import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SinebarClient, SinebarError } from '@sinebar/client';
import { credentialsFromEnvironment } from '@sinebar/client/node';
import { commandText } from '@sinebar/contracts';
import { CommandError, runAsProcess, type Command } from '../../command-line/command.ts';
import { writeAqdefFile } from './aqdef-file.ts';
import { COMPLETE, DemoRefusal, demoState, removeDemo, writeDemo, type DemoState } from './fill.ts';
import { nextSteps } from './next-steps.ts';

const AQDEF_FILE = join(tmpdir(), 'sinebar-demo.dfq');

const HELP = `
${commandText('demo [--server URL] [--replace]')}

Fills a running server with a believable data set: a car door and three smaller products with
${COMPLETE.characteristics} characteristics and ${english(COMPLETE.measurements)} measurements.
Writes them as an AQDEF file too, for trying the command import-files.

  --server URL  the server; default http://127.0.0.1:8080
  --aqdef FILE  where the AQDEF file goes; default ${AQDEF_FILE}
  --replace     deletes the demo that is there, with all below it, and makes it anew
  --help        this text

Where the server asks for credentials: SINEBAR_USER and SINEBAR_PASSWORD, or SINEBAR_TOKEN. The user needs all rights on / and
configuration:write and catalog:write.
`;

const options = {
  server: { type: 'string', default: 'http://127.0.0.1:8080' },
  aqdef: { type: 'string', default: AQDEF_FILE },
  replace: { type: 'boolean', default: false },
} as const;

interface Demo {
  server: string;
  aqdef: string;
  replace: boolean;
}

const demoCommand: Command<typeof options> = {
  name: 'demo',
  help: HELP,
  options,
  words: [],
  run: async ({ values: { server = '', aqdef = '', replace = false } }, { env, print, stderr }) => {
    try {
      return await makeDemo({ server, aqdef, replace }, { env, print, report: (line) => void stderr.write(`${line}\n`) });
    } catch (error) {
      throw withHint(error);
    }
  },
};

export const run = (words: readonly string[]): Promise<void> => runAsProcess(demoCommand, words);

async function makeDemo(
  { server, aqdef, replace }: Demo,
  {
    env,
    print,
    report,
  }: { env: Readonly<Record<string, string | undefined>>; print: (line: string) => void; report: (line: string) => void },
): Promise<number> {
  const url = server.replace(/\/+$/, '');
  const credentials = credentialsFromEnvironment(env);
  const sinebar = new SinebarClient({ url, ...(credentials && { credentials }) });
  const { securityEnabled } = await sinebar.serviceInformation();
  const found = await demoState(sinebar);
  if (found && !replace) {
    print(`${whatIsThere(found)} Nothing was done; --replace makes the demo anew.\n\n${nextSteps(url, securityEnabled)}`);
    return isComplete(found) ? 0 : 1;
  }
  if (found) {
    report('Deleting the demo that is there …');
    await removeDemo(sinebar);
  }
  const valueCount = await writeDemo(sinebar);
  await writeAqdefFile(sinebar, aqdef);
  const { characteristics, measurements, files } = COMPLETE;
  print(
    `\nThe demo is there: ${COMPLETE.parts} parts, ${characteristics} characteristics, ${english(measurements)} measurements with ` +
      `${english(valueCount)} values, ${files} files.\n` +
      `The same as an AQDEF file: ${aqdef}\n\n${nextSteps(url, securityEnabled)}`,
  );
  return 0;
}

function whatIsThere(state: DemoState): string {
  const counts = Object.entries(COMPLETE).map(([name, wanted]) => {
    const count = state[name as keyof DemoState];
    return count === wanted ? `${english(count)} ${name}` : `${english(count)} ${name} instead of ${english(wanted)}`;
  });
  return `The demo is ${isComplete(state) ? 'there' : 'there, but not as it was made'}: ${counts.join(', ')}.`;
}

function isComplete(state: DemoState): boolean {
  return Object.entries(COMPLETE).every(([name, count]) => state[name as keyof DemoState] === count);
}

function english(count: number): string {
  return count.toLocaleString('en');
}

function withHint(error: unknown): unknown {
  if (error instanceof SinebarError) {
    const hint = error.status === 0 ? ` Start one with ${commandText('start')}, or name yours with --server URL.` : '';
    const rights = error.status === 401 ? ' Set SINEBAR_USER and SINEBAR_PASSWORD, or SINEBAR_TOKEN.' : '';
    return new CommandError(`${error.message}${hint}${rights}`, { cause: error });
  }
  return error instanceof DemoRefusal || error instanceof TypeError ? new CommandError(error.message, { cause: error }) : error;
}
