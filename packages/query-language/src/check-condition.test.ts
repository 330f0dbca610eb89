import { describe, expect, it } from '@jest/globals';
import { checkCondition, type AttributeType } from './check-condition.ts';
import { GrammarError } from './grammar-error.ts';
import { parseSearchCondition, type Condition } from './search-condition.ts';

function condition(text: string): Condition {
  return parseSearchCondition(text).conditions[0] as Condition;
}

describe('checking a condition against the type', () => {
  it.each<[string, AttributeType, string[]]>([
    ['4>[2024-01-31T10:00:00.1234567+01:00]', 'DateTime', ['2024-01-31T09:00:00.123456Z']],
    ['LastModified>[2024-01-31]', 'AlphaNumeric', ['2024-01-31T00:00:00.000000Z']],
    ['1In[ 0.10 , 1e400]', 'Float', ['0.10', '1e400']],
    ['1=[ 5 ]', 'Float', ['5']],
    ['2=[2.5]', 'Integer', ['2.5']],
    ['8In[ +05, 7]', 'Catalog', ['5', '7']],
    ['8=[0]', 'Catalog', ['0']],
    ['6=[ A]', 'AlphaNumeric', [' A']],
    ['6Like[a%]', 'AlphaNumeric', ['a%']],
    ['1In[]', 'Float', []],
  ])('returns the values of %s for a %s', (text, type, values) => {
    expect(checkCondition(condition(text), type)).toEqual(values);
  });

  it.each<[string, AttributeType, number, RegExp]>([
    ['4>[abc]', 'DateTime', 3, /Attribute 4 has the type DateTime: a date such as .* expected, not "abc"/],
    ['4>[2024-02-30]', 'DateTime', 3, /not "2024-02-30"/],
    ['4>[2024-01-31T10:00:00 01:00]', 'DateTime', 3, /DateTime/],
    ['Created>[5]', 'Float', 9, /Created has the type DateTime/],
    [
      '4>[2026-01-01T00:00:00 01:00]',
      'DateTime',
      3,
      /not "2026-01-01T00:00:00 01:00"; a \+ in an address is read as a blank, so write %2B/,
    ],
    ['4In[2026-01-01,2026-01-01T00:00 0100]', 'DateTime', 15, /so write %2B/],
    ['1=[1,5]', 'Float', 3, /not "1,5"/],
    ['1=[]', 'Float', 3, /not ""/],
    ['1In[1, x]', 'Float', 7, /not "x"/],
    ['1In[1,]', 'Float', 6, /not ""/],
    ['1=[NaN]', 'Float', 3, /not "NaN"/],
    ['1=[1e99999]', 'Float', 3, /number/],
    ['2=[0x10]', 'Integer', 3, /Integer/],
    ['8=[red]', 'Catalog', 3, /key of a catalog entry/],
    ['8=[1.0]', 'Catalog', 3, /key of a catalog entry/],
    [' 1Like[5%]', 'Float', 1, /Like compares texts, but attribute 1 has the type Float/],
    ['4Like[2024%]', 'DateTime', 0, /Like compares texts/],
    ['8Like[1]', 'Catalog', 0, /Like compares texts/],
    ['LastModifiedLike[2024%]', 'AlphaNumeric', 0, /Like compares texts, but LastModified/],
  ])('refuses %s for a %s and names the position', (text, type, position, message) => {
    const error = errorOf(() => checkCondition(condition(text), type));
    expect(error.message).toMatch(message);
    expect(error.position).toBe(position);
  });
});

function errorOf(run: () => unknown): GrammarError {
  try {
    run();
  } catch (error) {
    if (error instanceof GrammarError) return error;
    throw error;
  }
  throw new Error('no error was thrown');
}
