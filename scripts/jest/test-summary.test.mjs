import { describe, expect, it } from '@jest/globals';
import { formatSummary, formatTimes, parseSkipLines, slowestFiles, summarise } from './test-summary.mjs';

const test = (status, fullName, title = fullName, ancestorTitles = []) => ({ status, fullName, title, ancestorTitles });
const suite = (name, ...assertionResults) => ({
  name,
  status: assertionResults.some(({ status }) => status === 'failed') ? 'failed' : 'passed',
  assertionResults,
});
const runOf = (code, ...testResults) => ({ name: 'unit', code, results: { testResults } });
const sum = (input) => summarise({ checks: [], runs: [], output: '', missing: [], hasProgram: () => false, ...input });

describe('summary of a test run', () => {
  it('counts tests of all runs', () => {
    const summary = sum({
      runs: [runOf(0, suite('a', test('passed', 'one'))), runOf(1, suite('b', test('passed', 'two'), test('failed', 'three')))],
    });
    expect(summary).toMatchObject({ passed: 2, failed: 1, failures: ['b: three'], skipped: [] });
  });

  it('counts a failed check', () => {
    expect(
      sum({
        checks: [
          { name: 'eslint', ok: false },
          { name: 'prettier', ok: true },
        ],
      }),
    ).toMatchObject({ failed: 1, failures: ['eslint'] });
  });

  it('counts a suite that did not load', () => {
    expect(sum({ runs: [runOf(1, { name: 'broken', status: 'failed', assertionResults: [] })] })).toMatchObject({
      failed: 1,
      failures: ['broken: did not load or broke off'],
    });
  });

  it('counts a run without results, and one that failed although all tests passed', () => {
    expect(sum({ runs: [{ name: 'unit', code: 137, results: undefined }] }).failures).toEqual([
      'unit: ended with code 137 and left no results',
    ]);
    expect(sum({ runs: [runOf(1, suite('a', test('passed', 'one')))] })).toMatchObject({
      passed: 1,
      failed: 1,
      failures: ['unit: ended with code 1 although no test failed'],
    });
  });

  it('finds the output of suites that skip themselves', () => {
    const output =
      'PASS a\nSKIPPED (no NATS_URL, S3_ENDPOINT): publishing (with acks)\n  console.warn\n    SKIPPED (no nginx): proxy\nnot SKIPPED (x): y\n';
    expect(parseSkipLines(output)).toEqual([
      { reason: 'no NATS_URL, S3_ENDPOINT', suite: 'publishing (with acks)' },
      { reason: 'no nginx', suite: 'proxy' },
    ]);
  });

  describe('reports for a skipped test', () => {
    const skippedFor = (input, pending = test('pending', 'publishing works', 'works', ['publishing'])) =>
      sum({ runs: [runOf(0, suite('a', pending))], ...input }).skipped.map(({ reason, avoidable }) => ({ reason, avoidable }));
    const nats = { output: 'SKIPPED (no NATS_URL): publishing\n', missing: [{ name: 'nats', why: 'no Go on this machine' }] };

    it('the missing service and the reason', () => {
      expect(skippedFor(nats)).toEqual([{ reason: 'no NATS_URL; no Go on this machine', avoidable: false }]);
    });

    it('that it could run where Go can build the service', () => {
      expect(skippedFor({ ...nats, hasProgram: (name) => name === 'go' })).toEqual([expect.objectContaining({ avoidable: true })]);
    });

    it('that it could run with the available service', () => {
      expect(skippedFor({ ...nats, missing: [] })).toEqual([{ reason: 'no NATS_URL', avoidable: true }]);
    });

    it('that Postgres is always available', () => {
      const input = { output: 'SKIPPED (no DATABASE_URL): publishing\n', missing: [{ name: 'postgres', why: 'initdb failed' }] };
      expect(skippedFor(input)).toEqual([{ reason: 'no DATABASE_URL; initdb failed', avoidable: true }]);
    });

    it('a program that this machine does not have', () => {
      const pending = test('pending', 'nginx.conf needs nginx', 'needs nginx', ['nginx.conf']);
      expect(skippedFor({}, pending)).toEqual([{ reason: 'no nginx', avoidable: false }]);
      expect(skippedFor({ hasProgram: (name) => name === 'nginx' }, pending)).toEqual([{ reason: 'no nginx', avoidable: true }]);
    });

    it('a missing reason', () => {
      expect(skippedFor({})).toEqual([{ reason: 'no reason given', avoidable: true }]);
      expect(skippedFor({}, test('todo', 'one day'))).toEqual([{ reason: 'no reason given', avoidable: true }]);
    });
  });

  it('lists files, reasons and failures', () => {
    const skipped = [1, 2].map((n) => ({ file: 'bus.int.test.ts', name: `test ${n}`, reason: 'no NATS_URL', avoidable: false }));
    const text = formatSummary({ passed: 3, failed: 1, failures: ['a.test.ts: adds'], skipped });
    expect(text).toContain('2 tests were SKIPPED:\n  no NATS_URL\n    bus.int.test.ts (2)');
    expect(text).toContain('FAILED:\n  a.test.ts: adds');
    expect(text.endsWith('3 passed, 1 failed, 2 skipped')).toBe(true);
  });
});

describe('durations of a run', () => {
  const file = (name, seconds) => ({ name, startTime: 1000, endTime: 1000 + seconds * 1000, assertionResults: [] });

  it('name the slowest files of all tiers, the slowest first', () => {
    const runs = [
      { results: { testResults: [file('a', 1), file('b', 3)] } },
      { results: undefined },
      { results: { testResults: [file('c', 2)] } },
    ];
    expect(slowestFiles(runs, 2)).toEqual([
      { name: 'b', seconds: 3 },
      { name: 'c', seconds: 2 },
    ]);
  });

  it('are printed with the total', () => {
    const text = formatTimes(12.6, 61.4, [{ name: 'b.test.ts', seconds: 3 }]);
    expect(text).toContain('building took 13 s');
    expect(text).toContain('tests took 61 s');
    expect(text).toContain('3.0 s  b.test.ts');
  });
});
