import { describe, expect, it } from '@jest/globals';
import { bytesOf, readAll, type ReadFile } from '../read-all.fixture.ts';
import { C, F, fields, header, readLines, TIME, UTC, valuesOf } from './aqdef-lines.fixture.ts';
import { readAqdef } from './aqdef-reader.ts';

describe('the AQDEF files of the version before', () => {
  // Written by the writer of that version.
  const EXPORT = [
    '\ufeffK0100 2',
    'K1001/1 AT-1',
    'K1002/1 Scheibe Maß',
    'K2001/1 1',
    'K2002/1 Scratches',
    'K2004/1 1',
    'K2001/2 2',
    'K2002/2 Dia',
    'K2101/2 10',
    'K2110/2 9.9',
    'K2111/2 10.2',
    'K2142/2 mm',
    'K4090/1 12',
    'K4093/1 Keller',
    'K5001/1 B',
    'K5002/1 Bores',
    'K5111/1 1',
    'K5112/2 1',
    'K5113/3 1',
    'K5112/4 2',
    'K5103/1 2',
    'K5103/1 3',
    'K5103/3 4',
    '50000\u00142\u00140\u001405.07.2026/10:48:07\u0014\u0014#B1\u00141\u000f10.1\u00140\u001405.07.2026/10:48:07\u0014\u0014#B1\u00141',
    'K0014/0 SN-1',
    '50000\u00143\u00140\u0014\u0014\u0014#B2\u0014\u001412',
    '50000\u00144\u00140\u0014\u0014\u00144711',
    '50000\u00141\u0014129',
    '\u0014\u0014255\u001405.07.2026/11:48:07\u0014\u0014#B3',
    '\u000f10.15\u0014290\u00142026-07-05T09:48:07.5Z\u0014\u0014#B4',
  ];

  it('are read with all values and fields', async () => {
    const { all, errors } = await readLines(EXPORT);
    expect(errors).toEqual([]);
    expect(all.map(({ values, attributes, valueAttributes }) => [values, attributes, Object.fromEntries(valueAttributes ?? [])])).toEqual([
      [['2', '10.1'], { 4: UTC, 6: 'B1', 7: '1', 14: 'SN-1' }, { 0: { 20: '50' } }],
      [['3'], { 6: 'B2', 8: '12' }, { 0: { 20: '50' } }],
      [['4'], { 6: '4711' }, { 0: { 20: '50' } }],
      [['1'], {}, { 0: { 2: '129', 20: '50' } }],
      [[], { 4: '2026-07-05T09:48:07Z', 6: 'B3' }, {}],
      [['10.15'], { 4: '2026-07-05T09:48:07.5Z', 6: 'B4' }, { 0: { 2: '290' } }],
    ]);
  });

  it('are read with their plan', async () => {
    const { parts, catalogEntries } = await readLines(EXPORT);
    expect(parts).toMatchObject([
      {
        name: 'AT-1',
        attributes: { 1002: 'Scheibe Maß' },
        characteristics: [
          { name: 'Scratches', attributes: { 12004: '1' } },
          { name: 'Bores', children: [{ name: 'Dia', attributes: { 2101: '10', 2110: '9.9', 2111: '10.2', 2142: 'mm' } }] },
        ],
      },
    ]);
    expect(catalogEntries).toEqual([{ attribute: 8, number: '12', attributes: { 4093: 'Keller' } }]);
  });
});

