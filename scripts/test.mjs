import { accessSync, constants, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureReady, ROOT } from './bootstrap.mjs';
import { main, run } from './command.mjs';
import { runJest } from './jest-run.mjs';
import { formatSummary, formatTimes, slowestFiles, summarise } from './test-summary.mjs';

/**
 * Runs `npm test [-- path filters]`: checks, then unit and integration tests on real backing services, then acceptance tests on a running
 * product.
 * With path filters it runs only these tests, without checks; with --unit only the tests that need no server, without checks.
 * Results are written to .cache/test-results: what jest writes for each tier, and summary.json.
 */
const RESULTS = join(ROOT, '.cache/test-results');
const CHECKS = {
  eslint: ['node_modules/eslint/bin/eslint.js', '.', '--max-warnings', '0'],
  prettier: ['node_modules/prettier/bin/prettier.cjs', '--check', '.'],
  'types of tests': ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.tests.json'],
  'unused code and dependencies': ['node_modules/knip/bin/knip.js', '--no-progress'],
};
const CHECK_TIMEOUT_MS = 5 * 60_000;
/** Replaces the servers where none is started. */
const NO_SERVICES = { missing: [], variables: {}, stop: () => Promise.resolve() };
/** Many tests wait for servers or times: more workers than two processors use them meanwhile. */
const WORKERS = 4;
const ACCEPTANCE_WORKERS = 3;
/** Tests of files, processes and sockets of their own; nothing of them needs PostgreSQL, NATS or an S3 store. */
const UNIT_TIER = {
  name: 'unit',
  roots: ['packages', 'services', 'tools', 'scripts'],
  workers: WORKERS,
  // Tests in a browser are slow; they belong to the other tier.
  args: ['--testPathIgnorePatterns', '/node_modules/', '/dist/', '\\.int\\.test\\.ts$', '[-]browser\\.test\\.ts$'],
  timeoutMs: 10 * 60_000,
};
const TIERS = [
  {
    name: 'unit-and-integration',
    roots: ['packages', 'services', 'tools', 'tests/product', 'tests/deployment', 'scripts'],
    workers: WORKERS,
    args: [],
    timeoutMs: 40 * 60_000,
  },
  {
    name: 'acceptance',
    roots: ['tests/acceptance'],
    workers: ACCEPTANCE_WORKERS,
    args: ['--testTimeout', '300000', '--setupFiles', join(ROOT, 'scripts/worker-servers.mjs')],
    timeoutMs: 25 * 60_000,
    hasOwnServers: true,
  },
];

await main(async () => {
  const unitOnly = process.argv.includes('--unit');
  const filters = process.argv.slice(2).filter((word) => word !== '--unit');
  const calledAt = Date.now();
  await ensureReady();
  const startedAt = Date.now();
  rmSync(RESULTS, { recursive: true, force: true });
  mkdirSync(RESULTS, { recursive: true });
  // Imported late: before the build these files are missing.
  const { interruption, startBackingServices } = await import(pathToFileURL(join(ROOT, 'packages/local-servers/dist/index.js')).href);
  const { signal } = interruption();
  const checks = filters.length === 0 && !unitOnly ? await runChecks(signal) : [];
  const start = () => startBackingServices({ signal, onProgress: (line) => console.error(line) });
  const services = unitOnly ? NO_SERVICES : await start();
  const runs = [];
  let output = '';
  try {
    for (const { name, why } of services.missing) console.error(`MISSING ${name}: ${why}`);
    for (const tier of unitOnly ? [UNIT_TIER] : TIERS) {
      if (signal.aborted) break;
      const run = tier.hasOwnServers ? runOnOwnServers : runTier;
      const result = await run(tier, filters, services.variables, start);
      runs.push({ name: tier.name, ...result });
      output += result.output;
    }
  } finally {
    await services.stop();
  }
  const summary = summarise({ checks, runs, output, missing: services.missing, hasProgram });
  if (signal.aborted) summary.failures.push(signal.reason.message);
  if (filters.length > 0 && runs.every(({ results }) => results?.numTotalTestSuites === 0))
    summary.failures.push(`no test file matches ${filters.join(' ')}`);
  writeFileSync(join(RESULTS, 'summary.json'), `${JSON.stringify(summary, undefined, 2)}\n`);
  console.error(formatTimes((startedAt - calledAt) / 1000, (Date.now() - startedAt) / 1000, slowestFiles(runs)));
  console.error(formatSummary(summary));
  return summary.failures.length === 0 ? 0 : 1;
});

/** Runs all checks even after a failure, so that all failures are reported at once. ESLint takes as long as the others together. */
async function runChecks(signal) {
  const [eslint, ...others] = Object.entries(CHECKS);
  return (await Promise.all([runInTurn([eslint], signal), runInTurn(others, signal)])).flat();
}

async function runInTurn(checks, signal) {
  const done = [];
  for (const [name, [program, ...args]] of checks) {
    if (signal.aborted) break;
    console.error(`Checking: ${name} …`);
    const { code, output } = await run([process.execPath, join(ROOT, program), ...args], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeoutMs: CHECK_TIMEOUT_MS,
    });
    if (code !== 0) console.error(`${output.trimEnd()}\nFAILED: ${name}`);
    done.push({ name, ok: code === 0 });
  }
  return done;
}

/** Runs the tier with servers for each worker; one worker where the environment names the servers, or for a few files. */
async function runOnOwnServers(tier, filters, variables, start) {
  const workers = filters.length > 0 || process.env.NATS_URL ? 1 : tier.workers;
  const others = [];
  try {
    while (others.length < workers - 1) others.push(await start());
    const own = { SINEBAR_TEST_SERVERS: JSON.stringify([variables, ...others.map((services) => services.variables)]) };
    return await runTier({ ...tier, workers }, filters, { ...variables, ...own });
  } finally {
    for (const services of others) await services.stop();
  }
}

async function runTier({ name, roots, workers, args, timeoutMs }, filters, variables) {
  console.error(`\nTests: ${name}`);
  const { code, output, timedOut, results } = await runJest({
    args: [
      ...filters,
      ...roots.flatMap((root) => ['--roots', join(ROOT, root)]),
      '--maxWorkers',
      `${workers}`,
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
