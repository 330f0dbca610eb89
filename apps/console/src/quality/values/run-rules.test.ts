import { expect, it } from '@jest/globals';
import { readRule } from './run-rules';

it.each([
  ['nelson2', { group: 'nelson', number: 2, length: 9 }],
  ['nelson2:7', { group: 'nelson', number: 2, length: 7 }],
  ['westernElectric4', { group: 'westernElectric', number: 4, length: 8 }],
  ['nelson9', undefined],
  ['other1', undefined],
  ['', undefined],
])('the rule %s is read as %j', (text, rule) => {
  expect(readRule(text)).toEqual(rule);
});
