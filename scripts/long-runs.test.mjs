import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from './bootstrap.mjs';
import { chooseRuns, formatTable, FORMS, judge, listOfRuns, LONG_RUNS, namePatternOf } from './long-runs.mjs';

const chosenBy = (...words) => chooseRuns(words).map(({ run, form }) => (form === undefined ? run.name : `${run.name} ${form}`));

describe('long runs', () => {
  it('have different names and existing tests', () => {
    const names = LONG_RUNS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const file of LONG_RUNS.flatMap(({ files }) => files)) expect([file, existsSync(join(ROOT, file))]).toEqual([file, true]);
  });

  it('contain every test whose size is set by the environment', () => {
    const variables = [...new Set(LONG_RUNS.flatMap(({ environment }) => Object.keys(environment)))];
    const sources = ['apps', 'packages', 'services', 'tests'].flatMap(sourceFolders).flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => ({ path: `${folder}/${file}`, text: readFileSync(join(ROOT, folder, file), 'utf8') })),
    );
    const sized = sources.filter(({ text }) => variables.some((variable) => text.includes(`process.env['${variable}']`)));
    expect(sized.length).toBeGreaterThan(5);
    // A helper of tests counts through the tests that import it.
    const tests = sized.flatMap(({ path, text }) =>
      path.endsWith('.test.ts')
        ? [{ path, text }]
        : sources.filter((test) => test.path.endsWith('.test.ts') && test.text.includes(`/${basename(path, '.ts')}.ts'`)),
    );
    const missing = tests.map(({ path }) => path).filter((path) => !LONG_RUNS.some(({ files }) => files.includes(path)));
    expect([...new Set(missing)]).toEqual([]);
  });

  it('of both forms name the form in their tests', () => {
    for (const file of LONG_RUNS.filter(({ forms }) => forms).flatMap(({ files }) => files)) {
      const text = readFileSync(join(ROOT, file), 'utf8');
      expect([file, /describe[^\n]*(on|,) \$(\{kind\.name\}|name)/.test(text)]).toEqual([file, true]);
    }
    const [, pattern] = namePatternOf('distributed');
    expect('files on distributed are whole').toMatch(new RegExp(pattern));
    expect('archives, distributed on a system Postgres give').toMatch(new RegExp(pattern));
    expect('files on standalone are whole').not.toMatch(new RegExp(pattern));
    expect(namePatternOf(undefined)).toEqual([]);
  });

  it('are chosen by name, by the beginning of the name and by form', () => {
    expect(chosenBy().length).toBe(LONG_RUNS.length + LONG_RUNS.filter(({ forms }) => forms).length * (FORMS.length - 1));
    expect(chosenBy('files')).toEqual(['files standalone', 'files distributed']);
    expect(chosenBy('files', 'distributed')).toEqual(['files distributed']);
    expect(chosenBy('distributed', 'plan')).toEqual(['plan']);
    expect(chosenBy('fuzz').every((name) => name.startsWith('fuzz-'))).toBe(true);
    expect(chosenBy('fuzz').length).toBeGreaterThan(3);
    expect(chosenBy('standalone').every((name) => name.endsWith(' standalone'))).toBe(true);
    expect(() => chosenBy('file')).toThrow(/no long run "file".*\n.*measurements/);
    for (const { name } of LONG_RUNS) expect(listOfRuns()).toContain(name);
  });

  it('are described in docs/long-runs.md', () => {
    const text = readFileSync(join(ROOT, 'docs/long-runs.md'), 'utf8');
    for (const { name, environment } of LONG_RUNS) {
      expect(text).toMatch(new RegExp(`^\\| \`${name}\` +\\|`, 'm'));
      for (const [variable, value] of Object.entries(environment)) expect(text).toContain(`\`${variable}=${value}\``);
    }
  });
});

describe('result of a long run', () => {
  const test = (status, fullName) => ({ status, fullName });
  const results = (...assertionResults) => ({
    testResults: [
      { name: 'a.test.ts', status: assertionResults.some(({ status }) => status === 'failed') ? 'failed' : 'passed', assertionResults },
    ],
  });
  const outcome = (more) => ({ code: 0, output: '', timedOut: false, results: results(test('passed', 'one')), ...more });

  it('counts passed tests, and leaves out those of the other form', () => {
    const output = 'x\n  FIGURES s3 killed 50 times: 3 acknowledged\n console FIGURES no\n';
    expect(judge(outcome({ output, results: results(test('passed', 'one'), test('pending', 'other form')) }))).toEqual({
      passed: 1,
      problems: [],
      figures: ['s3 killed 50 times: 3 acknowledged'],
    });
  });

  it.each([
    ['a failed test', { code: 1, results: results(test('passed', 'one'), test('failed', 'two')) }, ['two']],
    [
      'a file that did not load',
      { code: 1, results: { testResults: [{ name: 'b.ts', status: 'failed', assertionResults: [] }] } },
      ['b.ts did not load or broke off'],
    ],
    ['an end that nothing explains', { code: 7 }, ['ended with code 7 although no test failed']],
    ['too much time', { code: 137, timedOut: true, results: undefined }, ['took too long and was ended']],
    [
      'nothing that ran',
      { output: 'SKIPPED (no NATS_URL): files\n', results: results(test('pending', 'one')) },
      ['nothing ran; files: no NATS_URL'],
    ],
  ])('is a failure for %s', (_what, more, problems) => {
    expect(judge(outcome(more)).problems).toEqual(problems);
  });

  it('is printed in a table', () => {
    const row = { name: 'files', form: 'standalone', passed: 3, problems: [], figures: ['3 acknowledged'], seconds: 125 };
    const table = formatTable([row, { ...row, name: 'plan', form: undefined, problems: ['two'], figures: [], seconds: 5 }]);
    expect(table).toMatch(/^files +standalone +3 +0 +2 min 05$/m);
    expect(table).toMatch(/^plan +3 +1 +0 min 05\n {4}FAILED: two$/m);
    expect(table).toContain('    3 acknowledged');
    expect(table).toContain('1 of 2 long runs FAILED');
    expect(formatTable([row])).toContain('1 long runs, none failed');
  });
});

function sourceFolders(parent) {
  return readdirSync(join(ROOT, parent))
    .map((name) => `${parent}/${name}/src`)
    .filter((folder) => existsSync(join(ROOT, folder)));
}
