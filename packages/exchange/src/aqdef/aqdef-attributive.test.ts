import { describe, expect, it } from '@jest/globals';
import { C, fields, header, readLines, TIME, UTC, valuesOf } from './aqdef-lines.fixture.ts';
import { writeAqdef } from './aqdef-writer.ts';

describe('attributive positions', () => {
  const plan = [...header('P', 'Scratches', 'Dia'), 'K2004/1 1', 'K2004/2 0'];

  it('have size, errors, a field without meaning and the fields of values [D11.9]', async () => {
    const { all, warnings } = await readLines([
      ...plan,
      fields('50000', '2', '0', '0', TIME, '', '#B1', '0', '12', '3', '', '7') + C + fields('10.1', '0', TIME, '', '#B1', '0'),
    ]);
    expect(warnings).toEqual([]);
    expect(all).toEqual([
      {
        part: 1,
        line: 7,
        attributes: { 4: UTC, 6: 'B1', 7: '0', 8: '12', 10: '3', 12: '7' },
        characteristics: [1, 2],
        values: ['2', '10.1'],
        valueAttributes: new Map([[0, { 20: '50' }]]),
      },
    ]);
  });

  it('may have no time', async () => {
    const { all } = await readLines([...plan, fields('50000', '2', '0', '0'), fields('50000', '3', '0', '0', '', '', '#B1', '2')]);
    expect(all.map(({ values, attributes }) => [values, attributes])).toEqual([
      [['2'], {}],
      [['3'], { 6: 'B1', 7: '2' }],
    ]);
  });

  it('that are deleted are left out, and the rest of their line stays', async () => {
    const plan2 = [...header('P', 'A', 'B'), 'K2004/1 1', 'K2004/2 5'];
    const { all } = await readLines([...plan2, fields('0', '0', '0', '256') + C + fields('50000', '3', '0', '0', TIME)]);
    expect(all).toMatchObject([{ characteristics: [2], values: ['3'], attributes: { 4: UTC } }]);
  });

  it('keep a size that is no whole number of parts, with a warning', async () => {
    const { all, warnings } = await readLines([...plan, fields('1500', '2', '0', '0')]);
    expect(all[0]?.valueAttributes?.get(0)).toEqual({ 20: '1500' });
    expect(warnings).toEqual([expect.objectContaining({ line: 7, key: 'K0020' })]);
  });

  it('are known by a type of all characteristics', async () => {
    const { all, parts } = await readLines([...header('P', 'A'), 'K2004/0 1', fields('50000', '2', '0', '0')]);
    expect([valuesOf({ all }), parts[0]?.characteristics[0]?.attributes]).toEqual([[['2']], { 2002: 'A', 12004: '1' }]);
  });

  it('are written with the type and the third field, and a direction is no type', async () => {
    const attributes = { 2002: 'A', 12004: '1' };
    const parts = [
      {
        index: 1,
        name: 'P',
        attributes: { 1001: 'P' },
        characteristics: [
          { index: 1, name: 'A', attributes, children: [] },
          { index: 2, name: 'B', attributes: { 2002: 'B', 2004: '1' }, children: [] },
        ],
      },
    ];
    const measurement = {
      part: 1,
      line: 1,
      attributes: { 4: UTC },
      characteristics: [1, 2],
      values: ['2', '10.5'],
      valueAttributes: new Map([[0, { 20: '50' }]]),
    };
    let text = '';
    for await (const some of writeAqdef({ parts }, [[measurement]], 'Europe/Berlin')) text += some;
    expect(text).toContain('K2004/1 1\r\n');
    expect(text).not.toContain('K2004/2');
    expect(text).toContain(`${fields('50000', '2', '0', '0', TIME)}${C}${fields('10.5', '0', TIME)}\r\n`);
  });
});
