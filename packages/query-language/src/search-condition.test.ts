import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { size } from '@sinebar/testing/size';
import { anyText } from './any-text.fixture.ts';
import { GrammarError } from './grammar-error.ts';
import { formatField, type ItemField } from './item-field.ts';
import { MAX_SEARCH_CONDITION_BYTES, parseSearchCondition, type ConditionOperator } from './search-condition.ts';

type Short = [field: string, operator: string, ...values: string[]];

const short = (text: string): Short[] =>
  parseSearchCondition(text).conditions.map(({ field, operator, values }) => [formatField(field), operator, ...values]);

function errorOf(text: string): GrammarError {
  try {
    parseSearchCondition(text);
  } catch (error) {
    if (error instanceof GrammarError) return error;
    throw error;
  }
  throw new Error(`no error was thrown for ${JSON.stringify(text)}`);
}

const RUNS = size({ short: 200, long: 30_000 });

describe('search conditions', () => {
  it.each<[string, Short[]]>([
    ['4>[2024-01-31T00:00:00Z]', [['4', '>', '2024-01-31T00:00:00Z']]],
    ['1<[5]', [['1', '<', '5']]],
    ['1>=[5]', [['1', '>=', '5']]],
    ['1<=[5]', [['1', '<=', '5']]],
    ['1<>[5]', [['1', '<>', '5']]],
    ['6Like[a%b]', [['6', 'Like', 'a%b']]],
    ['6IN[a,b]', [['6', 'In', 'a', 'b']]],
    ['6 notin [a]', [['6', 'NotIn', 'a']]],
    [' \t6 \t= \t[ a ]', [['6', '=', ' a ']]],
    ['0=[a]', [['0', '=', 'a']]],
    ['65535=[a]', [['65535', '=', 'a']]],
    ['007=[a]', [['7', '=', 'a']]],
    [
      'lastmodified>[2024-01-31]+CREATED<[2024-01-31]',
      [
        ['LastModified', '>', '2024-01-31'],
        ['Created', '<', '2024-01-31'],
      ],
    ],
    ['LastModifiedIn[2024-01-31]', [['LastModified', 'In', '2024-01-31']]],
    ['1=[]', [['1', '=', '']]],
    ["1=['a,b']", [['1', '=', "'a,b'"]]],
    ['1=[a,b]', [['1', '=', 'a,b']]],
    ['1=[a+b]', [['1', '=', 'a+b']]],
  ])('reads %j [I64, I65]', (text, conditions) => {
    expect(short(text)).toEqual(conditions);
  });

  it.each<[string, Short[]]>([
    [
      '1=[a]+2=[b]',
      [
        ['1', '=', 'a'],
        ['2', '=', 'b'],
      ],
    ],
    [
      '1=[a] 2=[b]',
      [
        ['1', '=', 'a'],
        ['2', '=', 'b'],
      ],
    ],
    [
      '1=[a] + 2=[b]',
      [
        ['1', '=', 'a'],
        ['2', '=', 'b'],
      ],
    ],
    [
      '1=[a]+  2 = [b]',
      [
        ['1', '=', 'a'],
        ['2', '=', 'b'],
      ],
    ],
    [
      '1=[a]   Created NotIn [b]',
      [
        ['1', '=', 'a'],
        ['Created', 'NotIn', 'b'],
      ],
    ],
    [
      '1=[]+2=[] 3=[]',
      [
        ['1', '=', ''],
        ['2', '=', ''],
        ['3', '=', ''],
      ],
    ],
  ])('joins %j [I66]', (text, conditions) => {
    expect(short(text)).toEqual(conditions);
  });

  it.each<[string, Short[]]>([
    ['123=[condit]ion]', [['123', '=', 'condit]ion']]],
    ['123=[condition[]]', [['123', '=', 'condition[]']]],
    ['123=[]condition]', [['123', '=', ']condition']]],
    [
      '1=[a]]+2=[[b]',
      [
        ['1', '=', 'a]'],
        ['2', '=', '[b'],
      ],
    ],
    ['1=[]]', [['1', '=', ']']]],
    ['1=[a]2=[b]', [['1', '=', 'a]2=[b']]],
    ['1=[a] b]', [['1', '=', 'a] b']]],
    ['1=[a] 2]', [['1', '=', 'a] 2']]],
    ['1=[a] 2=]', [['1', '=', 'a] 2=']]],
    ['1=[a] + b]', [['1', '=', 'a] + b']]],
    ['1=[a] ++2=[b]', [['1', '=', 'a] ++2=[b']]],
    ['1=[a] ]', [['1', '=', 'a] ']]],
    ['1=[a] color=[b]', [['1', '=', 'a] color=[b']]],
    ["1In['a]b']", [['1', 'In', 'a]b']]],
    ['124In[[100;-1;23];[2;-12;40]]', [['124', 'In', '[100;-1;23];[2;-12;40]']]],
  ])('keeps brackets inside a value: %j [I67, D1.5]', (text, conditions) => {
    expect(short(text)).toEqual(conditions);
  });

  it.each<[string, string[]]>([
    ['[]', []],
    ['[  ]', []],
    ["['']", ['']],
    ['[a]', ['a']],
    ['[ a , b c ]', ['a', 'b c']],
    ["['a,b', c]", ['a,b', 'c']],
    ["[ ' a ' ,b]", [' a ', 'b']],
    ["['it''s','''','a'''',']", ["it's", "'", "a'',"]],
    ["[O'Brien, O'Neil]", ["O'Brien", "O'Neil"]],
    ['[a,,b]', ['a', '', 'b']],
    ['[a,]', ['a', '']],
    ['[,]', ['', '']],
    ['[a+b,c]', ['a+b', 'c']],
    ['[\u00a0a]', ['\u00a0a']],
  ])('splits the list %j [I67, D1.5]', (list, values) => {
    expect(parseSearchCondition(`1In${list}`).conditions[0]?.values).toEqual(values);
    expect(parseSearchCondition(`1NotIn${list}+2=[x]`).conditions[0]?.values).toEqual(values);
  });

  it('returns the positions of fields and values', () => {
    const { conditions } = parseSearchCondition(" 4>[x] + 22 In [ a , 'b' ]");
    expect(conditions.map(({ position, valuePositions }) => ({ position, valuePositions }))).toEqual([
      { position: 1, valuePositions: [4] },
      { position: 9, valuePositions: [17, 21] },
    ]);
  });

  it.each([
    ['', 0, /attribute key .* not the end/],
    ['  ', 2, /not the end/],
    ['=[a]', 0, /attribute key .* not "=\[a\]"/],
    ['x=[a]', 0, /attribute key/],
    ['-1=[a]', 0, /attribute key/],
    ['+1=[a]', 0, /attribute key/],
    ['65536=[a]', 0, /0 to 65535, not "65536"/],
    ['1=[a]+99999999999999999999=[a]', 6, /0 to 65535/],
    ['1=[a] 70000=[a]', 6, /0 to 65535/],
    ['1', 1, /operator \(>, <, .*Like\) was expected, not the end/],
    ['1 [a]', 2, /operator/],
    ['1.5=[a]', 1, /operator/],
    ['1!=[a]', 1, /operator .* not "!=\[a\]"/],
    ['1Between[a]', 1, /operator/],
    ['1==[a]', 2, /square brackets was expected behind =, not "=\[a\]"/],
    ['1=>[a]', 2, /square brackets/],
    ['1=a', 2, /square brackets was expected behind =, not "a"/],
    ['1=', 2, /not the end/],
    ['1 Like a%', 7, /square brackets was expected behind Like/],
    ['1=[a', 2, /has no "\]"/],
    ['1=[a]x', 2, /has no "\]"/],
    ['1=[a]+2=[b', 8, /has no "\]"/],
    ['1=[a]&2=[b', 2, /has no "\]"/],
    ['1=[a]+', 5, /Another condition .* must follow/],
    ['1=[a] ', 5, /Another condition/],
    ['1=[a] + ', 5, /Another condition/],
    ['1=[a]+x]', 6, /attribute key .* not "x\]"/],
    ['1=[a]++2=[b]', 6, /attribute key .* not "\+2=\[b\]"/],
    ["1In['a]+2=[b']", 4, /must end with one/],
    ["1In['a]", 4, /must end with one/],
    ["1In[b, 'a''b]", 7, /must end with one/],
    ["1In['a'b]", 7, /comma or the closing bracket .* not "b"/],
    ["1In[x, 'a' 'b']", 11, /comma or the closing bracket/],
    ['1=[a\0]', 4, /U\+0000/],
    ['1=[a\ud800]', 4, /surrogate/],
    [`1=[${'ä'.repeat(MAX_SEARCH_CONDITION_BYTES / 2)}]`, 3 + MAX_SEARCH_CONDITION_BYTES / 2 - 2, /longer than 16384 bytes/],
  ])('refuses %.40j and names the position [I64, D1.5]', (text, position, message) => {
    const error = errorOf(text);
    expect(error.message).toMatch(message);
    expect(error.position).toBe(position);
    expect(error.message).toMatch(new RegExp(`\\(at character ${position + 1}\\)\\.$`));
  });

  it('accepts conditions up to the limit', () => {
    const text = `1=[${'a'.repeat(MAX_SEARCH_CONDITION_BYTES - 4)}]`;
    expect(parseSearchCondition(text).conditions[0]?.values[0]).toHaveLength(MAX_SEARCH_CONDITION_BYTES - 4);
    expect(() => parseSearchCondition(`${text}]`)).toThrow(/longer than/);
  });
});

