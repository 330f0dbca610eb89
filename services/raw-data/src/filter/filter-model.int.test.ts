import { PathScope } from '@sinebar/access-control';
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWith } from '@sinebar/testing';
import fc from 'fast-check';
import { size } from '@sinebar/testing/size';
import { startRawData, type RunningRawData } from '../running-raw-data.fixture.ts';
import { formatMd5 } from '../objects/md5.ts';
import { listObjects } from '../objects/object-listing.ts';
import type { RawDataObject } from '../objects/raw-data-object.ts';
import { filterCondition } from './filter-condition.ts';
import { parseFilter } from './filter-parser.ts';

const NOW = new Date('2026-03-31T12:00:00.000Z');
const WORK = { signal: new AbortController().signal, statementTimeoutMs: 60_000 };
const RUNS = size({ short: 100, long: 10_000 });
const TIMEOUT_MS = 30_000 + RUNS * 200;

type File = Pick<RawDataObject, 'fileName' | 'mimeType' | 'sizeBytes' | 'md5' | 'created' | 'lastModified'>;
/** A filter as text, and what it means for a file. */
interface Case {
  text: string;
  holds: (file: File) => boolean;
}

const LONG = 'x'.repeat(120);
const NAMES = [
  'a.txt',
  'A.TXT',
  'b.png',
  'Ärger 1.pdf',
  'ärger_2.pdf',
  '测量.bin',
  '100%',
  'a\\b',
  "it's",
  '*',
  '?',
  `${LONG}1`,
  `${LONG}2`,
  'zz',
  '',
];
const TYPES = ['text/plain', 'image/PNG', 'image/jpeg', 'application/pdf'];
const SIZES = [0, 1, 2, 10, 999, 1000, 5_000_000_000];
const DATES = ['2026-03-31T11:00:00.000Z', '2026-03-30T12:00:00.000Z', '2020-02-29T00:00:00.001Z', '0001-01-01T00:00:00.000Z'];
const DIGESTS = ['a', 'b', 'c'].map((text) => createHash('md5').update(text).digest('hex'));

/** All spellings of a checksum. */
function formsOf(digest: string): string[] {
  const guid = formatMd5(digest, 'guid');
  return [digest, digest.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'), guid.replaceAll('-', ''), guid];
}

const compared = {
  eq: (c: number) => c === 0,
  ne: (c: number) => c !== 0,
  lt: (c: number) => c < 0,
  le: (c: number) => c <= 0,
  gt: (c: number) => c > 0,
  ge: (c: number) => c >= 0,
};
const operators = fc.constantFrom(...(Object.keys(compared) as (keyof typeof compared)[]));
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
/** Compares code points, which is the order of the UTF-8 bytes. */
const compareTexts = (a: string, b: string) => Buffer.compare(Buffer.from(a.toLowerCase()), Buffer.from(b.toLowerCase()));
const textOf = { FileName: (file: File) => file.fileName, MimeType: (file: File) => file.mimeType };
const dateOf = { Created: (file: File) => file.created, LastModified: (file: File) => file.lastModified };

const texts = fc.constantFrom(...NAMES, ...TYPES);
const textCase = fc.tuple(fc.constantFrom('FileName', 'MimeType'), operators, texts).map(([name, operator, value]): Case => ({
  text: `${name} ${operator} ${quoted(value)}`,
  holds: (file) => compared[operator](compareTexts(textOf[name as 'FileName'](file), value)),
}));
const textList = fc
  .tuple(fc.constantFrom('FileName', 'MimeType'), fc.boolean(), fc.array(texts, { maxLength: 4 }))
  .map(([name, isIn, values]): Case => ({
    text: `${name} ${isIn ? 'in' : 'notin'} (${values.map(quoted).join(', ')})`,
    holds: (file) => values.some((value) => compareTexts(textOf[name as 'FileName'](file), value) === 0) === isIn,
  }));
const pieces = fc.constantFrom('*', '?', '\\*', '\\?', '\\\\', 'a', '.', 'TXT', 'ä', '测', '_', '%', '1', 'x', 'image/', 'p');
const likeCase = fc.tuple(fc.constantFrom('FileName', 'MimeType'), fc.array(pieces, { maxLength: 6 })).map(([name, parts]): Case => {
  const expression = parts.map((part) => {
    if (part === '*') return '[^]*';
    if (part === '?') return '[^]';
    return (part.startsWith('\\') ? part.slice(1) : part.toLowerCase()).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  const pattern = new RegExp(`^${expression.join('')}$`, 'u');
  return { text: `${name} like ${quoted(parts.join(''))}`, holds: (file) => pattern.test(textOf[name as 'FileName'](file).toLowerCase()) };
});
const numbers = fc.constantFrom(
  '0',
  '1',
  '1.0',
  '1.5',
  '-1',
  '-0.5',
  '+10',
  '999.999',
  '1000',
  '5000000000',
  '99999999999999999999',
  '-99999999999999999999',
);
const lengthCase = fc.tuple(operators, numbers).map(([operator, number]): Case => ({
  text: `Length ${operator} ${number}`,
  holds: (file) => compared[operator](file.sizeBytes - Number(number)),
}));
const lengthList = fc.array(numbers, { maxLength: 3 }).map((values): Case => ({
  text: `Length in (${values.join(', ')})`,
  holds: (file) => values.some((value) => Number(value) === file.sizeBytes),
}));
const dateCase = fc
  .tuple(fc.constantFrom('Created', 'LastModified'), operators, fc.constantFrom(...DATES, '-1h', '-1d', '-2d'))
  .map(([name, operator, value]): Case => {
    const wanted = value.startsWith('-') ? NOW.getTime() - { '-1h': 36e5, '-1d': 864e5, '-2d': 1728e5 }[value as '-1h'] : Date.parse(value);
    return {
      text: `${name} ${operator} ${quoted(value)}`,
      holds: (file) => compared[operator](dateOf[name as 'Created'](file).getTime() - wanted),
    };
  });
const digestCase = fc.tuple(fc.constantFrom('eq', 'ne'), fc.constantFrom(...DIGESTS)).map(([operator, digest]): Case => ({
  text: `MD5 ${operator} ${quoted(digest)}`,
  holds: (file) => (file.md5 === digest) === (operator === 'eq'),
}));
const digestPieces = fc.constantFrom(
  '*',
  '?',
  '-',
  '????',
  ...DIGESTS.flatMap((digest) => formsOf(digest).map((form) => form.slice(3, 11))),
);
const digestLike = fc.array(digestPieces, { minLength: 1, maxLength: 4 }).map((parts): Case => {
  const pattern = new RegExp(`^${parts.join('').replaceAll('*', '.*').replaceAll('?', '.')}$`, 'u');
  return {
    text: `MD5 like ${quoted(parts.join('').toUpperCase())}`,
    holds: (file) => formsOf(file.md5).some((form) => pattern.test(form)),
  };
});
const { filter } = fc.letrec<{ filter: Case }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    textCase,
    textList,
    likeCase,
    lengthCase,
    lengthList,
    dateCase,
    digestCase,
    digestLike,
    fc.constantFrom<Case>({ text: 'true', holds: () => true }, { text: 'FALSE', holds: () => false }),
    tie('filter').map(({ text, holds }) => ({ text: `not (${text})`, holds: (file: File) => !holds(file) })),
    fc.tuple(tie('filter'), fc.constantFrom('and', 'or'), tie('filter')).map(([a, word, b]) => ({
      text: `(${a.text} ${word} ${b.text})`,
      holds: (file: File) => (word === 'and' ? a.holds(file) && b.holds(file) : a.holds(file) || b.holds(file)),
    })),
  ),
}));

