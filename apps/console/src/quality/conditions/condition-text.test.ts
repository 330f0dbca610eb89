import { describe, expect, it } from '@jest/globals';
import { formatConditions, parseConditions, whyUnwritable, type ConditionFields } from './condition-text';

const attribute = (key: number) => ({ kind: 'attribute', key }) as const;

describe('text of search conditions', () => {
  it.each<[ConditionFields[], string]>([
    [[], ''],
    [[{ field: attribute(4), operator: '>', values: ['2026-05-04T00:00:00Z'] }], '4>[2026-05-04T00:00:00Z]'],
    [
      [
        { field: attribute(4), operator: '>=', values: ['2026-05-04'] },
        { field: attribute(10), operator: 'In', values: ['2', '3'] },
      ],
      '4>=[2026-05-04]+10In[2,3]',
    ],
    [[{ field: attribute(14), operator: 'In', values: ['a,b', "'c", ' d '] }], "14In['a,b','''c',' d ']"],
    [[{ field: attribute(14), operator: 'In', values: [''] }], "14In['']"],
    [[{ field: { kind: 'LastModified' }, operator: '<', values: ['2026-01-01'] }], 'LastModified<[2026-01-01]'],
  ])('writes %j as %s and reads it back', (conditions, text) => {
    expect(formatConditions(conditions)).toBe(text);
    expect(parseConditions(text)).toEqual(conditions);
  });

  it('does not read what is no condition', () => {
    expect(parseConditions('4>2026')).toBeUndefined();
  });

  it('takes a value with a bracket that ends nothing', () => {
    expect(whyUnwritable({ field: attribute(14), operator: '=', values: ['a]b'] })).toBeUndefined();
  });

  it('refuses a value whose bracket would end it', () => {
    expect(whyUnwritable({ field: attribute(14), operator: '=', values: ['a]+b'] })).toBe('ambiguousBracket');
  });

  it('refuses a condition without a value', () => {
    expect(whyUnwritable({ field: attribute(4), operator: '>', values: [''] })).toBe('noValue');
  });

  it('lets a text be compared with the empty one', () => {
    expect(whyUnwritable({ field: attribute(14), operator: '=', values: [''] })).toBeUndefined();
  });
});
