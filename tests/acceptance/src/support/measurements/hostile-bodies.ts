import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { IS_LONG } from '@sinebar/testing/size';

/** A part with few characteristics and one with many. */
export interface MeasuredPlan {
  narrow: string;
  wide: string;
  few: readonly string[];
  many: readonly string[];
}

type HostileBody = [name: string, body: (plan: MeasuredPlan) => string | Buffer, sentence: RegExp, status?: number];

export const MEGABYTE = 2 ** 20;
export const LIMIT_BYTES = 220 * MEGABYTE;
/** The long sizes are bodies of the largest accepted size. */
export const HEAVY_BYTES = (IS_LONG ? 200 : 20) * MEGABYTE;
export const HOSTILE_BYTES = (IS_LONG ? 60 : 8) * MEGABYTE;
const MILLION = IS_LONG ? 1_000_000 : 300_000;
export const WIDE = 10_000;
export const MANY = 20_000;

export const head = (part: string, uuid: string = randomUUID()): string => `"uuid":"${uuid}","partUuid":"${part}"`;
export const measured = (characteristics: readonly string[], text = '12.34567'): string =>
  members(characteristics.length, (i) => `"${characteristics[i]}":{"1":"${text}"}`);

/** Invalid bodies, most of them large, with the expected message of each. */
export const HOSTILE_BODIES: readonly HostileBody[] = [
  ['a million keys for a list', () => members(MILLION, (i) => `"k${i}":1`), /more than \d+ items/],
  [
    'a million members of a measurement',
    ({ narrow }) => `[{${head(narrow)},${members(MILLION, (i) => `"k${i}":1`).slice(1)}]`,
    /more than \d+ items/,
  ],
  [
    'a million attributes',
    ({ narrow }) => `[{${head(narrow)},"attributes":${members(MILLION, (i) => `"${i}":"x"`)}}]`,
    /more than \d+ items/,
  ],
  ['70,000 attributes', ({ narrow }) => `[{${head(narrow)},"attributes":${members(70_000, (i) => `"k${i}":"x"`)}}]`, /70000 attributes/],
  [
    'a million characteristics',
    ({ narrow }) => `[{${head(narrow)},"characteristics":${members(MILLION, (i) => `"${hexUuid(i)}":{"1":1}`)}}]`,
    /more than \d+ items/,
  ],
  [
    'a million words for characteristics',
    ({ narrow }) => `[{${head(narrow)},"characteristics":${members(MILLION, (i) => `"k${i}":{"1":1}`)}}]`,
    /more than \d+ items/,
  ],
  [
    '100,000 words for characteristics',
    ({ narrow }) => `[{${head(narrow)},"characteristics":${members(100_000, (i) => `"k${i}":{"1":1}`)}}]`,
    /not the uuid of a characteristic/,
  ],
  [
    'a million value attributes',
    ({ narrow, few }) => `[{${head(narrow)},"characteristics":{"${few[0]}":${members(MILLION, (i) => `"${i}":1`)}}}]`,
    /more than \d+ items/,
  ],
  ['a million empty measurements', () => `[${'{},'.repeat(MILLION)}{}]`, /more than \d+ items/],
  [
    'lists of lists of empty lists',
    () => `[${`[${'[],'.repeat(100_000)}[]],`.repeat(HOSTILE_BYTES / 300_000)}[]]`,
    /must be|more than \d+ values/,
  ],
  [
    'an unknown characteristic at place 9,999',
    ({ wide, many }) => `[{${head(wide)},"characteristics":${measured(many.with(WIDE - 2, hexUuid(7)))}}]`,
    new RegExp(hexUuid(7)),
  ],
  [
    'a wrong value at place 9,999',
    ({ wide, many }) =>
      `[{${head(wide)},"characteristics":${measured(many).replace(`"${many[WIDE - 2]}":{"1":"12.34567"}`, `"${many[WIDE - 2]}":{"1":"1e400"}`)}}]`,
    /1e400/,
  ],
  [
    '20,000 measurements, the last one wrong',
    ({ narrow }) => `[${Array.from({ length: MANY }, () => `{${head(narrow)}},`).join('')}{${head(narrow, 'x')}}]`,
    /\[20000\]\.uuid/,
  ],
  ['20,000 measurements, all of them wrong', ({ narrow }) => `[${`{${head(narrow, 'x')}},`.repeat(MANY)}{}]`, /\[0\]\.uuid/],
  [
    '20,000 measurements, twice the same',
    ({ narrow }) => `[${`{${head(narrow, hexUuid(1))}},`.repeat(MANY)}{${head(narrow)}}]`,
    /stands in \[0\] already/,
  ],
  ['junk, nested deeply', ({ narrow }) => `[{${head(narrow)},"junk":${'[{"a":'.repeat(HOSTILE_BYTES / 6)}`, /nested more than/],
  [
    'a long text for an attribute',
    ({ narrow }) => `[{${head(narrow)},"attributes":{"4":"${'x'.repeat(HOSTILE_BYTES)}"}}]`,
    /date and time/,
  ],
  ['a long comment', ({ narrow }) => `[{${head(narrow)},"comment":"${'\\u00e4'.repeat(HOSTILE_BYTES / 6)}"}]`, /longer than/],
  [
    'a long number',
    ({ narrow, few }) => `[{${head(narrow)},"characteristics":{"${few[0]}":{"1":${'9'.repeat(HOSTILE_BYTES)}}}}]`,
    /must be a number/,
  ],
  [
    'a body without an end',
    ({ narrow, few }) => `[{${head(narrow)},"characteristics":{${`"${few[0]}":{"1":1},`.repeat(1000)}`,
    /not valid JSON/,
  ],
  ['NaN', ({ narrow, few }) => `[{${head(narrow)},"characteristics":{"${few[0]}":{"1":NaN}}}]`, /not valid JSON/],
  ['invalid UTF-8 at the end', () => Buffer.concat([Buffer.alloc(HOSTILE_BYTES, 0x20), Buffer.from([0xc3, 0x28])]), /UTF-8/],
  ['UTF-16', ({ narrow }) => Buffer.from(`\ufeff[{${head(narrow)}}]`, 'utf16le'), /UTF-8/],
  [
    'a compressed body beyond the limit',
    () => gzipSync(Buffer.alloc(LIMIT_BYTES + 1, 0x20), { level: 1 }),
    /decompresses to more than/,
    413,
  ],
];

/** Makes a text of about this size that compresses like measured values. */
export function digits(sizeBytes: number): string {
  return Array.from({ length: sizeBytes / 8 }, (_, i) => String(i).padStart(8, '0')).join('');
}

function members(length: number, member: (i: number) => string): string {
  return `{${Array.from({ length }, (_, i) => member(i)).join()}}`;
}

function hexUuid(i: number): string {
  return `${i.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
}
