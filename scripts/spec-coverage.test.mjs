import { describe, expect, it } from '@jest/globals';
import { coverage, coverageProblems, pageOf, registerProblems, testsOf } from './spec-coverage.mjs';

describe('the specification', () => {
  it('has a test or an exception for each statement, and no test names an unknown one', () => {
    const { problems, page } = coverage();
    expect(problems).toEqual([]);
    expect(page.split('\n').length).toBeGreaterThan(400);
  });
});

describe('tests with ids', () => {
  it('are found, without skipped ones', () => {
    const source = `
      describe.each([1])('outer %s [I1]', () => {
        describeWith(['postgres'], 'inner [I2]', () => {
          it('works', () => undefined);
          it.each<[string]>([['it("no [I9]")']])(
            'takes %s [D1.5, I3]', () => undefined);
          it(\`runs \${COUNT} times [R7-R10, D2.9-D2.11]\`, () => undefined);
          it.skip('is skipped [I4]', () => undefined);
          expect('works not [I5]').toBe(1);
        });
      });`;
    expect(testsOf(source).map(({ title, ids }) => [title, ids.join(' ')])).toEqual([
      ['outer %s', 'I1'],
      ['inner', 'I2'],
      ['takes %s', 'D1.5 I3'],
      ['runs ${COUNT} times', 'R7 R8 R9 R10 D2.9 D2.10 D2.11'],
    ]);
  });

  const statements = { I1: 'First.', I2: 'a|b', I3: 'Third.' };

  it.each([
    ['a statement without test', ['I1', 'I2'], {}, 'I3 has no test: Third.'],
    ['an unknown id', ['I1', 'I2', 'I3', 'X7'], {}, 'a: X7 is no statement'],
    ['a range that is no range', ['I1', 'I2', 'I3', 'I3-I2'], {}, 'a: I3-I2 is no statement'],
    ['an exception with a test', ['I1', 'I2', 'I3'], { 'not a requirement: x': ['I1'] }, 'I1 is not a requirement, but has a test'],
    ['an unknown exception', ['I1', 'I2', 'I3'], { 'open: x': ['I1', 'I4'] }, 'exception I4 is no statement'],
    ['an exception without reason', ['I1', 'I2'], { 'open: ': ['I3'] }, 'exception I3: "open: " is no reason'],
  ])('report %s', (_, ids, exceptions, problem) => {
    expect(coverageProblems(statements, [{ title: 'a', ids }], exceptions)).toEqual([problem]);
  });

  it('make a page with a row for each statement', () => {
    const page = pageOf(statements, [{ file: 'a.test.ts', title: 'a|b', ids: ['I1', 'I2'] }], { 'open: x': ['I2', 'I3'] });
    expect(page.split('\n').slice(4)).toEqual([
      '| I1 | First. | `a.test.ts` › a\\|b |',
      '| I2 | a\\|b | open: x<br>`a.test.ts` › a\\|b |',
      '| I3 | Third. | open: x |',
      '',
    ]);
  });
});

describe('the register of statements', () => {
  const markdown =
    '# T\nFirst. Second.\n\n## A\n| h | i |\n|---|---|\n| `x|y` | one |\n\n**B**\n\n1. Rule **one**.\n2. Rule\n   two.\n\nLast.';
  const register = {
    '': { I1: 'First.', I2: 'Second.' },
    A: { I3: 'x|y · one', I5: 'Last.' },
    'A / B': { I4: 'Rule one.', I6: 'Rule two.' },
  };

  it.each([
    ['complete', register, []],
    ['half a paragraph', { ...register, '': { I1: 'First.' } }, ['not in the register: Second.']],
    [
      'another word in a table',
      { ...register, A: { I3: 'x|y · two', I5: 'Last.' } },
      ['I3 is not in the document: x y two', 'not in the register: x y one'],
    ],
    ['no rule', { ...register, 'A / B': { I4: 'Rule one.' } }, ['not in the register: Rule two.']],
    ['no heading above a list', { '': register[''], A: { ...register.A, ...register['A / B'] } }, ['not in the register: B']],
    ['a statement that the document lacks', { ...register, C: { I7: 'Gone.' } }, ['I7 is not in the document: Gone.']],
    ['an empty statement', { ...register, C: { I7: '' } }, ['I7 is not in the document: ']],
  ])('is compared with the document: %s', (_, headings, problems) => {
    expect(registerProblems(markdown, headings)).toEqual(problems);
  });

  it('has the numbers of decisions', () => {
    const decisions = '# T\nintro\n## 1. One\n1. a:\n   b\n\n   - c\n\n2. d\n## 9. Nine\nall of\nit';
    const register = { '1. One': { 'D1.1': 'a: b - c', 'D1.2': 'd' }, '9. Nine': { D9: 'all of it' } };
    expect(registerProblems(decisions, register)).toEqual([]);
    expect(registerProblems(decisions, { ...register, '1. One': { 'D1.1': 'a: b - c', 'D1.3': 'd' } })).toEqual([
      'D1.3 is not in the document: 3. d',
      'not in the register: 2. d',
    ]);
  });
});
