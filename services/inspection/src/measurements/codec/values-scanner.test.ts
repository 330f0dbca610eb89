import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { DecimalText } from '@sinebar/http';
import fc from 'fast-check';
import { size } from '@sinebar/testing/size';
import type { RawAttributes } from '../../configuration/attribute-values.ts';
import { decodeExactText } from './exact-text.ts';
import { parseMeasurements, type SentMeasurement } from './sent-measurement.ts';
import { uuidOfWords, WORDS_PER_UUID } from './uuid-words.ts';
import { scanMeasurements } from './values-scanner.ts';

const RUNS = size({ short: 400, long: 30_000 });

function textOf(value: RawAttributes[string]): string {
  if (value instanceof DecimalText) return value.text;
  return Object.is(value, -0) ? '-0' : String(value);
}

/** The texts of all attributes by characteristic, independent of the parser. */
function meaning(measurements: readonly SentMeasurement[]): unknown {
  return measurements.map(({ uuid, partUuid, attributes, comment, values }) => ({
    uuid,
    partUuid,
    comment,
    attributes: texts(attributes),
    values:
      values &&
      Array.from({ length: values.characteristics.count }, (_, i) => {
        const raw = values.raw.get(i);
        const plain = () => ({ 1: decodeExactText(values.values[i] as number, values.digits?.[i], values.texts.get(i)) });
        return [uuidOfWords(values.characteristics.words, i * WORDS_PER_UUID), raw ? texts(raw) : plain()];
      }),
  }));
}

function texts(attributes: RawAttributes): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).flatMap(([key, value]) => (value === null ? [] : [[key, textOf(value)]])));
}

function outcome(read: (body: Buffer) => SentMeasurement[], body: Buffer): unknown {
  try {
    return meaning(read(body));
  } catch (error) {
    return (error as Error).message;
  }
}

function expectSame(body: string | Buffer): void {
  const bytes = Buffer.from(body);
  expect(outcome(scanMeasurements, bytes)).toEqual(outcome(parseMeasurements, bytes));
}

const POOL = Array.from({ length: 6 }, () => randomUUID());
const rarely = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: usual, weight: 12 }, { arbitrary: odd, weight: 1 });
const blank = rarely(fc.constant(''), fc.constantFrom(' ', '\n', '\t \r\n'));
const uuid = rarely(
  fc.constantFrom(...POOL),
  fc.constantFrom(
    ...POOL.flatMap((each) => [
      each.toUpperCase(),
      `{${each}}`,
      ` ${each} `,
      each.slice(1),
      each.replace('-', '_'),
      `${each.slice(0, -1)}g`,
    ]),
  ),
);
const text = rarely(
  fc.constantFrom('a', 'Grün', '2024-01-01', ''),
  fc.constantFrom('a\\"b', '\\u00e4', '\\ud800', '\\u0000', '\u{1F600}', 'x\\', '\n'),
);
const number = rarely(
  fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.tuple(fc.constantFrom('', '-'), fc.nat(99_999), fc.stringMatching(/^(\.[0-9]{1,16})?$/)).map((parts) => parts.join('')),
  ),
  fc.constantFrom(
    '-0',
    '0',
    '-0.0',
    '007',
    '1.',
    '.5',
    '1e400',
    '12345678901234567890',
    '1E5',
    '+1',
    '-',
    '0.0000001',
    '1e-7',
    'NaN',
    '1.5e+3',
    '0.000000',
  ),
);
const member = (name: fc.Arbitrary<string>, value: fc.Arbitrary<string>) =>
  fc.tuple(blank, name, blank, blank, value, blank).map(([a, b, c, d, e, f]) => `${a}"${b}"${c}:${d}${e}${f}`);
const object = (members: fc.Arbitrary<string[]>) => members.map((all) => `{${all.join(',')}}`);
const scalar = rarely(
  fc.oneof(
    number.map((each) => `"${each}"`),
    number,
    text.map((each) => `"${each}"`),
  ),
  fc.constantFrom('null', 'true', '{}', '[1]', 'nul', ''),
);
const key = rarely(fc.constantFrom('1'), fc.constantFrom('2', '14', '01', '\\u0031', '__proto__', 'a', ''));
const attributes = rarely(
  object(fc.array(member(fc.constantFrom('4', '6', '14', '006', '__proto__', 'x'), scalar), { maxLength: 3 })),
  fc.constantFrom('null', '[]', '7', '{'),
);
const value = rarely(
  object(
    fc.array(
      member(
        key,
        fc.oneof(
          number.map((each) => `"${each}"`),
          number,
        ),
      ),
      { minLength: 1, maxLength: 1 },
    ),
  ),
  rarely(object(fc.array(member(key, scalar), { maxLength: 3 })), fc.constantFrom('null', '5', '"5"', '[', '{"1":"2"')),
);
const characteristics = rarely(object(fc.array(member(uuid, value), { maxLength: 4 })), fc.constantFrom('null', '[]', '"x"'));
const measurement = fc
  .tuple(
    member(
      rarely(fc.constant('uuid'), fc.constantFrom('Uuid', 'UUID', 'u\\u0075id')),
      uuid.map((each) => `"${each}"`),
    ),
    fc.array(
      fc.oneof(
        member(
          fc.constantFrom('partUuid', 'PartUuid'),
          rarely(
            uuid.map((each) => `"${each}"`),
            fc.constant('null'),
          ),
        ),
        member(fc.constant('attributes'), attributes),
        member(fc.constantFrom('characteristics', 'Characteristics'), characteristics),
        { arbitrary: member(fc.constant('characteristics'), characteristics), weight: 3 },
        member(rarely(fc.constantFrom('comment', 'lastModified', 'created', 'status'), fc.constantFrom('toString', '__proto__')), scalar),
      ),
      { maxLength: 5 },
    ),
    fc.nat(5),
  )
  .map(([own, others, index]) => `{${others.toSpliced(index, 0, own).join(',')}}`);
