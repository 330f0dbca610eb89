import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureReady, ROOT } from './bootstrap.mjs';
import { main } from './command.mjs';
import { runJest } from './jest/jest-run.mjs';
import { chooseRuns, formatTable, judge, listOfRuns, namePatternOf } from './long-runs.mjs';

/**
 * Runs `npm run acceptance:long [-- words]`: the long runs of docs/long-runs.md, one after another, each on servers of its own.
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
  await ensureReady();
  rmSync(RESULTS, { recursive: true, force: true });
  mkdirSync(RESULTS, { recursive: true });
  // Imported late: before the build these files are missing.
  const { interruption, startBackingServices } = await import(pathToFileURL(join(ROOT, 'packages/local-servers/dist/index.js')).href);
  const { signal } = interruption();
  const rows = [];
  for (const { run, form } of chosen) {
    if (signal.aborted) break;
    const label = form === undefined ? run.name : `${run.name}-${form}`;
    console.error(`\nLong run: ${label}, ${run.title}`);
    const startedAt = Date.now();
    const verdict = await runOnOwnServers(run, form, label, { signal, startBackingServices }).then(judge, (error) => ({
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

async function runOnOwnServers(run, form, label, { signal, startBackingServices }) {
  const services = await startBackingServices({ signal, onProgress: (line) => console.error(line) });
  try {
    for (const { name, why } of services.missing) console.error(`MISSING ${name}: ${why}`);
    const outcome = await runJest({
      args: ['--runTestsByPath', ...run.files, '--runInBand', '--testTimeout', '300000', ...namePatternOf(form)],
      resultFile: join(RESULTS, `${label}.json`),
      timeoutMs: run.minutes * 60_000,
      variables: { ...run.environment, ...givenOf(run.environment), ...services.variables },
    });
    writeFileSync(join(RESULTS, `${label}.log`), outcome.output);
    return outcome;
  } finally {
    await services.stop();
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
