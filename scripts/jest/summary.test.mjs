import { describe, expect, it } from '@jest/globals';
import { formatFiles, formatSummary, parseSkipLines, summarise } from './summary.mjs';

const test = (status, fullName, title = fullName, ancestorTitles = []) => ({ status, fullName, title, ancestorTitles });
const file = (name, ...tests) => ({ name, tests, brokeOff: false, seconds: 1 });
const sum = (input) => summarise({ checks: [], files: [], notes: '', missing: [], hasProgram: () => false, isSelection: false, ...input });

describe('summary of a test run', () => {
  it('counts tests of all files', () => {
    const summary = sum({ files: [file('a', test('passed', 'one')), file('b', test('passed', 'two'), test('failed', 'three'))] });
    expect(summary).toMatchObject({ passed: 2, failed: 1, failures: ['b: three'], skipped: [] });
  });

  it('counts a failed check', () => {
    expect(
      sum({
        checks: [
          { name: 'oxlint', ok: false },
          { name: 'prettier', ok: true },
        ],
      }),
    ).toMatchObject({ failed: 1, failures: ['oxlint'] });
  });

  it('counts a suite that did not load', () => {
    expect(sum({ files: [{ ...file('broken'), brokeOff: true }] })).toMatchObject({
      failed: 1,
      failures: ['broken: did not load or broke off'],
    });
  });

  it('leaves out tests that were not selected by name', () => {
    const files = [file('a', test('passed', 'one'), test('pending', 'two'))];
    expect(sum({ files, isSelection: true })).toMatchObject({ passed: 1, skipped: [] });
    expect(sum({ files }).skipped).toHaveLength(1);
  });

  it('repeats figures', () => {
    expect(sum({ notes: 'FIGURES s3 killed 50 times\nconsole FIGURES no\n' }).figures).toEqual(['s3 killed 50 times']);
  });

  it('reads the notes of suites that skip themselves', () => {
    const notes = 'SKIPPED (no NATS_URL, S3_ENDPOINT): publishing (with acks)\nSKIPPED (no nginx): proxy\nnot SKIPPED (x): y\n';
    expect(parseSkipLines(notes)).toEqual([
      { reason: 'no NATS_URL, S3_ENDPOINT', suite: 'publishing (with acks)' },
      { reason: 'no nginx', suite: 'proxy' },
    ]);
  });

  describe('reports for a skipped test', () => {
    const skippedFor = (input, pending = test('pending', 'publishing works', 'works', ['publishing'])) =>
      sum({ files: [file('a', pending)], ...input }).skipped.map(({ reason, avoidable }) => ({ reason, avoidable }));
    const nats = { notes: 'SKIPPED (no NATS_URL): publishing\n', missing: [{ name: 'nats', why: 'no Go on this machine' }] };

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
      const input = { notes: 'SKIPPED (no DATABASE_URL): publishing\n', missing: [{ name: 'postgres', why: 'initdb failed' }] };
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
    const text = formatSummary({ passed: 3, failed: 1, failures: ['a.test.ts: adds'], skipped, figures: ['3 acknowledged'] });
    expect(text).toContain('2 tests were SKIPPED:\n  no NATS_URL\n    bus.int.test.ts (2)');
    expect(text).toContain('  3 acknowledged');
    expect(text).toContain('FAILED:\n  a.test.ts: adds');
    expect(text.endsWith('3 passed, 1 failed, 2 skipped')).toBe(true);
  });
});

describe('the table of files', () => {
  const files = [
    { ...file('a', test('passed', 'one')), seconds: 1 },
    { ...file('b', test('passed', 'one'), test('failed', 'two')), seconds: 3 },
    { ...file('c'), seconds: 2 },
  ];

  it('names the slowest, the slowest first', () => {
    const text = formatFiles(files, 61.4, 2);
    expect(text).toContain('The run took 61 s.');
    expect(text).toMatch(/ 3\.0 s +1 +1 {2}b\n +2\.0 s +0 +0 {2}c$/);
  });
});