const body = fc
  .tuple(blank, fc.array(fc.tuple(blank, rarely(measurement, fc.constantFrom('{}', 'null', '7', '{]', ''))), { maxLength: 4 }), blank)
  .map(([before, all, after]) => `${before}[${all.map((each) => each.join('')).join(`${after},`)}]${after}`);

describe('scanner of bodies with measured values', () => {
  it('reads each body like the parser, or refuses it with the same message', () => {
    fc.assert(fc.property(body, expectSame), { numRuns: RUNS });
  });

  it('reads a truncated body, or a body with one changed byte, like the parser', () => {
    fc.assert(
      fc.property(body, fc.nat(), fc.option(fc.nat(255)), (whole, index, byte) => {
        const bytes = Buffer.from(whole);
        const at = index % (bytes.length + 1);
        if (byte === null) expectSame(bytes.subarray(0, at));
        else {
          bytes[at] = byte;
          expectSame(bytes);
        }
      }),
      { numRuns: RUNS },
    );
  });

  const one = (values: string, rest = '') => `[{"uuid":"${POOL[0]}"${rest},"characteristics":{${values}}}]`;

  it.each(['-0', '-0.0', '-0.000', '"-0"'])('reads %s with its sign, without the parser [D2.1]', (sent) => {
    const [measurement] = scanMeasurements(Buffer.from(one(`"${POOL[1]}":{"1":${sent}}`)));
    expect(measurement?.values?.values[0]).toBe(-0);
    expect(measurement?.values?.raw.size).toBe(0);
  });

  it.each([
    ['the same characteristic twice, the last of which counts', one(`"${POOL[1]}":{"1":"1"},"${POOL[1]}":{"1":"2"}`)],
    ['the same characteristic in two spellings', one(`"${POOL[1]}":{"1":"1"},"${POOL[1]?.toUpperCase()}":{"1":"2"}`)],
    ['a byte order mark', `\ufeff${one('')}`],
    ['a member twice', one('', `,"comment":"a","comment":"b"`)],
    ['nesting that the limit just allows', one('', `,"junk":${'['.repeat(30)}${']'.repeat(30)}`)],
    ['nesting beyond the limit', one('', `,"junk":${'['.repeat(31)}${']'.repeat(31)}`)],
    ['half a surrogate pair in a comment', one('', ',"comment":"\\ud800"')],
    ['an endless comment', one('', `,"comment":"${'x'.repeat(4001)}"`)],
    ['something behind the end', `${one('')} x`],
    ['no array', '{}'],
    ['nothing', ' '],
  ])('agrees with the parser about %s', (_, sent) => expectSame(sent));

  it('agrees with the parser about invalid UTF-8', () => {
    expectSame(Buffer.from([...Buffer.from('[{"uuid":"'), 0xff, ...Buffer.from('"}]')]));
  });

  it('shares one list of characteristics between measurements with the same characteristics', () => {
    const values = POOL.map((each, i) => `"${each}":{"1":"${i}.50"}`).join(',');
    const sent = scanMeasurements(Buffer.from(`[${POOL.map((each) => `{"uuid":"${each}","characteristics":{${values}}}`).join(',')}]`));
    expect(sent).toHaveLength(POOL.length);
    expect(new Set(sent.map((each) => each.values?.characteristics)).size).toBe(1);
    expect(sent[0]?.values?.raw.size).toBe(0);
    expect([...(sent[0]?.values?.digits ?? [])]).toEqual(POOL.map(() => 2));
  });

  it('reads 20,000 characteristics with consecutive uuids in less than 2 s of processor time', () => {
    const many = Array.from(
      { length: 20_000 },
      (_, i) => `"${i.toString(16).padStart(8, '0')}-0000-0000-0000-${i.toString(16).padStart(12, '0')}":{"1":${i}}`,
    );
    const begun = process.cpuUsage();
    const [sent] = scanMeasurements(Buffer.from(one(many.join(','))));
    expect([...(sent?.values?.values ?? [])]).toEqual(many.map((_, i) => i));
    expect(process.cpuUsage(begun).user).toBeLessThan(2_000_000);
  });
});
