import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ROOT } from '../bootstrap.mjs';
import SummaryReporter from './summary-reporter.mjs';

describe('the summary of a run', () => {
  const before = { notes: process.env.JEST_NOTES, results: process.env.TEST_RESULTS };
  let folder;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sinebar-summary-'));
    process.env.TEST_RESULTS = folder;
  });
  afterEach(() => {
    for (const [name, value] of [
      ['JEST_NOTES', before.notes],
      ['TEST_RESULTS', before.results],
    ]) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    rmSync(folder, { recursive: true });
  });

  /** Reports one file with one skipped test. */
  async function summaryOf(globalConfig) {
    const reporter = new SummaryReporter(globalConfig, { isWhole: false, isLong: false });
    reporter.onRunStart();
    const test = { status: 'pending', title: 'works', fullName: 'a proxy works', ancestorTitles: ['a proxy'] };
    const file = { testFilePath: join(ROOT, 'a.test.ts'), testResults: [test], perfStats: { start: 0, end: 1 } };
    await reporter.onRunComplete([], { testResults: [file], startTime: Date.now() });
    return JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
  }

  it.each([{}, { testNamePattern: undefined }, { testNamePattern: '' }])(
    'lists skipped tests where no name is chosen (%j)',
    async (config) => {
      expect((await summaryOf(config)).skipped).toMatchObject([{ file: 'a.test.ts', name: 'a proxy works' }]);
    },
  );

  it('lists none where only tests with some names run, since jest reports all others as skipped', async () => {
    expect((await summaryOf({ testNamePattern: 'something else' })).skipped).toEqual([]);
  });
});
