import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import {
  JSON_TYPE,
  notDate,
  notKey,
  notNumber,
  notUuid,
  request,
  uuid,
  type Arbitrary,
  type MalformedContext,
  type MalformedRequest,
} from './malformed-texts.fixture.ts';

type Item = Record<string, unknown>;
type Values = Record<string, unknown>;

/** Generates bodies with one mistake among valid measurements. */
export function wrongBodies(context: MalformedContext): Arbitrary<MalformedRequest> {
  const { part, otherPart, characteristics, otherCharacteristic, measurements } = context;
  const [first = ''] = characteristics;
  const value = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer().map(String),
    fc.constantFrom('1.50', '-0', '1e3', null),
  );
  const valuesOf = fc
    .array(value, { minLength: characteristics.length, maxLength: characteristics.length })
    .map((values): Values => Object.fromEntries(characteristics.map((each, i) => [each, { 1: values[i] }])));
  const goodHead = fc.constantFrom<Values>({}, { 4: '2024-05-06' }, { 7001: 'abc', 7002: 5 }, { 7004: '3', 7003: '1e5' });
  const item = (method: string, index: number): Arbitrary<Item> =>
    fc
      .record({ attributes: goodHead, characteristics: valuesOf })
      .map((rest) => (method === 'POST' ? { uuid: randomUUID(), partUuid: part, ...rest } : { uuid: measurements[index], ...rest }));
  const scalars = fc.constantFrom<unknown>(7, true, 'x', [], [{}]);
  const badAttributes: Arbitrary<unknown> = fc.oneof(
    scalars,
    notKey.map((key) => ({ [key]: 'x' })),
    fc.constantFrom<unknown>(
      { 9999: 'x' },
      { 1: '5' },
      { 7001: 'longer' },
      { 7001: 'a\ud800' },
      { 7002: '1.5' },
      { 7004: '1' },
      { 7004: 'x' },
      { 7001: {} },
      { 7001: ['a'] },
      { 7001: 'a', '07001': 'b' },
    ),
    notNumber.map((text) => ({ 7003: text })),
    notDate.map((text) => ({ 4: text })),
  );
  const badValue: Arbitrary<unknown> = fc.oneof(
    scalars,
    notNumber.map((text) => ({ 1: text })),
    fc.constantFrom<unknown>(
      { 1: true },
      { 1: {} },
      { 1: [1] },
      { 1: '' },
      { 1: 1, 7101: 'longer' },
      { 1: 1, 7102: 'x' },
      { 1: 1, 7001: 'x' },
      { 9999: 'x' },
      { '': 1 },
      { x: 1 },
      { 1: 1, '01': 2 },
    ),
    notDate.map((text) => ({ 1: 1, 7103: text })),
  );
  const badCharacteristics = valuesOf.chain((good) =>
    fc.oneof(
      scalars,
      uuid.map((unknownUuid): unknown => ({ ...good, [unknownUuid]: { 1: 1 } })),
      fc.constantFrom<unknown>(
        { ...good, [otherCharacteristic]: { 1: 1 } },
        { ...good, [part]: { 1: 1 } },
        { ...good, [first]: { 1: 1 }, [first.toUpperCase()]: { 1: 2 } },
      ),
      notUuid.map((text): unknown => ({ ...good, [text]: { 1: 1 } })),
      fc.tuple(fc.constantFrom(...characteristics), badValue).map(([each, bad]): unknown => ({ ...good, [each]: bad })),
    ),
  );
  const without = (name: string) => (good: Item) => Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));
  type Spoil = Arbitrary<{ readonly mistake: string; readonly spoil: (good: Item) => unknown; readonly statuses: readonly number[] }>;
  const set = (name: string, values: Arbitrary<unknown>, statuses = [400]): Spoil =>
    values.map((bad) => ({
      mistake: `${name} ${JSON.stringify(bad)?.slice(0, 80)}`,
      spoil: (good) => ({ ...good, [name]: bad }),
      statuses,
    }));
  const spoilOf = (method: string, resource: string): Spoil =>
    fc.oneof(
      set('uuid', fc.oneof(notUuid, scalars, fc.constantFrom(null, {}))),
      fc.constant({ mistake: 'no uuid', spoil: without('uuid'), statuses: [400] }),
      set('partUuid', fc.oneof(notUuid, uuid, fc.constantFrom<unknown>(first, 7, {}, []))),
      method === 'POST'
        ? fc.oneof(
            fc.constant({ mistake: 'no part', spoil: without('partUuid'), statuses: [400] }),
            set('uuid', fc.constantFrom(...measurements), [409]),
          )
        : fc.oneof(set('partUuid', fc.constant(otherPart)), set('uuid', uuid, [404])),
      set('attributes', badAttributes),
      set('comment', fc.constantFrom<unknown>(7, {}, 'x'.repeat(4001), '\udfff')),
      ...(resource === 'values' ? [set('characteristics', badCharacteristics), set('characteristics', badCharacteristics)] : []),
      fc
        .constantFrom<unknown>(null, 7, 'x', [], [[]])
        .map((bad) => ({ mistake: `item ${JSON.stringify(bad)}`, spoil: () => bad, statuses: [400] })),
    );
  return fc.tuple(fc.constantFrom('POST', 'PUT'), fc.constantFrom('measurements', 'values')).chain(([method, resource]) =>
    fc.integer({ min: 1, max: measurements.length }).chain((count) =>
      fc.tuple(fc.tuple(...Array.from({ length: count }, (_, i) => item(method, i))), fc.nat(count - 1)).chain(([items, index]) => {
        const sent = (mistake: string, statuses: readonly number[], body: string | Buffer, headers = JSON_TYPE) =>
          request(method, resource, mistake, statuses, body, headers);
        const spoiled = spoilOf(method, resource).map(({ mistake, spoil, statuses }) =>
          sent(mistake, statuses, JSON.stringify(items.map((good, i) => (i === index ? spoil(good) : good)))),
        );
        const text = JSON.stringify(items);
        return fc.oneof(
          { weight: 6, arbitrary: spoiled },
          { weight: 3, arbitrary: wrongBytes(text).map(([mistake, body]) => sent(mistake, [400], body)) },
          {
            weight: 1,
            arbitrary: fc.constantFrom(
              sent('the same twice', [400], JSON.stringify([...items, items[index]])),
              sent('type', [415], text, { 'Content-Type': 'text/csv' }),
              sent('charset', [415], text, { 'Content-Type': 'application/json; charset=utf-16' }),
              sent('encoding', [415], text, { ...JSON_TYPE, 'Content-Encoding': 'what' }),
              sent('no gzip', [400], text, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }),
              sent('cut gzip', [400], gzipSync(text).subarray(0, -9), { ...JSON_TYPE, 'Content-Encoding': 'gzip' }),
            ),
          },
        );
      }),
    ),
  );
}

