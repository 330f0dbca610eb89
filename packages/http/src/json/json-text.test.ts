import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { size } from '@sinebar/testing/size';
import { DecimalText, parseJson } from './json-text.ts';

const parse = (text: string) => parseJson(Buffer.from(text));

const RUNS = size({ short: 400, long: 30_000 });

describe('JSON texts', () => {
  it.each<[string, unknown]>([
    ['1', 1],
    ['-0', -0],
    ['0.1', 0.1],
    ['1.50', 1.5],
    ['1e3', 1000],
    ['1E-7', 1e-7],
    ['123456789012345', 123456789012345],
    ['1234567890123456', 1234567890123456],
    ['0.1000000000000000', 0.1],
    ['9007199254740993', new DecimalText('9007199254740993')],
    ['12345678901234567890', new DecimalText('12345678901234567890')],
    ['0.12345678901234567890', new DecimalText('0.12345678901234567890')],
    ['1e400', new DecimalText('1e400')],
    ['1e-400', new DecimalText('1e-400')],
    ['0e400', 0],
    ['"1e400"', '1e400'],
    ['[true, false, null, 1e2]', [true, false, null, 100]],
    [' { "a" : [ 1e400 , { } , [ ] ] , "b\\"\\u00e4" : "\\\\" } ', { a: [new DecimalText('1e400'), {}, []], 'b"ä': '\\' }],
    ['{"a":9007199254740993,"a":1}', { a: 1 }],
    ['{"a":1,"a":9007199254740993,"1":2}', { a: new DecimalText('9007199254740993'), 1: 2 }],
    ['[-9007199254740993,"9007199254740993",-1.5]', [new DecimalText('-9007199254740993'), '9007199254740993', -1.5]],
  ])('%s keeps its digits', (text, value) => {
    expect(parse(text)).toEqual(value);
  });

  it('equals the built-in parser, except for numbers that it rounds', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), fc.boolean(), (json, long) => {
        const parsed = parse(long ? `[1e400,${json}]` : json);
        expect(JSON.stringify(long ? (parsed as unknown[])[1] : parsed)).toBe(JSON.stringify(JSON.parse(json)));
      }),
      { numRuns: RUNS / 4 },
    );
  });

  it('reads numbers of extreme length in little time', () => {
    const begun = process.cpuUsage();
    for (const zeros of ['0'.repeat(200_000), '9'.repeat(200_000)])
      expect(parse(`[0.1${zeros}1]`)).toEqual([new DecimalText(`0.1${zeros}1`)]);
    expect(parse(`[1e-${'9'.repeat(100_000)}]`)).toEqual([new DecimalText(`1e-${'9'.repeat(100_000)}`)]);
    expect(process.cpuUsage(begun).user).toBeLessThan(2_000_000);
  });

  it.each<[string, string, RegExp | undefined]>([
    ['as many items as are allowed', `[${'1,'.repeat(199_999)}1]`, undefined],
    ['one item more', `[${'1,'.repeat(200_000)}1]`, /more than 200000 items/],
    ['one member more', `{"b":[1,2],"a":{${'"x":1,'.repeat(200_000)}"x":1}}`, /more than 200000 items.*\(at byte 1200016\)/],
    ['many lists of many items', `[${`[${'0,'.repeat(150_000)}0],`.repeat(3)}[]]`, undefined],
    ['too much of everything', `[${`[${'[],'.repeat(150_000)}0],`.repeat(20)}[]]`, /more than 5000000 values/],
    ['a text of commas', `["${','.repeat(300_000)}"]`, undefined],
    ['what is closed more often than opened', `${']'.repeat(50)}${','.repeat(10)}`, /not valid JSON/],
  ])('accepts or refuses %s', (_, text, problem) => {
    if (problem) expect(() => parse(text)).toThrow(problem);
    else expect(JSON.stringify(parse(text))).toBe(text);
  });

  it('reads __proto__ like any other member', () => {
    const value = parse('{"__proto__":{"x":1e400}}') as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect((value as { x?: number }).x).toBeUndefined();
  });

  it.each(['', '{', '[1,]', '{"a":1e2,}', '01e2', '1e', '-', 'nul', '"\\x"', '1e2 2', '["\u0000"]'])('refuses %j', (text) => {
    expect(() => parse(text)).toThrow(/not valid JSON/);
  });

  it('throws only 400 errors', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          parseJson(Buffer.from(bytes));
        } catch (error) {
          expect(error).toMatchObject({ code: 'InvalidRequest' });
        }
      }),
      { numRuns: RUNS },
    );
  });
});
