import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SinebarClient, SinebarError } from '@sinebar/client';
import { credentialsFromEnvironment } from '@sinebar/client/node';
import { writeAqdefFile } from './aqdef-file.ts';
import { COMPLETE, DemoRefusal, demoState, removeDemo, writeDemo, type DemoState } from './fill.ts';
import { nextSteps } from './next-steps.ts';

const AQDEF_FILE = join(tmpdir(), 'sinebar-demo.dfq');

/** Runs `npm run demo`: fills a running server with the measurements of a car door and three smaller parts. */
const USAGE = `npm run demo [-- --server URL] [--replace]

Fills a running server with a believable data set: a car door and three smaller products with
${COMPLETE.characteristics} characteristics and ${english(COMPLETE.measurements)} measurements.
Writes them as an AQDEF file too, for trying npm run import-files.

  --server URL  the server; default http://127.0.0.1:8080
  --aqdef FILE  where the AQDEF file goes; default ${AQDEF_FILE}
  --replace     deletes the demo that is there, with all below it, and makes it anew
  --help        this text

Where the server asks for credentials: SINEBAR_USER and SINEBAR_PASSWORD, or SINEBAR_TOKEN. The user needs all rights on / and
configuration:write and catalog:write.`;

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  console.error(sentence(error));
  process.exitCode = 1;
}

async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      server: { type: 'string', default: 'http://127.0.0.1:8080' },
      aqdef: { type: 'string', default: AQDEF_FILE },
      replace: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const url = values.server.replace(/\/+$/, '');
  const credentials = credentialsFromEnvironment(process.env);
  const sinebar = new SinebarClient({ url, ...(credentials && { credentials }) });
  const { securityEnabled } = await sinebar.serviceInformation();
  const found = await demoState(sinebar);
  if (found && !values.replace) {
    console.log(`${whatIsThere(found)} Nothing was done; --replace makes the demo anew.\n\n${nextSteps(url, securityEnabled)}`);
    return isComplete(found) ? 0 : 1;
  }
  if (found) {
    console.error('Deleting the demo that is there …');
    await removeDemo(sinebar);
  }
  const valueCount = await writeDemo(sinebar);
  await writeAqdefFile(sinebar, values.aqdef);
  const { characteristics, measurements, files } = COMPLETE;
  console.log(
    `\nThe demo is there: ${COMPLETE.parts} parts, ${characteristics} characteristics, ${english(measurements)} measurements with ` +
      `${english(valueCount)} values, ${files} files.\n` +
      `The same as an AQDEF file: ${values.aqdef}\n\n${nextSteps(url, securityEnabled)}`,
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

function sentence(error: unknown): string {
  if (error instanceof SinebarError) {
    const hint = error.status === 0 ? ' Start one with npm start, or name yours with --server URL.' : '';
    const rights = error.status === 401 ? ' Set SINEBAR_USER and SINEBAR_PASSWORD, or SINEBAR_TOKEN.' : '';
    return `${error.message}${hint}${rights}`;
  }
  if (error instanceof DemoRefusal || error instanceof TypeError) return error.message;
  return String(error instanceof Error ? error.stack : error);
}
