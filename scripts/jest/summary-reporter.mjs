import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { ROOT } from '../bootstrap.mjs';
import { runChecks } from '../checks.mjs';
import { missing } from './servers.mjs';
import { formatFiles, formatSummary, hasProgram, summarise } from './summary.mjs';

/**
 * Writes `summary.json` into `.cache/test-results`, or into the folder of `TEST_RESULTS`, and prints the slowest files, skipped tests and
 * failures. Beside a whole run it runs the checks.
 */
export default class SummaryReporter {
  constructor({ testNamePattern }, { isWhole, isLong }) {
    this.testNamePattern = testNamePattern;
    this.isWhole = isWhole;
    this.isLong = isLong;
    this.folder = resolve(ROOT, process.env.TEST_RESULTS ?? '.cache/test-results');
  }

  onRunStart() {
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder, { recursive: true });
    // Tests append what the summary repeats (packages/testing/src/notes.ts).
    process.env.JEST_NOTES = join(this.folder, 'notes.txt');
    this.checking = this.isWhole ? runChecks(new AbortController().signal) : Promise.resolve([]);
  }

  async onRunComplete(_contexts, { testResults, startTime }) {
    const checks = await this.checking;
    const files = testResults.map(toFile);
    const notes = existsSync(process.env.JEST_NOTES) ? readFileSync(process.env.JEST_NOTES, 'utf8') : '';
    const summary = summarise({ checks, files, notes, missing, hasProgram, isSelection: Boolean(this.testNamePattern) });
    writeFileSync(join(this.folder, 'summary.json'), `${JSON.stringify(summary, undefined, 2)}\n`);
    console.error(formatFiles(files, (Date.now() - startTime) / 1000, this.isLong ? files.length : 10));
    console.error(formatSummary(summary));
    const failedChecks = checks.filter(({ ok }) => !ok).map(({ name }) => name);
    if (failedChecks.length > 0) this.error = new Error(`Checks failed: ${failedChecks.join(', ')}`);
  }

  /** A failed check fails the run. */
  getLastError() {
    return this.error;
  }
}

function toFile({ testFilePath, testResults, testExecError, perfStats: { start, end } }) {
  return {
    name: relative(ROOT, testFilePath),
    tests: testResults,
    brokeOff: testExecError != null,
    seconds: Math.max(0, end - start) / 1000,
  };
}
