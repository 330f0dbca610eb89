import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main, run, ScriptError } from '../command.mjs';
import { isRoot, runTool, TOOLS } from '../engines.mjs';

const MAKE = join(TOOLS, 'citus/make-citus');
const UP = join(TOOLS, 'citus/citus-up');
const DOWN = join(TOOLS, 'citus/citus-down');
const NODES = 3;

/**
 * Finds the Citus cluster of SINEBAR_TEST_CITUS, or starts a coordinator with two workers with the tools in ENGINE_TOOLS.
 * @returns variables for the tests: SINEBAR_TEST_CITUS is the address of the coordinator, SINEBAR_TEST_CITUS_START a command that starts
 * its servers again after tests have ended them; without it these tests are skipped
 * @throws {ScriptError} when there is no cluster, with what to do
 */
async function startCitus() {
  const given = process.env.SINEBAR_TEST_CITUS;
  if (given) {
    const start = process.env.SINEBAR_TEST_CITUS_START;
    return { variables: { SINEBAR_TEST_CITUS: given, ...(start && { SINEBAR_TEST_CITUS_START: start }) }, stop: () => Promise.resolve() };
  }
  if (!existsSync(UP)) {
    throw new ScriptError(
      'There is no Citus cluster: SINEBAR_TEST_CITUS names the address of a coordinator, or ENGINE_TOOLS a folder with citus/make-citus, ' +
        'citus/citus-up and citus/citus-down (docs/long-runs.md).',
    );
  }
  if (!isRoot()) throw new ScriptError(`SINEBAR_TEST_CITUS names no coordinator, and ${UP} needs root.`);
  const { why } = await runTool([MAKE]);
  if (why !== undefined) throw new ScriptError(`Citus cannot be installed: ${why}`);
  const own = { CITUS_DIR: mkdtempSync(join(tmpdir(), 'sinebar-citus-')), CITUS_PORT: String(await firstOfFreePorts(NODES)) };
  const command = ['env', ...Object.entries(own).map(([name, value]) => `${name}=${value}`)];
  const stop = async () => void spawnSync(command[0], [...command.slice(1), DOWN, '--remove'], { stdio: 'ignore', timeout: 120_000 });
  const { why: failure, output } = await runTool([...command, UP, 'sinebar']);
  if (failure !== undefined) {
    await stop();
    throw new ScriptError(`The Citus cluster cannot be started: ${failure}`);
  }
  const url = output.trim().split('\n').at(-1);
  return { variables: { SINEBAR_TEST_CITUS: url, SINEBAR_TEST_CITUS_START: [...command, UP, 'sinebar'].join(' ') }, stop };
}

/** Runs `node scripts/launch.mjs scripts/servers/citus.mjs -- command`: the command with a cluster, and ends with its exit code. */
if (process.argv[1] === import.meta.filename) {
  await main(async () => {
    const [separator, ...command] = process.argv.slice(2);
    if (separator !== '--' || command.length === 0)
      throw new ScriptError('Use: node scripts/launch.mjs scripts/servers/citus.mjs -- command');
    const { variables, stop } = await startCitus();
    try {
      return (await run(command, { stdio: 'inherit', env: { ...process.env, ...variables } })).code;
    } finally {
      await stop();
    }
  });
}

/** Finds a port with free ports behind it. */
async function firstOfFreePorts(count) {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    const free = await Promise.all(Array.from({ length: count }, (_, i) => isFree(first + i)));
    if (free.every(Boolean)) return first;
  }
  throw new ScriptError(`No ${count} free ports in a row were found.`);
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
