import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from './bootstrap.mjs';
import {
  cellsOf,
  coverage,
  coverageProblems,
  decisionsOf,
  entriesOf,
  pageOf,
  registerProblems,
  statementsOf,
  testsOf,
} from './spec-coverage.mjs';

const read = (path) => readFileSync(join(ROOT, path), 'utf8');

describe('docs/spec-coverage.md', () => {
  const { problems, pageIsCurrent } = coverage();

  it('has a test or an exception for each statement of the specification, and no unknown id', () => {
    expect(problems).toEqual([]);
  });

  it('is current; otherwise run node scripts/spec-coverage.mjs', () => {
    expect(pageIsCurrent).toBe(true);
  });
});

/** Returns the tests that the tables of docs/security.md name as `file` › title; title. Text behind a comma and in parentheses explains. */
function guardProofs(markdown) {
  return markdown
    .split('\n')
    .filter((line) => /^\|.*\.test(-case)?\.ts`/.test(line))
    .flatMap((line) => {
      let path;
      return (cellsOf(line).at(-1) ?? '').split(/; |, (?=`)/).map((piece) => {
        const [, named, text = ''] = /^`([^`]+)`(.*)$/.exec(piece) ?? [undefined, path, ` › ${piece}`];
        path = named;
        return { path, title: text.startsWith(' › ') ? text.slice(3) : undefined };
      });
    });
}

describe('docs/security.md', () => {
  const proofs = guardProofs(read('docs/security.md'));

  it('names for each guard tests that exist', () => {
    const missing = proofs.filter(
      ({ path, title }) =>
        !existsSync(join(ROOT, path)) || (title !== undefined && !testsOf(read(path), path).some(({ titles }) => titles.at(-1) === title)),
    );
    expect(missing).toEqual([]);
  });

  it('has a test in each row of its guards', () => {
    expect(proofs.length).toBeGreaterThan(40);
  });
});

describe('tests with ids', () => {
  it('are found with the titles around them, without skipped ones', () => {
    const source = `
      describe.each([1])('outer %s [I1]', () => {
        describeWith(['postgres'], 'inner', () => {
          it('works [I2, D1.5]', () => undefined);
          it.each<[string]>([['it("no [I9]")']])('takes %s [0.5]', () => undefined);
          it(\`runs \${COUNT} times [R7-R10, D2.9-D2.11]\`, () => undefined);
          it.skip('is skipped [I3]', () => undefined);
          expect('works not [I4]').toBe(1);
        });
      });`;
    expect(testsOf(source).map(({ titles, ids }) => [titles.join(' › '), ids.join(' ')])).toEqual([
      ['outer %s', 'I1'],
      ['outer %s › inner', ''],
      ['outer %s › inner › works', 'I2 D1.5'],
      ['outer %s › inner › takes %s [0.5]', ''],
      ['outer %s › inner › runs ${COUNT} times', 'R7 R8 R9 R10 D2.9 D2.10 D2.11'],
    ]);
  });

  const entries = [1, 2, 3].map((number) => ({ document: 'd.md', place: 'A', id: `I${number}`, text: `Statement ${number}.` }));

  it.each([
    ['a statement without test', "it('a [I1, I2]')", {}, 'I3 has no test: Statement 3.'],
    ['an unknown id', "it('a [I1-I3, X7]')", {}, 'a.test.ts › a: X7 is no statement'],
    ['a range that is no range', "it('a [I1-I3, I3-I2]')", {}, 'a.test.ts › a: I3-I2 is no statement'],
    ['an id twice in one title', "it('a [I1-I3, I2]')", {}, 'a.test.ts › a: I2 stands twice'],
    ['an id in a title and around it', "describe('a [I1-I3]', () => it('b [I3]'))", {}, 'a.test.ts › a › b: I3 stands twice'],
    ['an exception with a test', "it('a [I1-I3]')", { 'not a requirement: x': ['I1'] }, 'I1 is not a requirement, but has a test'],
    ['an unknown exception', "it('a [I1-I3]')", { 'open: x': ['I1', 'I4'] }, 'exception I4 is no statement'],
    [
      'an exception without reason',
      "it('a [I1, I2]')",
      { 'open: ': ['I3'] },
      'exception I3: the reason begins with "not a requirement: " or "open: "',
    ],
  ])('report %s', (_, source, exceptions, problem) => {
    expect(coverageProblems(entries, testsOf(source, 'a.test.ts'), exceptions)).toEqual([problem]);
  });

  it('make a page with a row for each statement', () => {
    const page = pageOf(entries, testsOf("describe('a|b', () => it('c [I1, I2]'))", 'a.test.ts'), { 'open: x': ['I2', 'I3'] });
    expect(page.slice(page.indexOf('##'))).toBe(
      [
        '## d.md\n\n### A\n\n| id | requirement | proved by |\n|---|---|---|',
        '| I1 | Statement 1. | `a.test.ts` › a\\|b › c |',
        '| I2 | Statement 2. | open: x<br>`a.test.ts` › a\\|b › c |',
        '| I3 | Statement 3. | open: x |\n',
      ].join('\n'),
    );
  });
});

describe('statements of the specification', () => {
  const markdown = ['# T', 'First. Second.', '## A', '| h | i |', '|---|---|', '| `x|y` | one |', '**B**', '', '1. Rule **one**.', 'Last.'];
  const statements = statementsOf(markdown.join('\n'));
  const register = {
    '': { I1: 'First.', I2: 'Second.' },
    A: { I3: 'x|y · one', I5: 'Last.' },
    'A / B': { I4: 'Rule one.' },
  };
  const problems = (places) => registerProblems('d.md', statements, entriesOf({ statements: { 'd.md': places } }));

  it('are table rows, list items and paragraphs with the headings above them', () => {
    expect(statements.map(({ place, text }) => [place, text])).toEqual([
      ['', 'First. Second.'],
      ['A', 'x|y · one'],
      ['A / B', 'Rule one.'],
      ['A', 'Last.'],
    ]);
  });

  it('are all in the register, word by word', () => {
    expect(problems(register)).toEqual([]);
    expect(problems({ ...register, '': { I1: 'First.' } })).toEqual([
      expect.stringContaining('has "Second." in "" where the register has I3'),
    ]);
    expect(problems({ ...register, A: { I3: 'x|y · two', I5: 'Last.' } })).toEqual([expect.stringContaining('has "x|y · one"')]);
    expect(problems({ ...register, 'A / B': {} })).toEqual([
      expect.stringContaining('has "Rule one." in "A / B" where the register has no more'),
    ]);
    expect(problems({ ...register, C: { I6: 'Gone.' } })).toEqual([expect.stringContaining('I6 is not in d.md')]);
  });

  it('are decisions over several lines, and sections without numbers', () => {
    const decisions = decisionsOf('# T\nintro\n## 1. One\n1. a\n   b\n\n2. c\n## 9. Nine\nall of\nit');
    expect(decisions).toEqual([
      { id: 'D1.1', place: '1. One', text: 'a b' },
      { id: 'D1.2', place: '1. One', text: 'c' },
      { id: 'D9', place: '9. Nine', text: 'all of it' },
    ]);
    expect(registerProblems('d.md', decisions, decisions)).toEqual([]);
    expect(registerProblems('d.md', decisions, [{ ...decisions[0], id: 'D1.3' }, ...decisions.slice(1)])).toHaveLength(1);
  });
});
