import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './bootstrap.mjs';
import { startCitus } from './servers/citus.mjs';
import { main } from './command.mjs';
import { runJest } from './jest/jest-run.mjs';
import { chooseRuns, formatTable, judge, listOfRuns, namePatternOf, NOT_ON_CITUS } from './long-runs.mjs';
import { startPlants } from './servers/plants-product.mjs';

/**
 * Runs `node scripts/launch.mjs long-runs [-- words]`: the long runs of docs/long-runs.md, one after another, each on servers of its own.
 * Words select runs and forms by name; `-- list` prints the names. Output and results are written to .cache/long-results.
 */
const RESULTS = join(ROOT, '.cache/long-results');

await main(async () => {
  const words = process.argv.slice(2);
  if (words.includes('list')) {
    console.log(listOfRuns());
    return 0;
  }
  const chosen = chooseRuns(words);
  rmSync(RESULTS, { recursive: true, force: true });
  mkdirSync(RESULTS, { recursive: true });
  // Imported late: before the build these files are missing.
  const { interruption, startBackingServices } = await import(pathToFileURL(join(ROOT, 'packages/local-servers/src/index.ts')).href);
  const { signal } = interruption();
  const rows = [];
  for (const { run, form } of chosen) {
    if (signal.aborted) break;
    const label = form === undefined ? run.name : `${run.name}-${form}`;
    console.error(`\nLong run: ${label}, ${run.title}`);
    const startedAt = Date.now();
    const verdict = await runOnOwnServers(run, form, label, { signal, startBackingServices }).then(judgeAll, (error) => ({
      passed: 0,
      problems: [error.message],
      figures: [],
    }));
    rows.push({ name: run.name, form, seconds: (Date.now() - startedAt) / 1000, ...verdict });
  }
  const table = formatTable(rows);
  writeFileSync(join(RESULTS, 'summary.txt'), `${table.trim()}\n`);
  console.error(table);
  if (signal.aborted) console.error(`${signal.reason.message}: ${chosen.length - rows.length} runs were not begun`);
  return !signal.aborted && rows.every(({ problems }) => problems.length === 0) ? 0 : 1;
});

function judgeAll(outcomes) {
  const verdicts = outcomes.map(judge);
  return {
    passed: verdicts.reduce((sum, { passed }) => sum + passed, 0),
    problems: verdicts.flatMap(({ problems }) => problems),
    figures: verdicts.flatMap(({ figures }) => figures),
  };
}

async function runOnOwnServers(run, form, label, { signal, startBackingServices }) {
  const services = await startBackingServices({ environment: process.env, signal, onProgress: (line) => console.error(line) });
  const cluster = run.citus ? startCitus() : undefined;
  try {
    for (const { name, why } of services.missing) console.error(`MISSING ${name}: ${why}`);
    const environment = { ...run.environment, ...givenOf(run.environment), ...services.variables, ...(await cluster)?.variables };
    const runTests = async (suffix, variables) => {
      const outcome = await runJest({
        args: ['--runTestsByPath', ...run.files, '--runInBand', '--testTimeout', '300000', ...namePatternOf(form)],
        resultFile: join(RESULTS, `${label}${suffix}.json`),
        timeoutMs: run.minutes * 60_000,
        variables: { ...environment, ...variables },
      });
      writeFileSync(join(RESULTS, `${label}${suffix}.log`), outcome.output);
      return outcome;
    };
    if (run.citus) for (const file of NOT_ON_CITUS) console.error(`EXCEPTED (asserts plans of statements): ${file}`);
    return run.plants ? await runOnPlants(environment, runTests) : [await runTests('', {})];
  } finally {
    await (await cluster?.catch(() => undefined))?.stop();
    await services.stop();
  }
}

/** Runs the tests against two plants at the same time. */
async function runOnPlants(environment, runTests) {
  const product = await startPlants(['north', 'south'], environment);
  try {
    return await Promise.all(product.urls.map(({ plant, url }) => runTests(`-${plant}`, { SINEBAR_URL: url })));
  } finally {
    await product.stop();
  }
}

/** Returns variables that are already set, for example for a shorter run. */
function givenOf(environment) {
  return Object.fromEntries(
    Object.keys(environment)
      .filter((name) => process.env[name] !== undefined)
      .map((name) => [name, process.env[name]]),
  );
}
