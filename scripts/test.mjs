import { accessSync, constants, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './bootstrap.mjs';
import { runChecks } from './checks.mjs';
import { main } from './command.mjs';
import { runJest } from './jest/jest-run.mjs';
import { FAULT_TESTS } from './long-runs.mjs';
import { formatSummary, formatTimes, slowestFiles, summarise } from './jest/test-summary.mjs';

/**
 * Runs `npm test [-- path filters]`: the checks, and beside them all tests on real backing services: unit, integration and acceptance
 * tests in one queue, since some compute while others wait.
 * With path filters it runs only these tests, without checks; with --unit only the tests that need no server, without checks.
 * Results are written to .cache/test-results: what jest writes for each tier, and summary.json.
 */
const RESULTS = join(ROOT, '.cache/test-results');
/** Replaces the servers where none is started. */
const NO_SERVICES = { missing: [], variables: {}, stop: () => Promise.resolve() };
/** Tests wait for servers and times: one worker more than the two processors uses them meanwhile; with four, tests wait for processors. */
const WORKERS = 3;
/** Tests without servers wait for times and their own sockets in more than half of their time, and each needs little memory. */
const UNIT_WORKERS = 6;
/** Jest keeps the modules of every file that a worker has run. Above this memory it starts the worker again, before collecting takes long. */
const WORKER_MEMORY = '700MB';
/** Tests of files, processes and sockets of their own; nothing of them needs PostgreSQL, NATS or an S3 store. */
const UNIT_TIER = {
  name: 'unit',
  roots: ['apps', 'packages', 'services', 'tests/distributed', 'scripts'],
  workers: UNIT_WORKERS,
  // Tests in a browser are slow; they belong to the other tier.
  args: ['--testPathIgnorePatterns', '/node_modules/', '/dist/', '\\.int\\.test\\.ts$', '[-]browser\\.test\\.ts$'],
  timeoutMs: 10 * 60_000,
};
const SERVER_TIER = {
  name: 'unit-and-integration',
  roots: ['apps', 'packages', 'services', 'tests/distributed', 'tests/product', 'tests/deployment', 'scripts'],
  workers: WORKERS,
  args: [],
  timeoutMs: 40 * 60_000,
};
/** The tests of faults run when they are named, and in `node scripts/launch.mjs long-runs`. */
const WITHOUT_FAULTS = [
  '--testPathIgnorePatterns',
  '/node_modules/',
  '/dist/',
  ...FAULT_TESTS.map((file) => `/${file.replaceAll('.', '\\.')}$`),
];
const ACCEPTANCE_TIER = { name: 'acceptance', roots: ['tests/acceptance'], workers: 1, args: [], timeoutMs: 40 * 60_000 };
/** Everything in one queue; each worker has servers of its own, because products on the same NATS share one stream. */
const WHOLE_TIER = {
  ...SERVER_TIER,
  name: 'all',
  args: WITHOUT_FAULTS,
  roots: [...SERVER_TIER.roots, ...ACCEPTANCE_TIER.roots],
  timeoutMs: 60 * 60_000,
};

await main(async () => {
  const unitOnly = process.argv.includes('--unit');
  const filters = process.argv.slice(2).filter((word) => word !== '--unit');
  // The launcher built before it imported this file.
  const buildSeconds = process.uptime();
  const startedAt = Date.now();
  rmSync(RESULTS, { recursive: true, force: true });
  mkdirSync(RESULTS, { recursive: true });
  // Imported late: before the build these files are missing.
  const { interruption, startBackingServices, startEmbeddedPostgres } = await import(
    pathToFileURL(join(ROOT, 'packages/local-servers/src/index.ts')).href
  );
  const { signal } = interruption();
  const isWhole = filters.length === 0 && !unitOnly;
  const checking = isWhole ? runChecks(signal) : Promise.resolve([]);
  const start = () => startBackingServices({ environment: process.env, signal, fsync: false, onProgress: (line) => console.error(line) });
  const services = unitOnly ? NO_SERVICES : await start();
  const runs = [];
  let output = '';
  try {
    for (const { name, why } of services.missing) console.error(`MISSING ${name}: ${why}`);
    // The servers of the environment cannot be multiplied, and for a few tests more servers are not worth their start.
    const hasOwnServers = isWhole && services.folder !== undefined;
    // Where this machine has no PostgreSQL for products, their own tests say so.
    const dataFolder =
      isWhole && services.servers.has('postgres') ? await makeDataFolder(startEmbeddedPostgres, services.folder, signal) : {};
    const acceptance = isWhole ? { ...ACCEPTANCE_TIER, args: WITHOUT_FAULTS } : ACCEPTANCE_TIER;
    for (const tier of unitOnly ? [UNIT_TIER] : hasOwnServers ? [WHOLE_TIER] : [SERVER_TIER, acceptance]) {
      if (signal.aborted) break;
      const result = hasOwnServers
        ? await runOnOwnServers(tier, { ...services.variables, ...dataFolder }, start)
        : await runTier(tier, filters, services.variables);
      runs.push({ name: tier.name, ...result });
      output += result.output;
    }
  } finally {
    await services.stop();
  }
  const checks = await checking;
  const summary = summarise({ checks, runs, output, missing: services.missing, hasProgram });
  if (signal.aborted) summary.failures.push(signal.reason.message);
  if (filters.length > 0 && runs.every(({ results }) => results?.numTotalTestSuites === 0))
    summary.failures.push(`no test file matches ${filters.join(' ')}`);
  writeFileSync(join(RESULTS, 'summary.json'), `${JSON.stringify(summary, undefined, 2)}\n`);
  console.error(formatTimes(buildSeconds, (Date.now() - startedAt) / 1000, slowestFiles(runs)));
  console.error(formatSummary(summary));
  return summary.failures.length === 0 ? 0 : 1;
});

/**
 * Makes a data folder with an empty database, on copies of which products of tests start (packages/testing/src/processes/data-folder.ts).
 * @returns the variable that names it
 */
async function makeDataFolder(startEmbeddedPostgres, folder, signal) {
  const dataDir = join(folder, 'data-folder');
  const log = { info: () => undefined, warn: console.error, error: console.error };
  const server = await startEmbeddedPostgres({ dataDir, log, signal, fsync: false });
  await server.stop();
  // Copies that start at the same time would choose the same port.
  rmSync(join(dataDir, 'postgres/sinebar-port'));
  return { JEST_DATA_FOLDER: dataDir };
}

/** Runs the tier with servers for each worker; `variables` are those of the first. */
async function runOnOwnServers(tier, variables, start) {
  const others = [];
  try {
    // One after the other, so that no two choose the same free port.
    while (others.length < tier.workers - 1) others.push(await start());
    const own = { JEST_WORKER_SERVERS: JSON.stringify([variables, ...others.map((services) => services.variables)]) };
    return await runTier(tier, [], { ...variables, ...own });
  } finally {
    await Promise.all(others.map((services) => services.stop()));
  }
}

async function runTier({ name, roots, workers, args, timeoutMs }, filters, variables) {
  console.error(`\nTests: ${name}`);
  const { code, output, timedOut, results } = await runJest({
    args: [
      ...filters,
      ...roots.flatMap((root) => ['--roots', join(ROOT, root)]),
      `--workerIdleMemoryLimit=${WORKER_MEMORY}`,
      '--maxWorkers',
      `${workers}`,
      '--setupFilesAfterEnv',
      join(ROOT, 'scripts/jest/test-environment.mjs'),
      ...args,
      '--passWithNoTests',
    ],
    resultFile: join(RESULTS, `${name}.json`),
    timeoutMs,
    variables,
  });
  if (timedOut) console.error(`FAILED: the ${name} tests took longer than ${timeoutMs / 60_000} minutes and were ended`);
  return { code, output, results };
}

function hasProgram(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
}
