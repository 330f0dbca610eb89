import { describe, expect, it } from '@jest/globals';
import { dataFilesOf } from './data-files';

const file = (name: string, text = name) => new File([text], name);
const kinds = (...names: string[]) => {
  const { data, odd } = dataFilesOf(names.map((name) => file(name)));
  return [...data.map(({ name, format }) => `${name} ${format}`), ...odd.map(({ name, why }) => `${name} ${why}`)];
};

describe('files that are chosen for an import', () => {
  it('are known by their endings, in any case', () => {
    expect(kinds('shaft.DFQ', 'pump_chr.txt', 'notes.doc')).toEqual(['shaft.DFQ aqdef', 'pump_chr.txt calypso', 'notes.doc unknown']);
  });

  it('may be tables, whose columns a mapping describes', () => {
    const { data } = dataFilesOf([file('a.csv'), file('b.TSV'), file('c.xlsx'), file('e.xlsm'), file('d.dfq')]);
    expect(data.map(({ format, isTable }) => [format, isTable])).toEqual([
      ['csv', true],
      ['csv', true],
      ['xlsx', true],
      ['xlsx', true],
      ['aqdef', false],
    ]);
  });

  it('join a DFX file to its DFD file', () => {
    const { data } = dataFilesOf([file('a.dfx', 'values'), file('a.dfd', 'plan!')]);
    expect(data).toMatchObject([{ name: 'a.dfd', size: 11 }]);
    expect(data[0]?.content.size).toBe('plan!\nvalues'.length);
    expect(data[0]?.pair?.map((one) => (one as File).name)).toEqual(['a.dfd', 'a.dfx']);
  });

  it('say which file is missing', () => {
    expect(kinds('a.dfd', 'b.dfx')).toEqual(['a.dfd companionMissing', 'b.dfx alone']);
  });

  it('take a table of CALYPSO with or without its header', () => {
    expect(kinds('a_chr.txt', 'a_hdr.txt', 'b_chr.txt')).toEqual(['a_chr.txt calypso', 'b_chr.txt calypso']);
  });
});
