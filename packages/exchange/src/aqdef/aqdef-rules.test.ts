import { describe, expect, it } from '@jest/globals';
import type { Problem } from '../content.ts';
import { bytesOf, readAll, type ReadFile } from '../read-all.fixture.ts';
import { MAX_LINE_BYTES } from '../text-lines.ts';
import { readAqdef } from './aqdef-reader.ts';

const read = (...lines: readonly string[]): Promise<ReadFile> => readAll(readAqdef(bytesOf(lines.join('\n')), { zone: 'UTC' }));
const PLAN = ['K0100 1', 'K1001/1 4711', 'K2001/1 1', 'K2002/1 Diameter'];

interface Broken {
  rule: string;
  lines: readonly string[];
  /** The expected problem; `says` is its message. */
  problem: Partial<Problem>;
  says: RegExp;
}

const WARNINGS: readonly Broken[] = [
  {
    rule: 'K0100 is not the first field',
    lines: ['K1001/1 4711', 'K0100 1', 'K2001/1 1'],
    problem: { line: 1, key: 'K0100' },
    says: /Write it on the first line/,
  },
  {
    rule: 'K0100 is no number',
    lines: ['K0100 many', 'K1001/1 4711', 'K2001/1 1'],
    problem: { line: 1, key: 'K0100' },
    says: /"many" is no number.*whole number/,
  },
  {
    rule: 'a part field stands after characteristics',
    lines: [...PLAN, 'K1002/1 Shaft'],
    problem: { line: 5, key: 'K1002' },
    says: /before its first K2xxx/,
  },
  {
    rule: 'an index is above K0100',
    lines: [...PLAN, 'K2001/2 2'],
    problem: { line: 5, key: 'K0100' },
    says: /characteristic 2, but K0100 counts 1.*Correct K0100/,
  },
  {
    rule: 'a number of the plan is unreadable',
    lines: [...PLAN, 'K2110/1 about 5'],
    problem: { line: 5, key: 'K2110' },
    says: /"about 5" is no number.*Write a number/,
  },
  {
    rule: 'a text is too long',
    lines: [...PLAN, `K2142/1 ${'m'.repeat(21)}`],
    problem: { line: 5, key: 'K2142' },
    says: /21 characters, AQDEF allows 20.*shorten/,
  },
  {
    rule: 'limits are crossed',
    lines: [...PLAN, 'K2110/1 2', 'K2111/1 1'],
    problem: { line: 3, key: 'K2110' },
    says: /lower limit K2110.*is above.*Exchange or correct/,
  },
  {
    rule: 'an allowance has no sign',
    lines: [...PLAN, 'K2101/1 5', 'K2112/1 0.2', 'K2113/1 0.2'],
    problem: { line: 3, key: 'K2112' },
    says: /taken as -0\.2.*with its sign/,
  },
  {
    rule: 'a characteristic has neither number nor name',
    lines: ['K0100 1', 'K1001/1 4711', 'K2142/1 mm'],
    problem: { line: 3, key: 'K2001' },
    says: /neither number nor name.*"Characteristic 1".*Write K2001 or K2002/,
  },
  {
    rule: 'a part has neither number nor name',
    lines: ['K0100 1', 'K1003/1 x', 'K2001/1 1'],
    problem: { line: 2, key: 'K1002' },
    says: /neither number nor name.*Write K1001 or K1002/,
  },
  {
    rule: 'two parts have one number',
    lines: ['K0100 2', 'K1001/1 4711', 'K2001/1 1', 'K1001/2 4711', 'K2001/2 1'],
    problem: { line: 4, key: 'K1001' },
    says: /parts 1 and 2 have the same number 4711.*number of its own/,
  },
  { rule: 'a field is not known', lines: [...PLAN, 'K7001/1 x'], problem: { line: 5, key: 'K7001' }, says: /not known and is left out/ },
  { rule: 'a field of a group is not known', lines: [...PLAN, 'K5199/1 x'], problem: { line: 5, key: 'K5199' }, says: /not known/ },
  { rule: 'a catalog is not known', lines: [...PLAN, 'K4999/1 x'], problem: { line: 5, key: 'K4999' }, says: /catalog field.*not known/ },
  {
    rule: 'the index of a group is unreadable',
    lines: [...PLAN, 'K5112/1 first'],
    problem: { line: 5, key: 'K5112' },
    says: /"first" is no index.*whole number/,
  },
  {
    rule: 'a field of all values stands before the first value',
    lines: [...PLAN, 'K0014/0 A', 'K0001/1 1'],
    problem: { line: 5, key: 'K0014' },
    says: /before the first value.*Write it after/,
  },
  {
    rule: 'the index of a value names none',
    lines: [...PLAN, '1', '2', 'K0014/1/1 A'],
    problem: { line: 7, key: 'K0014' },
    says: /names value 1.*directly after its value/,
  },
  {
    rule: 'a value has too many fields',
    lines: [...PLAN, '1' + '\u0014'.repeat(12)],
    problem: { line: 5, key: 'K0001' },
    says: /13 fields, a value line has 10 at most/,
  },
  {
    rule: 'a number among the fields of a value is unreadable',
    lines: [...PLAN, 'K0001/1 1', 'K0011/1 hot'],
    problem: { line: 6, key: 'K0011' },
    says: /"hot" is no number/,
  },
];

