import { expect, it } from '@jest/globals';
import { Problems } from './problems.ts';

it('problems name the beginning of a column whose name has millions of characters', () => {
  const problems = new Problems();
  problems.error(2, ','.repeat(6_000_000), 'The field is no number.');
  problems.warn(3, 'K2110', 'The limit lies above the upper one.');
  const { errors, warnings } = problems.summary();
  expect(errors).toEqual([{ line: 2, key: `${','.repeat(255)}…`, message: 'The field is no number.' }]);
  expect(warnings).toEqual([{ line: 3, key: 'K2110', message: 'The limit lies above the upper one.' }]);
});
