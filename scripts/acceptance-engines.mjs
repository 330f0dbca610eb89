import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './bootstrap.mjs';
import { main, run, ScriptError } from './command.mjs';
import {
  buildImages,
  buildPreviousImages,
  prepareCluster,
  prepareDocker,
  PREVIOUS_VARIABLES,
  removeStacks,
  VARIABLES,
} from './engines.mjs';
import { formatSummary } from './jest/summary.mjs';

/**
 * Runs `npm run acceptance:engines [-- --short] [compose|cluster]`: tests/engines on images of the checkout, in a docker engine and in a
 * Kubernetes cluster (docs/engines.md). What is missing is printed, and its tests are skipped.
 * Results are written to .cache/engine-results: summary.json, and that of each kind.
 */
const RESULTS = join(ROOT, '.cache/engine-results');
const KINDS = ['compose', 'cluster'];
const MINUTES = { short: 20, full: 120 };
const TEST_TIMEOUT_MS = 10 * 60_000;

await main(async () => {
  const words = process.argv.slice(2);
  const isShort = words.includes('--short');
  const named = words.filter((word) => word !== '--short');
  const unknown = named.find((word) => !KINDS.includes(word));
  if (unknown !== undefined)
    throw new ScriptError(`"${unknown}" is unknown. Use: npm run acceptance:engines [-- --short] [${KINDS.join('|')}]`);
  const kinds = named.length === 0 ? KINDS : named;

  const startedAt = Date.now();
  rmSync(RESULTS, { recursive: true, force: true });
  mkdirSync(RESULTS, { recursive: true });
  const variables = { ...VARIABLES, ENGINES_SHORT: isShort ? '1' : '0' };
  const missing = [];
  const skip = (name, why) => {
    console.error(`SKIPPED (${why}): the tests of ${name}`);
    missing.push({ name, why });
  };
  const noDocker = await prepareDocker();
  if (noDocker === undefined) {
    await buildImages();
    const noPrevious = isShort ? 'not in the short form' : await buildPreviousImages();
    if (noPrevious === undefined) Object.assign(variables, PREVIOUS_VARIABLES);
    else console.error(`No images of an earlier version: ${noPrevious}`);
  }

  const preparedAt = Date.now();
  const summary = { passed: 0, failed: 0, failures: [], skipped: [], figures: [], missing };
  const runTests = async (name) => {
    const jest = ['--experimental-vm-modules', join(ROOT, 'node_modules/jest/bin/jest.js'), '--selectProjects', 'engines', '--runInBand'];
    const { code, timedOut } = await run(
      [process.execPath, ...jest, '--testTimeout', String(TEST_TIMEOUT_MS), `tests/engines/src/${name}/`],
      {
        cwd: ROOT,
        stdio: ['ignore', 'inherit', 'inherit'],
        timeoutMs: MINUTES[isShort ? 'short' : 'full'] * 60_000,
        env: { ...process.env, ...variables, TEST_RESULTS: join(RESULTS, name) },
      },
    );
    const file = join(RESULTS, name, 'summary.json');
    const found = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { failures: [] };
    for (const key of ['passed', 'failed']) summary[key] += found[key] ?? 0;
    for (const key of ['failures', 'skipped', 'figures']) summary[key].push(...(found[key] ?? []));
    if (code === 0 || found.failures.length > 0) return;
    summary.failed += 1;
    summary.failures.push(
      timedOut ? `the tests of ${name} took longer than allowed and were ended` : `the tests of ${name} ended with code ${code}`,
    );
  };
  if (kinds.includes('compose')) {
    if (noDocker === undefined) await runTests('compose').finally(removeStacks);
    else skip('compose', noDocker);
  }
  if (kinds.includes('cluster')) {
    const { kubeconfig, why, stop } = noDocker === undefined ? await prepareCluster() : { why: noDocker };
    if (why === undefined) {
      variables.KUBECONFIG = kubeconfig;
      await runTests('cluster').finally(stop);
    } else skip('the cluster', why);
  }
  // Tests of the other form are not missed.
  summary.skipped = summary.skipped.map((test) => ({ ...test, reason: test.reason.replace('no reason given', 'not in the short form') }));
  writeFileSync(join(RESULTS, 'summary.json'), `${JSON.stringify(summary, undefined, 2)}\n`);
  console.error(`Images took ${Math.round((preparedAt - startedAt) / 1000)} s, tests ${Math.round((Date.now() - preparedAt) / 1000)} s.`);
  for (const { name, why } of missing) console.error(`SKIPPED (${why}): the tests of ${name}`);
  console.error(formatSummary(summary));
  return summary.failures.length === 0 ? 0 : 1;
});