describe('a value line with a wrong separator', () => {
  const five = [1, 2, 3, 4, 5].map((n) => fields(String(n), '0', TIME)).join(F) + F;

  it.each([
    ['two characteristics', header('P', 'A', 'B'), fields('57.962', '0', TIME, '26.051', '0', TIME)],
    ['five characteristics', header('P', 'A', 'B', 'C', 'D', 'E'), five],
    ['values without attributes', header('P', 'A', 'B'), fields('1', '', '', '', '', '5.7.26 1:8:7')],
    [
      'more than twelve filled fields',
      header('P', 'A'),
      Array.from({ length: 13 }, () => '1')
        .join(F)
        .replace('1\u00141\u00141', `1\u00140\u0014${TIME}`),
    ],
  ])('is an error with its line: %s [D11.9]', async (_, plan, line) => {
    const { errors, all } = await readLines([...plan, '1.5', line, '1.6']);
    expect(errors).toEqual([expect.objectContaining({ line: plan.length + 2, message: expect.stringContaining('0x0F') as unknown })]);
    expect(valuesOf({ all })).toEqual([['1.5'], ['1.6']]);
  });

  it('is none with twelve fields, with a marked batch, or with an order number', async () => {
    const { errors, warnings, all } = await readLines([
      ...header('P', 'A'),
      fields('1', '0', TIME, '', `#${TIME}`, '1', '2', '3', '', '4', 'x', 'y'),
      fields('2', '0', TIME, '', '20260705 104807'),
      fields('3', '0', TIME, '', '2026-07-05'),
      fields('4', '0', TIME, '', '12:30:15'),
    ]);
    expect([errors, warnings]).toEqual([[], []]);
    expect(all.map(({ attributes }) => attributes['6'])).toEqual([TIME, '20260705 104807', '2026-07-05', '12:30:15']);
  });
});

describe('positions of one line', () => {
  it('without a value date nothing [D11.9]', async () => {
    const { all } = await readLines([
      ...header('P', 'A', 'B'),
      fields('0', '256', '01.02.2020/08:00:00') + C + fields('6.005', '0', TIME),
      fields('', '', '01.02.2020/08:00:00') + C + fields('6.006', '0', TIME),
      fields('0', '256', 'no date') + C + '6.007',
      fields('', '255', '01.02.2020/08:00:00') + C + '6.008',
    ]);
    expect(all.map(({ values, attributes }) => [values, attributes['4']])).toEqual([
      [['6.005'], UTC],
      [['6.006'], UTC],
      [['6.007'], undefined],
      [['6.008'], undefined],
    ]);
  });

  it.each([
    ['batch', 4, '#X', '#Y'],
    ['cavity', 5, '1', '2'],
    ['machine', 7, '1', '2'],
  ])('that differ in %s are measurements of their own', async (_, index, first, second) => {
    const value = (number: string, text: string) =>
      fields(
        ...Object.assign(
          Array.from({ length: 8 }, () => ''),
          { 0: number, 1: '0', 2: TIME, [index]: text },
        ),
      );
    const { all, warnings } = await readLines([
      ...header('P', 'A', 'B', 'C'),
      [value('1', first), value('2', second), value('3', first)].join(C),
    ]);
    expect(all.map(({ values, characteristics }) => [characteristics, values])).toEqual([
      [
        [1, 3],
        ['1', '3'],
      ],
      [[2], ['2']],
    ]);
    expect(warnings).toEqual([]);
  });

  it('have times of their own when they are of different cavities', async () => {
    const { all, warnings } = await readLines([
      ...header('P', 'D', 'L'),
      fields('10.1', '0', TIME, '', '#B', '1', '0', '0', '') + C + fields('20.1', '0', '05.07.2026/10:50:07', '', '#B', '2', '0', '0', ''),
    ]);
    expect(all.map(({ attributes, values }) => [attributes['7'], attributes['4'], values])).toEqual([
      ['1', UTC, ['10.1']],
      ['2', '2026-07-05T08:50:07Z', ['20.1']],
    ]);
    expect(warnings).toEqual([]);
  });

  it('keep time, operator and gage of the first value, with one warning, and the events of each', async () => {
    const EVENTS = new Map([
      [0, { 5: '1' }],
      [1, { 5: '2' }],
    ]);
    const value = (number: string, second: number, other: string) =>
      fields(number, '0', `05.07.2026/10:48:0${second}`, other, '#B', '1', other, '1', '', other);
    const { all, warnings } = await readLines([
      ...header('P', 'D', 'L'),
      value('1', 7, '1') + C + value('2', 8, '2'),
      value('3', 7, '1') + C + value('4', 8, '2'),
    ]);
    expect(all.map(({ attributes, values, valueAttributes }) => [values, attributes, valueAttributes])).toEqual([
      [['1', '2'], { 4: UTC, 6: 'B', 7: '1', 8: '1', 10: '1', 12: '1' }, EVENTS],
      [['3', '4'], { 4: UTC, 6: 'B', 7: '1', 8: '1', 10: '1', 12: '1' }, EVENTS],
    ]);
    expect(warnings).toEqual([{ line: 5, key: 'K0004', message: expect.stringContaining('first value') as unknown }]);
  });

  it('have events of their own: in the line, behind it and in keyed fields; 0 is none, the index 0 is the measurement', async () => {
    const eventsOf = async (...lines: string[]) =>
      (await readLines([...header('P', 'A', 'B'), ...lines])).all.map(({ attributes, valueAttributes }) => [
        attributes['5'],
        valueAttributes && Object.fromEntries([...valueAttributes].map(([index, own]) => [index, own['5']])),
      ]);
    expect(await eventsOf(fields('1', '0', TIME, '0', '#B') + C + fields('2', '0', TIME, '3,7', '#B'))).toEqual([
      [undefined, { 1: '3,7' }],
    ]);
    expect(await eventsOf(`1${C}2`, 'K0005/2 Tool changed', 'K0009/2 text', 'K0011/2 4')).toEqual([[undefined, { 1: 'Tool changed' }]]);
    expect(await eventsOf(`1${C}2`, 'K0005/0 9')).toEqual([['9', undefined]]);
    expect(await eventsOf('K0001/1 1', 'K0005/1 3', 'K0001/2 2')).toEqual([[undefined, { 0: '3' }]]);
  });

  it('are split by fields behind the line and by keyed fields, too', async () => {
    const behind = await readLines([...header('P', 'A', 'B'), `1${C}2`, 'K0007/1 1', 'K0007/2 2']);
    const keyed = await readLines([...header('P', 'A', 'B'), 'K0001/1 1', 'K0007/1 1', 'K0001/2 2', 'K0007/2 2']);
    for (const { all } of [behind, keyed])
      expect(all.map(({ attributes, values }) => [attributes['7'], values])).toEqual([
        ['1', ['1']],
        ['2', ['2']],
      ]);
  });

  it('of thousands of cavities take linear time', async () => {
    const count = 50_000;
    const plan = [`K0100 ${count}`, 'K1001/1 P', 'K2002/1 A'];
    const { all } = await readLines([...plan, Array.from({ length: count }, (_, i) => fields('1', '', '', '', '', String(i))).join(C)]);
    expect(all).toHaveLength(count);
  });
});

