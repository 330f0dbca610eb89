import { describe, expect, it } from '@jest/globals';
import type { AnyAttributeDefinition } from '@sinebar/client';
import { problemOf, shownNumber, typedNumber } from './written-text';

const simple = (type: 'Float' | 'Integer' | 'AlphaNumeric' | 'DateTime', length?: number): AnyAttributeDefinition => ({
  definitionType: 'AttributeDefinition',
  key: 1,
  description: 'x',
  type,
  ...(length !== undefined && { length }),
});

describe('a text that is written for an attribute', () => {
  it.each([
    ['Float', '8.42', undefined],
    ['Float', '-1e-3', undefined],
    ['Float', '', undefined],
    ['Float', '8.', 'number'],
    ['Float', '8.4x', 'number'],
    ['Float', '1e999', 'number'],
    ['Integer', '-4', undefined],
    ['Integer', '4.5', 'whole'],
    ['DateTime', '2026-05-08T21:41:00Z', undefined],
    ['DateTime', 'yesterday', 'time'],
    ['AlphaNumeric', 'anything', undefined],
  ] as const)('%s %j has the problem %s', (type, text, problem) => {
    expect(problemOf(simple(type), text)).toBe(problem);
  });

  it('may not be longer than its definition says', () => {
    expect(problemOf(simple('AlphaNumeric', 3), 'abcd')).toBe('tooLong');
  });

  it('shows a decimal comma in German', () => {
    expect(shownNumber('-0.05', 'de')).toBe('-0,05');
  });

  it.each([
    ['8,42', '8.42'],
    ['\u22120.05', '-0.05'],
    ['5\u202f000', '5000'],
    ['1.234,5', '1234.5'],
    ['1,234.5', '1234.5'],
    ['1.234.567', '1234567'],
    ['4711', '4711'],
  ])('%j is read as %j', (typed, text) => {
    expect(typedNumber(typed)).toBe(text);
  });
});
