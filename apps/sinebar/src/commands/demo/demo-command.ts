import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SinebarClient, SinebarError } from '@sinebar/client';
import { credentialsFromEnvironment } from '@sinebar/client/node';
import { commandText } from '@sinebar/contracts';
import { CommandError, runAsProcess, type Command } from '../../command-line/command.ts';
import { writeAqdefFile } from './aqdef-file.ts';
import { FACTORY } from './factory/index.ts';
import { DOOR } from './fill.ts';
import { nextSteps } from './next-steps.ts';
import { contentOf, DemoRefusal, removeWorld, type World, type WorldContent } from './world.ts';

const AQDEF_FILE = join(tmpdir(), 'sinebar-demo.dfq');

const HELP = `
${commandText('demo [--server URL] [--world door|factory] [--replace]')}

Fills a running server with a believable data set: a car door and three smaller products with
${DOOR.content.characteristics} characteristics and ${english(DOOR.content.measurements)} measurements.
Writes them as an AQDEF file too, for trying the command import-files.

  --world NAME  door, or factory: a plant with long German names, values of full precision, ${FACTORY.content.parts} parts,
                ${english(FACTORY.content.characteristics)} characteristics and ${english(FACTORY.content.measurements)} measurements, which takes about a minute
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
  world: { type: 'string', default: 'door' },
  replace: { type: 'boolean', default: false },
} as const;

interface Demo {
  server: string;
  aqdef: string;
  world: string;
  replace: boolean;
}

const demoCommand: Command<typeof options> = {
  name: 'demo',
  help: HELP,
  options,
  words: [],
  run: async ({ values: { server = '', aqdef = '', world = '', replace = false } }, { env, print, stderr }) => {
    try {
      return await makeDemo({ server, aqdef, world, replace }, { env, print, report: (line) => void stderr.write(`${line}\n`) });
    } catch (error) {
      throw withHint(error);
    }
  },
};

export const run = (words: readonly string[]): Promise<void> => runAsProcess(demoCommand, words);

const WORLDS: ReadonlyMap<string, World> = new Map([
  ['door', DOOR],
  ['factory', FACTORY],
]);

async function makeDemo(
  { server, aqdef, world: name, replace }: Demo,
  {
    env,
    print,
    report,
  }: { env: Readonly<Record<string, string | undefined>>; print: (line: string) => void; report: (line: string) => void },
): Promise<number> {
  const world = WORLDS.get(name);
  if (!world) throw new CommandError(`There is no world "${name}". Give --world ${[...WORLDS.keys()].join(' or --world ')}.`);
  const url = server.replace(/\/+$/, '');
  const credentials = credentialsFromEnvironment(env);
  const sinebar = new SinebarClient({ url, ...(credentials && { credentials }) });
  const { securityEnabled } = await sinebar.serviceInformation();
  const found = await contentOf(sinebar, world);
  const steps = world === DOOR ? nextSteps(url, securityEnabled) : `Open ${url}/console/ in a browser.`;
  if (found && !replace) {
    print(`${whatIsThere(found, world)} Nothing was done; --replace makes the demo anew.\n\n${steps}`);
    return isComplete(found, world) ? 0 : 1;
  }
  if (found) {
    report('Deleting the demo that is there …');
    await removeWorld(sinebar, world);
  }
  const valueCount = await world.write(sinebar);
  if (world === DOOR) await writeAqdefFile(sinebar, aqdef);
  const { parts, characteristics, measurements, files } = world.content;
  print(
    `\nThe demo is there: ${parts} parts, ${english(characteristics)} characteristics, ${english(measurements)} measurements with ` +
      `${english(valueCount)} values, ${files} files.\n` +
      `${world === DOOR ? `The same as an AQDEF file: ${aqdef}\n` : ''}\n${steps}`,
  );
  return 0;
}

function whatIsThere(state: WorldContent, world: World): string {
  const counts = Object.entries(world.content).map(([name, wanted]) => {
    const count = state[name as keyof WorldContent];
    return count === wanted ? `${english(count)} ${name}` : `${english(count)} ${name} instead of ${english(wanted)}`;
  });
  return `The demo is ${isComplete(state, world) ? 'there' : 'there, but not as it was made'}: ${counts.join(', ')}.`;
}

function isComplete(state: WorldContent, { content }: World): boolean {
  return Object.entries(content).every(([name, count]) => state[name as keyof WorldContent] === count);
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
