import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './compose-stack.ts';

interface AcceptanceResult {
  passed: number;
  /** Messages of the failed tests. */
  failures: string[];
}

interface JestResults {
  numPassedTests: number;
  testResults: { message: string; status: string; assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[];
}

const TIMEOUT_MS = 10 * 60_000;

/** Runs a file of `tests/acceptance` on the server at `url`, in a jest of its own. */
export async function runAcceptance(spec: string, url: string): Promise<AcceptanceResult> {
  const resultFile = join(tmpdir(), `sinebar-acceptance-${process.pid}.json`);
  const file = `tests/acceptance/src/specs/${spec}.acceptance.test.ts`;
  const args = [
    '--runTestsByPath',
    file,
    '--runInBand',
    '--testTimeout',
    '120000',
    '--json',
    '--outputFile',
    resultFile,
    '--reporters',
    'default',
  ];
  const child = spawn(process.execPath, ['--experimental-vm-modules', join(ROOT, 'node_modules/jest/bin/jest.js'), ...args], {
    cwd: ROOT,
    env: { ...process.env, SINEBAR_URL: url },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  try {
    const { numPassedTests, testResults } = JSON.parse(readFileSync(resultFile, 'utf8')) as JestResults;
    const failures = testResults.flatMap(({ message, status, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === 'failed');
      if (failed.length === 0 && status === 'failed') return [message];
      return failed.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join('\n')}`);
    });
    return { passed: numPassedTests, failures };
  } catch (error) {
    throw new Error(`${file} left no results:\n${output.slice(-4000)}`, { cause: error });
  } finally {
    rmSync(resultFile, { force: true });
  }
}
