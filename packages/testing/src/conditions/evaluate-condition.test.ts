import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GrammarError, parseSearchCondition, type AttributeType } from '@sinebar/query-language';
import { matches } from './evaluate-condition.ts';

const TYPES = new Map<number, AttributeType>([
  [1, 'Float'],
  [2, 'Integer'],
  [4, 'DateTime'],
  [6, 'AlphaNumeric'],
  [8, 'Catalog'],
]);

function holds(text: string, item: Record<string, string | string[]>, caseSensitive = false): boolean {
  return matches(parseSearchCondition(text), (field) => item[field.kind === 'attribute' ? field.key : field.kind], {
    typeOf: (key) => TYPES.get(key),
    caseSensitive,
  });
}

describe('conditions on items', () => {
  it.each<[string, Record<string, string | string[]>, boolean]>([
    ['1>[0.5]', { 1: '0.50001' }, true],
    ['1>[0.5]', { 1: '0.5' }, false],
    ['1=[0.1]', { 1: '0.10' }, true],
    ['1=[ 0.1 ]', { 1: '1e-1' }, true],
    ['1>[9]', { 1: '10' }, true],
    ['1=[-0]', { 1: '0' }, true],
    ['1<[1e400]', { 1: '1e308' }, true],
    ['2=[12345678901234567]', { 2: '12345678901234568' }, false],
    ['2>[12345678901234567]', { 2: '12345678901234568' }, true],
    ['2<[2.5]', { 2: '2' }, true],
    ['2In[1,2.0]', { 2: '2' }, true],
    ['2=[5]', { 2: '5.0' }, false],
    ['4>=[2024-01-31]', { 4: '2024-01-31T00:30:00+01:00' }, false],
    ['4=[2024-01-31T10:00:00Z]', { 4: '2024-01-31T12:00:00+02:00' }, true],
    ['4=[2024-01-31T10:00]', { 4: '2024-01-31T10:00:00.0000009' }, true],
    ['4=[2024-01-31T10:00]', { 4: '2024-01-31T10:00:00.000001' }, false],
    ['4<[9999-12-31]', { 4: '0001-01-01T00:00:00+01:00' }, true],
    ['8=[5]', { 8: '05' }, true],
    ['8>[9]', { 8: '10' }, true],
    ['8In[1, 2]', { 8: '3' }, false],
    ['6=[tür]', { 6: 'TÜR' }, true],
    ['6<[b]', { 6: 'A' }, true],
    ['6>[b]', { 6: 'C' }, true],
    ['6>[9]', { 6: '10' }, false],
    ['6=[strasse]', { 6: 'Straße' }, false],
    ['6=[ΟΔΟς]', { 6: 'ΟΔΟΣ' }, false],
    ['6=[a ]', { 6: 'a' }, false],
    ['6Like[%MASS%]', { 6: 'aussenmaß' }, false],
    ['6Like[%MASS%]', { 6: 'Aussenmass 1' }, true],
    ['6Like[a_c]', { 6: 'abc' }, false],
    ["6In['a,b', c]", { 6: 'A,B' }, true],
    ["6NotIn['a,b', c]", { 6: 'C' }, false],
    ['6NotIn[a,b]', { 6: 'c' }, true],
    ['LastModified>[2024-01-31]', { LastModified: '2024-02-01T00:00:00.000Z' }, true],
    ['Created<=[2024-01-31]', { Created: '2024-02-01T00:00:00.000Z' }, false],
    ['6=[a]+1>[1]', { 6: 'a', 1: '2' }, true],
    ['6=[a]+1>[1]', { 6: 'a', 1: '1' }, false],
  ])('%s on %j: %s [I65, I67, I68, D1.5]', (text, item, result) => {
    expect(holds(text, item)).toBe(result);
  });

  it.each<[string, string, boolean]>([
    ['6=[a]', 'A', false],
    ['6=[A]', 'A', true],
    ['6<[a]', 'B', true],
    ['6Like[a%]', 'Ab', false],
    ['6In[a]', 'A', false],
    ['6NotIn[a]', 'A', true],
  ])('%s on %s with case: %s', (text, value, result) => {
    expect(holds(text, { 6: value }, true)).toBe(result);
  });

  it.each(['6=[a]', '6<>[a]', '6In[a]', '6NotIn[a]', '6NotIn[]', '6=[]', '6Like[%]', '1<>[5]', 'Created<>[2024-01-31]'])(
    '%s holds for no item without the attribute',
    (text) => {
      expect(holds(text, {})).toBe(false);
    },
  );

  it('holds for one value of several [D1.5]', () => {
    const item = { 1: ['0.1', '0.7'] };
    expect(holds('1>[0.5]', item)).toBe(true);
    expect(holds('1>[0.7]', item)).toBe(false);
    expect(holds('1<>[0.1]', item)).toBe(true);
    // Each condition is checked on its own: no single value lies between both limits.
    expect(holds('1>[0.5]+1<[0.3]', item)).toBe(true);
    expect(holds('1>[0.5]', { 1: [] })).toBe(false);
  });

  it('reads empty brackets as the empty text and the empty list', () => {
    expect(holds('6=[]', { 6: '' })).toBe(true);
    expect(holds('6=[]', { 6: 'a' })).toBe(false);
    expect(holds('6<>[]', { 6: 'a' })).toBe(true);
    expect(holds('6In[]', { 6: '' })).toBe(false);
    expect(holds("6In['']", { 6: '' })).toBe(true);
    expect(holds('6NotIn[]', { 6: 'a' })).toBe(true);
    expect(holds('1NotIn[]', { 1: '5' })).toBe(true);
  });

  it('finds nothing for an undefined key', () => {
    expect(holds('99=[a]', { 99: 'a' })).toBe(false);
    expect(holds('99<>[a]', { 99: 'b' })).toBe(false);
  });

  it('refuses an invalid search whatever the items are', () => {
    expect(() => holds('6=[a]+1=[x]', {})).toThrow(GrammarError);
  });

  it('evaluates exactly one of <, = and > to true for each pair of values, and the others accordingly', () => {
    const value = fc.oneof(
      fc.tuple(fc.constant(1), fc.double({ noNaN: true, noDefaultInfinity: true }).map(String), fc.constantFrom('0', '0.0', '1.5', '-7')),
      fc.tuple(fc.constant(2), fc.integer({ min: -3, max: 3 }).map(String), fc.constantFrom('0', '1.5', '-7')),
      fc.tuple(fc.constant(8), fc.integer({ min: -3, max: 3 }).map(String), fc.constantFrom('0', '01', '-7')),
      fc.tuple(
        fc.constant(6),
        fc.string({ unit: fc.constantFrom('a', 'B', 'ä', '\u{1f600}', '\uff21') }),
        fc.constantFrom('a', 'bA', '\u{1f600}', ''),
      ),
      fc.tuple(
        fc.constant(4),
        fc.constantFrom('2024-01-31', '2024-01-31T01:00+01:00', '1969-12-31T23:59:59.9999999'),
        fc.constantFrom('2024-01-31', '2024-02-01'),
      ),
    );
    fc.assert(
      fc.property(value, fc.boolean(), ([key, stored, operand], caseSensitive) => {
        const test = (operator: string): boolean => holds(`${key}${operator}[${operand}]`, { [key]: stored }, caseSensitive);
        const [less, equal, greater] = [test('<'), test('='), test('>')];
        expect([less, equal, greater].filter(Boolean)).toHaveLength(1);
        expect(test('<=')).toBe(less || equal);
        expect(test('>=')).toBe(greater || equal);
        expect(test('<>')).toBe(!equal);
        if (operand === '') return;
        expect(test('In')).toBe(equal);
        expect(test('NotIn')).toBe(!equal);
      }),
    );
  });
});