/** Damages the text of an array of JSON objects. */
function wrongBytes(text: string): Arbitrary<[mistake: string, body: string | Buffer]> {
  const inText = (bytes: number[]) => Buffer.concat([Buffer.from(text.slice(0, 3)), Buffer.from(bytes), Buffer.from(text.slice(3))]);
  return fc.oneof(
    fc.nat(text.length - 1).map((end): [string, string] => ['cut', text.slice(0, end)]),
    fc.constantFrom<[string, string | Buffer]>(
      ['invalid UTF-8', inText([0xc3, 0x28])],
      ['overlong UTF-8', inText([0xc0, 0x80])],
      ['a byte 0', inText([0])],
      ['UTF-16', Buffer.from(text, 'utf16le')],
      ['UTF-16 with a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])],
      ['U+0000', text.replace('{', '{"comment":"\\u0000",')],
      ['two texts', text + text],
      ['an object', text.slice(1, -1)],
      ['a list in a list', `[${text}]`],
      ['nested', text.replace('{', `{"junk":${'['.repeat(40)}${']'.repeat(40)},`)],
      ['a comment', text.replace('{', '/* */{')],
      ['single quotes', text.replaceAll('"', "'")],
      ['a comma too many', text.replace(/]$/, ',]')],
      ['NaN', text.replace('{', '{"comment":NaN,')],
      ['nothing', ''],
      ['blanks', ' \n '],
      ['null', 'null'],
      ['a number', '1e400'],
      ['a text', '"[]"'],
    ),
    fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes): [string, Buffer] => ['any bytes', Buffer.from([0x21, ...bytes])]),
  );
}
