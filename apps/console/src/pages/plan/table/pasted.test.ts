import { describe, expect, it } from '@jest/globals';
import { guessMeanings, readCells } from './pasted-cells';
import { comparePasted } from './pasted-rows';

const STORED = new Map([['a', { name: 'Gap', 2101: '20', 2110: '19.9', 2111: '20.1' }]]);
const compare = (text: string) => {
  const cells = readCells(text);
  return comparePasted(cells, guessMeanings(cells), STORED);
};

describe('cells of a spreadsheet', () => {
  it('are split at tabs and lines, with quoted ones kept together', () => {
    expect(readCells('Name\tUnit\r\n"Gap\n""left"""\tmm\r\n\r\n\t\r\n5" pipe\t"\r\n')).toEqual([
      ['Name', 'Unit'],
      ['Gap "left"', 'mm'],
      ['5" pipe', '"'],
    ]);
  });

  it.each([
    ['Merkmal\tNennmaß [mm]\tUnteres Abmaß\tOberes Abmaß\tEinheit', ['name', 'nominal', 'lowerDeviation', 'upperDeviation', 'unit']],
    ['No.\tCharacteristic\tNominal\tLSL\tUSL', ['none', 'name', 'nominal', 'lower', 'upper']],
    ['Name\tNominal\t±', ['name', 'nominal', 'tolerance']],
  ])('%#: are known by the names of their columns', (text, meanings) => {
    expect(guessMeanings(readCells(text))).toEqual({ meanings, hasHead: true });
  });

  it('are known by their place without names', () => {
    expect(guessMeanings(readCells('Gap\t20\t19.9\t20.1\tmm\tx'))).toEqual({
      meanings: ['name', 'nominal', 'lower', 'upper', 'unit', 'none'],
      hasHead: false,
    });
  });
});

describe('pasted rows', () => {
  it('create what is new and change what is there, in any case', () => {
    const rows = compare('Name\tNominal\tUnit\nGAP\t20,5\tmm\nFlush\t1\tmm\nGap right\t\t');
    expect(rows.map(({ uuid, changes }) => [uuid, changes.map(({ field, text }) => `${field}=${text}`).join(' ')])).toEqual([
      ['a', '2101=20.5 2142=mm'],
      [undefined, '2101=1 2142=mm name=Flush'],
      [undefined, 'name=Gap right'],
    ]);
  });

  it('leave out what is as it was', () => {
    expect(compare('Gap\t20\t19.9\t20.1')[0]?.changes).toEqual([]);
  });

  it('have limits from deviations and tolerances, with their digits', () => {
    expect(compare('Name\tNominal\t±\nX\t20.1\t±0.05')[0]?.changes).toContainEqual({ field: '2110', was: '', text: '20.05' });
    const rows = compare('Name\tNominal\tEI\tES\nX\t20,10\t-0,1\t+0.25');
    expect(rows[0]?.changes.map(({ text }) => text)).toEqual(expect.arrayContaining(['20.00', '20.35']));
    expect(compare('Name\tEI\nGap\t-0.3')[0]?.changes).toEqual([{ field: '2110', was: '19.9', text: '19.7' }]);
  });

  it.each([
    ['\t20', { kind: 'noName' }],
    ['X\t20\nx\t21', { kind: 'twice', name: 'X', rows: [1, 2] }],
    ['X\tabout 20', { kind: 'number', text: 'about 20', meaning: 'nominal' }],
    ['X\t20\t21\t19', { kind: 'crossed' }],
    ['Name\tES\nX\t0.1', { kind: 'noNominal', text: '0.1' }],
    ['Gap\t\t30', { kind: 'crossed' }],
  ])('%#: that cannot be taken have a reason', (text, problem) => {
    expect(compare(text)[0]?.problem).toEqual(problem);
  });

  it('are five hundred in a moment', () => {
    const text = Array.from({ length: 500 }, (_, row) => `C ${row}\t20\t19\t21\tmm`).join('\n');
    expect(compare(text).filter(({ changes }) => changes.length === 5)).toHaveLength(500);
  });
});