describeWith(['postgres'], 'filters', () => {
  let running: RunningRawData;
  let files: RawDataObject[];

  const matching = (condition?: ReturnType<typeof filterCondition>) =>
    running.database.stream(WORK, async (session) => {
      const found: RawDataObject[] = [];
      for await (const batch of listObjects(session, { entity: 'Part', condition }, PathScope.EVERYTHING)) found.push(...batch);
      return found;
    });

  beforeAll(async () => {
    running = await startRawData();
    const part = randomUUID();
    const columns = {
      name: [] as string[],
      type: [] as string[],
      size: [] as number[],
      created: [] as string[],
      modified: [] as string[],
      md5: [] as string[],
    };
    const pick = <T>(values: readonly T[], n: number) => values[n % values.length] as T;
    for (let n = 0; n < 300; n += 1) {
      columns.name.push(pick(NAMES, n));
      columns.type.push(pick(TYPES, n + Math.floor(n / 15)));
      columns.size.push(pick(SIZES, n + Math.floor(n / 7)));
      columns.created.push(pick(DATES, n + Math.floor(n / 11)));
      columns.modified.push(pick(DATES, n + Math.floor(n / 13)));
      columns.md5.push(pick(DIGESTS, n + Math.floor(n / 5)));
    }
    await running.query(
      `INSERT INTO raw_data_object (entity, target_uuid, characteristic_uuid, part_uuid, key, file_name, mime_type, size_bytes, created,
         last_modified, md5, object_name)
       SELECT 'Part', $1, '00000000-0000-0000-0000-000000000000', $1, n - 1, name, type, size, created, modified, decode(md5, 'hex'),
         gen_random_uuid()
       FROM unnest($2::text[], $3::text[], $4::bigint[], $5::timestamptz[], $6::timestamptz[], $7::text[])
         WITH ORDINALITY AS file (name, type, size, created, modified, md5, n)`,
      [part, ...Object.values(columns)],
    );
    files = await matching();
    expect(files).toHaveLength(300);
  });
  afterAll(() => running.stop());

  it(
    `select the same files in the database as in memory (${RUNS} filters) [R58, D6.7]`,
    async () => {
      await fc.assert(
        fc.asyncProperty(filter, async ({ text, holds }) => {
          const found = await matching(filterCondition(parseFilter(text, NOW)));
          expect(found.map(({ key }) => key)).toEqual(files.filter(holds).map(({ key }) => key));
        }),
        { numRuns: RUNS },
      );
    },
    TIMEOUT_MS,
  );
});
