import { describe, expect, it } from '@jest/globals';
import { ruleNumber } from './run-rules.ts';

describe('the number of a rule', () => {
  it.each([
    ['nelson2', '2'],
    ['nelson2:7', '2'],
    ['westernElectric3', 'WE 3'],
  ])('of %s is %s', (rule, number) => {
    expect(ruleNumber(rule)).toBe(number);
  });
});
