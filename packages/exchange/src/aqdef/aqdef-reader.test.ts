import { describe, expect, it } from '@jest/globals';
import { bytesOf, readAll, type ReadFile } from '../read-all.fixture.ts';
import { readAqdef } from './aqdef-reader.ts';
import { SAMPLE } from './sample.fixture.ts';

const read = (text: string, zone: string | undefined = 'Europe/Berlin'): Promise<ReadFile> => readAll(readAqdef(bytesOf(text), { zone }));
const lines = (...texts: readonly string[]): string => texts.join('\n') + '\n';
const PLAN = ['K0100 2', 'K1001/1 4711', 'K2001/1 1', 'K2002/1 Diameter', 'K2001/2 2', 'K2002/2 Length'];

describe('the sample', () => {
  it('has one part with three characteristics', async () => {
    const { parts } = await read(SAMPLE);
    expect(parts.map(({ name, characteristics }) => [name, characteristics.map((one) => one.name)])).toEqual([
      ['4711-A', ['Diameter', 'Length', 'Roundness']],
    ]);
  });

  it('keeps the fields of a characteristic by their keys', async () => {
    const { parts } = await read(SAMPLE);
    expect(parts[0]?.characteristics[0]?.attributes).toEqual({
      2001: '1',
      2002: 'Diameter',
      2022: '3',
      2101: '20.000',
      2110: '19.950',
      2111: '20.050',
      8014: '19.960',
      8015: '20.040',
      2142: 'mm',
    });
  });

  it('has three measurements', async () => {
    const { all } = await read(SAMPLE);
    expect(all.map(({ characteristics, values }) => [characteristics, values])).toEqual([
      [
        [1, 2, 3],
        ['20.012', '75.03', '0.004'],
      ],
      [
        [1, 3],
        ['20.018', '1.2E-3'],
      ],
      [[1], ['20.021']],
    ]);
  });

  it('gives a measurement the fields of its values, and the time in UTC', async () => {
    const { all } = await read(SAMPLE);
    expect(all[0]?.attributes).toEqual({ 4: '2026-01-05T07:30:00Z', 6: 'L17', 7: '0', 8: '12', 10: '3', 12: '7', 14: 'SN-0001' });
  });

  it('has neither errors nor warnings', async () => {
    const { errors, warnings } = await read(SAMPLE);
    expect(errors).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('is the same in chunks of one byte', async () => {
    expect(await readAll(readAqdef(bytesOf(SAMPLE, 1), { zone: 'Europe/Berlin' }))).toEqual(await read(SAMPLE));
  });
});

describe('keyed values', () => {
  it('belong to one measurement when their times are equal, though each characteristic stands for itself', async () => {
    const { all } = await read(
      lines(
        ...PLAN,
        'K0001/1 1.1',
        'K0004/1 1.1.2026/10:00:00',
        'K0001/1 1.2',
        'K0004/1 1.1.2026/11:00:00',
        'K0001/2 2.2',
        'K0004/2 1.1.2026/11:00:00',
      ),
    );
    expect(all.map(({ characteristics, values }) => [characteristics, values])).toEqual([
      [[1], ['1.1']],
      [
        [1, 2],
        ['1.2', '2.2'],
      ],
    ]);
  });

  it('belong to one measurement by their order, when they have no times', async () => {
    const { all } = await read(lines(...PLAN, 'K0001/1 1.1', 'K0001/1 1.2', 'K0001/2 2.1', 'K0001/2 2.2'));
    expect(all.map(({ values }) => values)).toEqual([
      ['1.1', '2.1'],
      ['1.2', '2.2'],
    ]);
  });

  it('belong to one measurement by their subgroup', async () => {
    const { all } = await read(
      lines(
        ...PLAN,
        'K0001/1 1.1',
        'K0080/1 7',
        'K0081/1 1',
        'K0001/1 1.2',
        'K0080/1 7',
        'K0081/1 2',
        'K0001/2 2.2',
        'K0080/2 7',
        'K0081/2 2',
      ),
    );
    expect(all.map(({ values }) => values)).toEqual([['1.1'], ['1.2', '2.2']]);
  });

  it('take the fields of all characteristics', async () => {
    const { all } = await read(lines(...PLAN, 'K0001/1 1', 'K0001/2 3', 'K0014/0 A', 'K0001/1 2', 'K0001/2 4', 'K0014/0 B'));
    expect(all.map(({ attributes }) => attributes)).toEqual([{ 14: 'A' }, { 14: 'B' }]);
  });

  it('take the fields that name a value by its number', async () => {
    const { all } = await read(lines(...PLAN, 'K0001/1 1', 'K0001/1 2', 'K0014/1/1 A'));
    expect(all.map(({ attributes }) => attributes)).toEqual([{ 14: 'A' }, {}]);
  });

  it('may repeat time and batch for each value, and differ in one of them', async () => {
    const fields = (time: string, batch: string) => ['0', time, '', batch].join('\u0014');
    const same = fields('05.01.2026/08:30:00', '#A');
    const value = (text: string, behind: string) => `${text}\u0014${behind}`;
    const values = (...texts: readonly string[]) =>
      read(lines(...PLAN, 'K0100 5', ...[3, 4, 5].map((i) => `K2002/${i} c${i}`), texts.join('\u000f')));
    const { all, errors } = await values(
      value('1', same),
      value('2', same),
      value(' ', same),
      value('4', fields('05.01.2026/08:30:00', '#B')),
      value('5', same),
    );
    expect(errors).toEqual([]);
    expect(all).toMatchObject([
      { attributes: { 4: '2026-01-05T07:30:00Z', 6: 'A' }, characteristics: [1, 2, 5], values: ['1', '2', '5'] },
      { attributes: { 4: '2026-01-05T07:30:00Z', 6: 'B' }, characteristics: [4], values: ['4'] },
    ]);
  });

  it('are complete before the end of a long file', async () => {
    const records = Array.from({ length: 20_000 }, (_, i) => `K0001/1 ${i}\nK0001/2 ${i}.5\n`).join('');
    const reader = readAqdef(bytesOf(lines(...PLAN) + records));
    const first = await reader.next();
    expect(first.done).toBe(false);
    await reader.return(undefined as never);
  });
});

describe('several parts', () => {
  it('have their own characteristics and measurements', async () => {
    const { parts, all } = await read(lines('K0100 2', 'K1001/1 A', 'K2001/1 1', 'K0001/1 7.1', 'K1001/2 B', 'K2001/2 1', 'K0001/2 7.2'));
    expect(parts.map(({ name, characteristics }) => [name, characteristics.map(({ index }) => index)])).toEqual([
      ['A', [1]],
      ['B', [2]],
    ]);
    expect(all.map(({ part, values }) => [part, values])).toEqual([
      [1, ['7.1']],
      [2, ['7.2']],
    ]);
  });

  it('share a value line', async () => {
    const { all } = await read(lines('K0100 2', 'K1001/1 A', 'K2001/1 1', 'K1001/2 B', 'K2001/2 1', '7.1\u000f7.2'));
    expect(all.map(({ part, values }) => [part, values])).toEqual([
      [1, ['7.1']],
      [2, ['7.2']],
    ]);
  });
});

describe('fields of all', () => {
  it('hold for parts and characteristics without their own', async () => {
    const { parts } = await read(lines('K0100 2', 'K1002/0 common', 'K1001/1 A', 'K2142/0 mm', 'K2001/1 1', 'K2142/1 µm', 'K2001/2 2'));
    expect(parts[0]?.attributes).toEqual({ 1001: 'A', 1002: 'common' });
    expect(parts[0]?.characteristics.map(({ attributes }) => attributes['2142'])).toEqual(['µm', 'mm']);
  });
});

describe('names', () => {
  it('that occur twice get their number', async () => {
    const { parts } = await read(lines('K0100 2', 'K1001/1 A', 'K2001/1 10', 'K2002/1 Bore', 'K2001/2 20', 'K2002/2 BORE'));
    expect(parts[0]?.characteristics.map(({ name }) => name)).toEqual(['Bore (10)', 'BORE (20)']);
  });

  it('come from the number where there is no description, and from the description for a part without number', async () => {
    const { parts } = await read(lines('K0100 1', 'K1002/1 Shaft', 'K2001/1 10'));
    expect(parts[0]).toMatchObject({ name: 'Shaft', characteristics: [{ name: '10' }] });
  });
});

describe('groups', () => {
  const tree = ['K5002/1 Bores', 'K5111/1 1', 'K5113/2 1', 'K5112/3 1', 'K5112/4 2', 'K5103/1 2', 'K5103/2 3', 'K5102/3 2'];

  it('become characteristics above', async () => {
    const { parts } = await read(lines(...PLAN, ...tree));
    expect(parts[0]?.characteristics).toMatchObject([
      { name: 'Bores', index: undefined, children: [{ name: 'Diameter', index: 1, children: [{ name: 'Length', index: 2 }] }] },
    ]);
  });

  it('of the older kind are read too', async () => {
    const { parts } = await read(lines(...PLAN, 'K2030/1 5', 'K2031/2 5'));
    expect(parts[0]?.characteristics).toMatchObject([{ name: 'Diameter', children: [{ name: 'Length' }] }]);
  });

  it('below themselves are placed below their part', async () => {
    const { parts, warnings } = await read(lines(...PLAN, 'K5112/1 1', 'K5112/2 2', 'K5103/1 2', 'K5103/2 1'));
    expect(parts[0]?.characteristics.map(({ name }) => name)).toEqual(['Diameter', 'Length']);
    expect(warnings[0]).toMatchObject({ key: 'K5103' });
  });
});

describe('attributive characteristics', () => {
  it('have sample size and errors', async () => {
    const { all } = await read(
      lines('K0100 1', 'K1001/1 A', 'K2001/1 1', 'K2004/1 1', '50000\u00142\u00140\u001401.01.2026/10:00:00', 'K0020/1 1000', 'K0021/1 1'),
    );
    expect(all.map(({ values, valueAttributes }) => [values, valueAttributes?.get(0)])).toEqual([
      [['2'], { 20: '50' }],
      [['1'], { 20: '1000' }],
    ]);
  });
});

describe('attributive characteristics with a further field', () => {
  it('have their time one field later', async () => {
    const { all } = await read(
      lines('K0100 1', 'K1001/1 A', 'K2001/1 1', 'K2004/1 1', '50000\u00142\u00140\u00140\u001401.01.2026/10:00:00\u0014\u0014#\u00140'),
    );
    expect(all[0]).toMatchObject({ values: ['2'], attributes: { 4: '2026-01-01T09:00:00Z', 7: '0' } });
  });
});

describe('catalogs', () => {
  it('name the attribute that refers to them', async () => {
    const { catalogEntries } = await read(lines(...PLAN, 'K4060/1 3', 'K4062/1 M-3', 'K4063/1 Bridge machine', 'K4093/2 Keller'));
    expect(catalogEntries).toEqual([
      { attribute: 10, number: '3', attributes: { 4062: 'M-3', 4063: 'Bridge machine' } },
      { attribute: 8, number: '2', attributes: { 4093: 'Keller' } },
    ]);
  });
});

describe('encodings', () => {
  const text = lines('K0100 1', 'K1001/1 A', 'K2001/1 1', 'K2002/1 Größe µ');
  const nameIn = async (bytes: Uint8Array) => (await readAll(readAqdef([bytes]))).parts[0]?.characteristics[0]?.name;

  it('may be UTF-8 with a byte order mark', async () => expect(await nameIn(Buffer.from('\ufeff' + text))).toBe('Größe µ'));
  it('may be Windows-1252', async () => expect(await nameIn(Buffer.from(text, 'latin1'))).toBe('Größe µ'));
  it('may be UTF-16', async () => expect(await nameIn(Buffer.from('\ufeff' + text, 'utf16le'))).toBe('Größe µ'));
  it('may be UTF-16 without a byte order mark', async () => expect(await nameIn(Buffer.from(text, 'utf16le'))).toBe('Größe µ'));
  it('may be UTF-16 in the other byte order', async () =>
    expect(await nameIn(Buffer.from('\ufeff' + text, 'utf16le').swap16())).toBe('Größe µ'));
});