const BLANKS = fc.string({ unit: fc.constantFrom(' ', '\t'), maxLength: 2 });
const TEXT = fc.string({
  unit: fc.oneof(
    fc.constantFrom(']', '[', "'", ',', '+', ' ', '2', '=', 'In', '%', '\\', 'ß', '\u{1f600}'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 12,
});
/** Values that the grammar can express. Stricter than needed: no `]` before a blank or `+` at all. */
const VALUE = TEXT.filter((text) => !/\][ \t+]/.test(text) && !text.includes('\0'));
const FIELD: fc.Arbitrary<ItemField> = fc.oneof(
  fc.integer({ min: 0, max: 65535 }).map((key): ItemField => ({ kind: 'attribute', key })),
  fc.constantFrom<ItemField>({ kind: 'LastModified' }, { kind: 'Created' }),
);
const SINGLE = fc.record({
  field: FIELD,
  operator: fc.constantFrom<ConditionOperator>('>', '<', '>=', '<=', '=', '<>', 'Like'),
  values: VALUE.map((value) => [value]),
});
const LIST = fc.record({
  field: FIELD,
  operator: fc.constantFrom<ConditionOperator>('In', 'NotIn'),
  values: fc.array(VALUE, { maxLength: 4 }),
});
const CONDITIONS = fc.array(fc.oneof(SINGLE, LIST), { minLength: 1, maxLength: 5 });
/** A separator is `+` sent as %2B, or `+` sent plain, which arrives as a blank. */
const SEPARATOR = fc.oneof(
  fc.constant(' '),
  fc.tuple(BLANKS, BLANKS).map(([before, after]) => `${before}+${after}`),
);

describe('search conditions of any kind', () => {
  it('are read as they were written', () => {
    const layout = fc.record({ blanks: fc.array(BLANKS, { minLength: 3, maxLength: 3 }), separator: SEPARATOR, shout: fc.boolean() });
    fc.assert(
      fc.property(CONDITIONS, layout, (conditions, { blanks, separator, shout }) => {
        const printed = conditions.map(({ field, operator, values }) => {
          const name = shout ? operator.toUpperCase() : operator;
          const list = values.map((value) => `'${value.replaceAll("'", "''")}'`).join(` , `);
          const inside = operator === 'In' || operator === 'NotIn' ? list : values.join('');
          return `${formatField(field)}${blanks[1]}${name}${blanks[2]}[${inside}]`;
        });
        const read = parseSearchCondition(`${blanks[0]}${printed.join(separator)}`).conditions;
        expect(read.map(({ field, operator, values }) => ({ field, operator, values }))).toEqual(conditions);
      }),
      { numRuns: RUNS },
    );
  });

  it('contain the positions of their values', () => {
    // Plain values that In neither splits nor unquotes, so the value is found in the text unchanged.
    const plain = fc.record({
      field: FIELD,
      operator: fc.constantFrom('=', 'In', 'Like'),
      value: VALUE.filter((value) => !/[', \t]/.test(value)),
    });
    fc.assert(
      fc.property(fc.array(plain, { minLength: 1, maxLength: 5 }), (conditions) => {
        const text = conditions.map(({ field, operator, value }) => `${formatField(field)}${operator}[${value}]`).join('+');
        const read = parseSearchCondition(text).conditions;
        expect(read).toHaveLength(conditions.length);
        let start = 0;
        for (const { position, operator, values, valuePositions } of read) {
          expect(position).toBe(start);
          const value = values[0] ?? '';
          const valueStart = text.indexOf('[', position) + 1;
          expect(valuePositions).toEqual(values.length === 0 ? [] : [valueStart]);
          expect(text.startsWith(`${operator}[${value}]`, valueStart - 1 - operator.length)).toBe(true);
          start = valueStart + value.length + 2;
        }
      }),
    );
  });

  it('fail only with a GrammarError at a position in the text', () => {
    const pieces = fc.constantFrom(
      '1',
      '65536',
      'Created',
      '=',
      '<',
      'In',
      'Like',
      '[',
      ']',
      '+',
      ' ',
      "'",
      ',',
      'a',
      'ä',
      '\u{1f600}',
      '\ud800',
    );
    const text = fc.oneof(
      anyText({ maxLength: 200 }),
      fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
      fc.array(pieces, { maxLength: 30 }).map((parts) => `1In['${parts.join('')}`),
    );
    fc.assert(
      fc.property(text, (written) => {
        try {
          parseSearchCondition(written);
        } catch (error) {
          expect(error).toBeInstanceOf(GrammarError);
          const { position } = error as GrammarError;
          expect(position >= 0 && position <= written.length).toBe(true);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it.each([
    '1',
    '[',
    ']',
    ' ',
    '+',
    '1=[',
    '] ',
    ']1',
    '] 1 ',
    '] 1=',
    ']+',
    '1=[] ',
    "1In['',",
    "'",
    "1In[''' ",
    ',',
    '\u{1f600}',
    '1=[]+',
  ])('take linear time for repeated %j', (piece) => {
    const before = process.cpuUsage();
    for (const length of [MAX_SEARCH_CONDITION_BYTES - 10, 100_000]) {
      for (const start of ['', '1=[', '1In[', '1=[a] ']) {
        const text = start + piece.repeat(length / Buffer.byteLength(piece));
        try {
          parseSearchCondition(text);
        } catch (error) {
          expect(error).toBeInstanceOf(GrammarError);
        }
      }
    }
    // Processor time, since other work on the machine does not count.
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(500);
  });
});
