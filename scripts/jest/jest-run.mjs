import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from '../bootstrap.mjs';
import { run } from '../command.mjs';

/** Workers inherit these flags, products that tests start do not. Test files load many modules: larger new space, fewer collections. */
const JEST_FLAGS = ['--max-semi-space-size=64'];

/**
 * Runs jest once, shows its messages and reads its results.
 * @param {{ args: readonly string[], resultFile: string, timeoutMs: number, variables: Record<string, string> }} options `variables` are
 * added to the environment
 * @returns {Promise<{ code: number, output: string, timedOut: boolean, results: object | undefined }>} `results` is the JSON output of
 * jest, with file names relative to the workspace
 */
export async function runJest({ args, resultFile, timeoutMs, variables }) {
  mkdirSync(dirname(resultFile), { recursive: true });
  rmSync(resultFile, { force: true });
  const commandLine = [
    process.execPath,
    ...JEST_FLAGS,
    join(ROOT, 'node_modules/jest/bin/jest.js'),
    ...args,
    '--json',
    '--outputFile',
    resultFile,
    ...(process.stderr.isTTY ? ['--colors'] : []),
  ];
  const { code, output, timedOut } = await run(commandLine, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeoutMs,
    env: {
      ...process.env,
      ...variables,
      // Node still calls its interface for native modules in jest experimental.
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`.trim(),
    },
    // With --json the results are repeated on stdout; all other output is on stderr.
    onOutput: (text, stream) => (stream === 'stderr' ? process.stderr.write(text) : undefined),
  });
  const results = existsSync(resultFile) ? JSON.parse(readFileSync(resultFile, 'utf8')) : undefined;
  for (const suite of results?.testResults ?? []) suite.name = relative(ROOT, suite.name);
  return { code, output, timedOut, results };
}
