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
/** Tests of files, processes and sockets of their own, without PostgreSQL, NATS or an S3 store. */
const UNIT_TIER = {
  name: 'unit',
  roots: ['packages', 'services', 'tools', 'scripts'],
  args: ['--maxWorkers', '2', '--testPathIgnorePatterns', '/node_modules/', '/dist/', '\\.int\\.test\\.ts$'],
  timeoutMs: 10 * 60_000,
};
const TIERS = [
  {
    name: 'unit-and-integration',
    roots: ['packages', 'services', 'tools', 'tests/product', 'tests/deployment', 'scripts'],
    args: ['--maxWorkers', '2'],
    timeoutMs: 40 * 60_000,
  },
  { name: 'acceptance', roots: ['tests/acceptance'], args: ['--runInBand', '--testTimeout', '300000'], timeoutMs: 25 * 60_000 },
];

await main(async () => {
  const unitOnly = process.argv.includes('--unit');
  const filters = process.argv.slice(2).filter((word) => word !== '--unit');
  await ensureReady();
  const startedAt = Date.now();
  rmSync(RESULTS, { recursive: true, force: true });
  mkdirSync(RESULTS, { recursive: true });
  // Imported late: before the build these files are missing.
  const { interruption, startBackingServices } = await import(pathToFileURL(join(ROOT, 'packages/local-servers/dist/index.js')).href);
  const { signal } = interruption();
  const checks = filters.length === 0 && !unitOnly ? await runChecks(signal) : [];
  const services = unitOnly ? NO_SERVICES : await startBackingServices({ signal, onProgress: (line) => console.error(line) });
  const runs = [];
  let output = '';
  try {
    for (const { name, why } of services.missing) console.error(`MISSING ${name}: ${why}`);
    for (const tier of unitOnly ? [UNIT_TIER] : TIERS) {
      if (signal.aborted) break;
      const result = await runTier(tier, filters, services.variables);
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
  console.error(formatTimes((Date.now() - startedAt) / 1000, slowestFiles(runs)));
  console.error(formatSummary(summary));
  return summary.failures.length === 0 ? 0 : 1;
});

/** Runs all checks even after a failure, so that all failures are reported at once. */
async function runChecks(signal) {
  const done = [];
  for (const [name, [program, ...args]] of Object.entries(CHECKS)) {
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

async function runTier({ name, roots, args, timeoutMs }, filters, variables) {
  console.error(`\nTests: ${name}`);
  const { code, output, timedOut, results } = await runJest({
    args: [...filters, ...roots.flatMap((root) => ['--roots', join(ROOT, root)]), ...args, '--passWithNoTests'],
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