const ERRORS: readonly Broken[] = [
  {
    rule: 'a measured value is unreadable',
    lines: [...PLAN, 'abc'],
    problem: { line: 5, key: 'K0001' },
    says: /"abc" is no number.*K0002 255/,
  },
  {
    rule: 'a date has an unknown form',
    lines: [...PLAN, '1\u00140\u00145 January 2026'],
    problem: { line: 5, key: 'K0004' },
    says: /"5 January 2026" is no date.*dd\.MM\.yyyy/,
  },
  {
    rule: 'a date names no day',
    lines: [...PLAN, 'K0001/1 1', 'K0004/1 31.02.2026/10:00:00'],
    problem: { line: 6, key: 'K0004' },
    says: /is no date/,
  },
  {
    rule: 'a value has no characteristic',
    lines: [...PLAN, '1\u000f2'],
    problem: { line: 5, key: 'K0001' },
    says: /characteristic 2, but the file describes 1.*K2001\/2/,
  },
  {
    rule: 'a keyed value has no characteristic',
    lines: [...PLAN, 'K0001/7 2'],
    problem: { line: 5, key: 'K0001' },
    says: /characteristic 7.*K2001\/7/,
  },
  {
    rule: 'an index is unreadable',
    lines: [...PLAN, 'K2001/x 1'],
    problem: { line: 5, key: 'K2001' },
    says: /index.*cannot be read.*K2001\/1/,
  },
  {
    rule: 'a field of the plan has an index of a value',
    lines: [...PLAN, 'K2001/1/2 1'],
    problem: { line: 5, key: 'K2001' },
    says: /which only K0001 to K0099 may have.*Remove/,
  },
  { rule: 'the file is empty', lines: [''], problem: {}, says: /The file is empty/ },
  { rule: 'the file describes no part', lines: ['K0100 0'], problem: { key: 'K1001' }, says: /no part.*DFD/ },
  {
    rule: 'the file is no AQDEF file',
    lines: ['part;value', '4711;20.1'],
    problem: { line: 1 },
    says: /is no field such as.*Check that this is an AQDEF file/,
  },
  { rule: 'a DFX file has no DFD file', lines: ['K0100 1', '20.01'], problem: { line: 2 }, says: /DFX file needs its DFD file/ },
];