describe('a second K0100', () => {
  const limits = (index: number, lower: string, upper: string) => [`K2110/${index} ${lower}`, `K2111/${index} ${upper}`];
  const named = ({ parts, all }: ReadFile) => {
    const names = new Map(parts.flatMap(({ characteristics }) => characteristics.map(({ index, name }) => [index, name])));
    const partNames = new Map(parts.map(({ index, name }) => [index, name]));
    return all.map(({ part, characteristics, values }) => [
      partNames.get(part),
      characteristics.map((one, i) => `${names.get(one)} ${values[i]}`),
    ]);
  };

  it('behind values begins another part [D11.9]', async () => {
    const file = await readLines([...header('RING-A', 'Bore'), '10.01', ...header('RING-B', 'Length'), '50.02']);
    expect(file.parts.map(({ name, characteristics }) => [name, characteristics.map((one) => one.name)])).toEqual([
      ['RING-A', ['Bore']],
      ['RING-B', ['Length']],
    ]);
    expect(named(file)).toEqual([
      ['RING-A', ['Bore 10.01']],
      ['RING-B', ['Length 50.02']],
    ]);
  });

  it('behind values is another part where only the descriptions are equal [D11.2]', async () => {
    const part = (...names: string[]) => ['K0100 1', ...names, 'K2001/1 1', 'K2002/1 D'];
    const shaft = (number: string) => part(`K1001/1 ${number}`, 'K1002/1 Shaft');
    const file = await readLines([...shaft('A-1'), '10', ...shaft('A-2'), '20', ...shaft('A-1'), '11']);
    expect(named(file)).toEqual([
      ['A-1', ['D 10']],
      ['A-2', ['D 20']],
      ['A-1', ['D 11']],
    ]);
    const nameless = await readLines([...part('K1002/1 Shaft'), '1', ...shaft('A-1'), '10', ...shaft('A-2'), '20', ...shaft('A-1'), '11']);
    expect(named(nameless).map(([name]) => name)).toEqual(['A-1', 'A-1', 'A-2', 'A-1']);
  });

  it('behind values finds the characteristics of the same part by number and name', async () => {
    const file = await readLines([
      ...header('RING-A', 'Bore', 'Width'),
      ...limits(1, '9.9', '10.1'),
      `10.01${C}5.0`,
      ...header('RING-A', 'Width', 'Bore', 'Depth'),
      ...limits(1, '4.9', '5.1'),
      ...limits(2, '9.90', '10.2'),
      `5.1${C}10.2${C}1`,
    ]);
    expect(file.parts).toHaveLength(1);
    expect(file.parts[0]?.characteristics.map(({ name, attributes }) => [name, attributes['2110'], attributes['2111']])).toEqual([
      ['Bore', '9.9', '10.1'],
      ['Width', '4.9', '5.1'],
      ['Depth', undefined, undefined],
    ]);
    expect(named(file)).toEqual([
      ['RING-A', ['Bore 10.01', 'Width 5.0']],
      ['RING-A', ['Width 5.1', 'Bore 10.2', 'Depth 1']],
    ]);
    expect(file.warnings).toEqual([
      expect.objectContaining({ key: 'K2111', message: expect.stringMatching(/Bore.*10\.1.*10\.2/) as unknown }),
    ]);
  });

  it('behind values tells characteristics of one name by their order, and of one number by their name', async () => {
    const one = ['K0100 2', 'K1001/1 P', 'K2001/1 10', 'K2002/1 D', 'K2001/2 20', 'K2002/2 D', `1${C}2`];
    const two = ['K0100 2', 'K1001/1 P', 'K2001/1 20', 'K2002/1 D', 'K2001/2 10', 'K2002/2 Other', `3${C}4`];
    const { parts, all } = await readLines([...one, ...two]);
    expect(parts[0]?.characteristics.map(({ name }) => name)).toEqual(['D (10)', 'D (20)', 'Other']);
    expect(all.map(({ characteristics, values }) => [characteristics, values])).toEqual([
      [
        [1, 2],
        ['1', '2'],
      ],
      [
        [2, 3],
        ['3', '4'],
      ],
    ]);
  });

  it('behind values keeps groups and catalogs once', async () => {
    const one = [
      ...header('P', 'A', 'B'),
      'K4090/1 7',
      'K4093/1 Kim',
      'K5002/1 Bores',
      'K5111/1 1',
      'K5113/2 1',
      'K5103/1 2',
      'K5102/2 1',
      'K5102/2 2',
    ];
    const { parts, catalogEntries, all } = await readLines([...one, `1${C}2`, ...one, `3${C}4`]);
    expect(parts).toMatchObject([{ characteristics: [{ name: 'Bores', children: [{ name: 'A' }, { name: 'B' }] }] }]);
    expect(parts[0]?.characteristics).toHaveLength(1);
    expect(catalogEntries).toHaveLength(1);
    expect(all.map(({ characteristics }) => characteristics)).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it('before the first value is the same header', async () => {
    const { errors, all } = await readLines(['K0100 1', 'K1001/1 P', 'K2002/1 A', 'K0100 2', `1${C}2`]);
    expect([errors, valuesOf({ all })]).toEqual([[], [['1', '2']]]);
  });

  it('without a header behind it belongs to the header before', async () => {
    const { errors, parts, all } = await readLines([...header('P', 'A', 'B'), `1${C}2`, 'K0100 2', `3${C}4`]);
    expect([errors, parts.length, valuesOf({ all })]).toEqual([
      [],
      1,
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ]);
  });

  it('may come with every value', async () => {
    const record = (i: number) => [...header('P', 'A', 'B'), `${i}${C}${i}`];
    const { parts, all, errors } = await readLines(Array.from({ length: 5000 }, (_, i) => record(i)).flat());
    expect([errors, parts.length, parts[0]?.characteristics.length, all.length]).toEqual([[], 1, 2, 5000]);
    expect(all.at(-1)).toMatchObject({ characteristics: [1, 2], values: ['4999', '4999'] });
  });
});

describe('texts', () => {
  it('have one blank for control characters', async () => {
    const { parts, catalogEntries, all, errors } = await readLines([
      ...header('P\u0001\u0002Q', 'A'),
      'K4090/1 7',
      'K4092/1 Li\0nd',
      'K5001/1 \0\0\u0001',
      'K5002/1 Bores\0',
      'K5113/2 1',
      'K5111/1 1',
      'K5103/1 2',
      'K5102/2 1',
      `1.5\0${F}0${F}${TIME}\0${F}${F}#B\0C`,
      '\0\0\0',
    ]);
    expect(errors).toEqual([]);
    expect(catalogEntries).toEqual([{ attribute: 8, number: '7', attributes: { 4092: 'Li nd' } }]);
    expect(parts).toMatchObject([{ name: 'P Q', characteristics: [{ name: 'Bores', attributes: { 2002: 'Bores' } }] }]);
    expect(all).toMatchObject([{ values: ['1.5'], attributes: { 4: UTC, 6: 'B C' } }]);
  });

  it('of process parameters are lists', async () => {
    const { all, warnings } = await readLines([...header('P', 'A'), fields('1', '0', TIME, '', '', '', '', '', '12,5')]);
    expect([all[0]?.attributes['11'], warnings]).toEqual(['12,5', []]);
  });
});

describe('warnings', () => {
  it('name each unknown field once with the number of its lines, behind those of limits', async () => {
    const unknown = Array.from({ length: 300 }, (_, i) => `K7${String(i).padStart(3, '0')}/1 x`);
    const { warnings, warningCount } = await readLines([...header('P', 'A'), ...unknown, ...unknown, 'K2110/1 2', 'K2111/1 1', '1']);
    expect(warningCount).toBe(301);
    expect(warnings).toHaveLength(100);
    expect(warnings[0]).toMatchObject({ key: 'K2110' });
    expect(warnings[1]?.message).toMatch(/K7000 is not known and is left out, on 2 lines\./);
  });
});

describe('dates', () => {
  it('with slashes have the month first, unless the order is named', async () => {
    const file = [...header('P', 'A'), fields('1', '0', '5/7/2026 10:00:00')].join('\n');
    const timeIn = async (dateOrder?: 'dmy') =>
      (await readAll(readAqdef(bytesOf(file), { zone: 'UTC', dateOrder }))).all[0]?.attributes['4'];
    expect([await timeIn(), await timeIn('dmy')]).toEqual(['2026-05-07T10:00:00Z', '2026-07-05T10:00:00Z']);
  });

  it('with hyphens and the year last have the day first [D11.8]', async () => {
    const file = [...header('P', 'A'), fields('1', '0', '05-07-2026/10:00:00')].join('\n');
    const timeIn = async (dateOrder?: 'mdy') =>
      (await readAll(readAqdef(bytesOf(file), { zone: 'UTC', dateOrder }))).all[0]?.attributes['4'];
    expect([await timeIn(), await timeIn('mdy')]).toEqual(['2026-07-05T10:00:00Z', '2026-05-07T10:00:00Z']);
  });

  it('with slashes that cannot have the month first are errors that name the setting', async () => {
    const { errors } = await readLines([...header('P', 'A'), fields('1', '0', '25/12/2026 10:00:00')]);
    expect(errors).toEqual([expect.objectContaining({ line: 4, message: expect.stringContaining('dateOrder') as unknown })]);
  });
});
