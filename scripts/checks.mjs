import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './bootstrap.mjs';
import { main, run } from './command.mjs';

/** The checks of `npm run check` and `npm test`, with the options of their programs. */
const CHECKS = [
  { name: 'oxlint', program: 'node_modules/oxlint/bin/oxlint', args: [] },
  { name: 'layout', program: 'scripts/layout.mjs', args: [] },
  { name: 'prettier', program: 'node_modules/prettier/bin/prettier.cjs', args: ['--check', '.'], cache: '.cache/prettier' },
  { name: 'types', program: 'node_modules/@typescript/native/bin/tsc', args: [] },
  { name: 'types of the page', program: 'node_modules/@typescript/native/bin/tsc', args: ['--project', 'apps/console'] },
  { name: 'unused code and dependencies', program: 'node_modules/knip/bin/knip.js', args: ['--no-progress'] },
];
const TIMEOUT_MS = 40 * 60_000;

/**
 * Runs all checks one after the other, even after a failure, so that all failures are reported at once.
 * A file whose content has been checked is not checked again, unless the check failed: its failure may be corrected in another file.
 * @param {AbortSignal} signal starts no further check
 * @returns {Promise<{ name: string, ok: boolean }[]>}
 */
export async function runChecks(signal) {
  const done = [];
  for (const { name, program, args, cache } of CHECKS) {
    if (signal.aborted) break;
    console.error(`Checking: ${name} …`);
    const caching = cache === undefined ? [] : ['--cache', '--cache-strategy', 'content', '--cache-location', cache];
    const { code, output } = await run([process.execPath, join(ROOT, program), ...args, ...caching], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeoutMs: TIMEOUT_MS,
    });
    if (code !== 0) {
      console.error(`${output.trimEnd()}\nFAILED: ${name}`);
      if (cache !== undefined) rmSync(join(ROOT, cache), { force: true });
    }
    done.push({ name, ok: code === 0 });
  }
  return done;
}

if (process.argv[1] === import.meta.filename) {
  await main(async () => {
    return (await runChecks(new AbortController().signal)).every(({ ok }) => ok) ? 0 : 1;
  });
}