describe.each(WARNINGS.map((broken) => [broken.rule, broken] as const))('when %s', (_, { lines, problem, says }) => {
  it('a warning names the position', async () => expect((await read(...lines)).warnings).toContainEqual(expect.objectContaining(problem)));
  it('a warning says what to do', async () =>
    expect((await read(...lines)).warnings.map(({ message }) => message).join('\n')).toMatch(says));
  it('there is no error', async () => expect((await read(...lines)).errors).toEqual([]));
});

describe.each(ERRORS.map((broken) => [broken.rule, broken] as const))('when %s', (_, { lines, problem, says }) => {
  it('an error names the position', async () => expect((await read(...lines)).errors).toContainEqual(expect.objectContaining(problem)));
  it('an error says what to do', async () => expect((await read(...lines)).errors.map(({ message }) => message).join('\n')).toMatch(says));
});

describe('a file without line ends', () => {
  it('is refused at the limit of a line, without taking more memory', async () => {
    let sent = 0;
    function* endless(): Generator<Uint8Array> {
      yield Buffer.from(PLAN.join('\n') + '\n');
      const chunk = Buffer.alloc(1024 * 1024, 'a');
      for (; sent < 1024; sent += 1) yield chunk;
    }
    const { errors } = await readAll(readAqdef(endless()));
    expect(errors[0]).toMatchObject({ line: 5, message: expect.stringMatching(/no end within 8 MiB/) as unknown });
    expect(sent).toBeLessThan(2 * (MAX_LINE_BYTES / 1024 / 1024));
  });
});

describe('errors', () => {
  it('are listed up to 100 and counted all', async () => {
    const { errors, errorCount } = await read(...PLAN, ...Array.from({ length: 250 }, () => 'abc'));
    expect(errors).toHaveLength(100);
    expect(errorCount).toBe(250);
  });

  it('leave out only their measurement', async () => {
    const { all } = await read(...PLAN, '1', 'abc', '2');
    expect(all.map(({ values }) => values)).toEqual([['1'], ['2']]);
  });
});

describe('times', () => {
  const timeOf = async (text: string, zone: string | undefined) =>
    (await readAll(readAqdef(bytesOf([...PLAN, 'K0001/1 1', `K0004/1 ${text}`].join('\n')), { zone }))).all[0]?.attributes['4'];

  it.each([
    ['05.01.2026/08:30:00', '2026-01-05T07:30:00Z'],
    ['5.1.2026 8:30', '2026-01-05T07:30:00Z'],
    ['05.01.26/08:30:00', '2026-01-05T07:30:00Z'],
    ['1/5/26 8:30:00 AM', '2026-01-05T07:30:00Z'],
    ['1/5/2026/08:30:00', '2026-01-05T07:30:00Z'],
    ['2026-01-05 08:30:00', '2026-01-05T07:30:00Z'],
    ['2026-01-05.08:30:00', '2026-01-05T07:30:00Z'],
    ['2026-01-05T08:30:00', '2026-01-05T07:30:00Z'],
    ['2026-01-05T08:30:00Z', '2026-01-05T08:30:00Z'],
    ['2026-01-05T08:30:00+05:00', '2026-01-05T03:30:00Z'],
    ['05.07.2026/08:30:00', '2026-07-05T06:30:00Z'],
    ['05.01.2026', '2026-01-04T23:00:00Z'],
    ['29.03.2026/02:30:00', '2026-03-29T01:30:00Z'],
    ['25.10.2026/02:30:00', '2026-10-25T00:30:00Z'],
  ])('%s are read', async (text, time) => expect(await timeOf(text, 'Europe/Berlin')).toBe(time));

  it('without a zone are in UTC, with a warning', async () => {
    const { all, warnings } = await readAll(readAqdef(bytesOf([...PLAN, '1\u00140\u001405.01.2026/08:30:00'].join('\n'))));
    expect(all[0]?.attributes['4']).toBe('2026-01-05T08:30:00Z');
    expect(warnings).toEqual([{ key: 'K0004', message: expect.stringMatching(/taken as UTC.*Europe\/Berlin/) as unknown }]);
  });
});
