import { describe, expect, it } from '@jest/globals';
import { readAll } from '../read-all.fixture.ts';
import { readAqdef } from './aqdef-reader.ts';

const PLAN = ['K0100 1', 'K1001/1 4711', 'K2002/1 Bore'];
const read = (...lines: readonly string[]) => readAll(readAqdef([Buffer.from([...PLAN, ...lines, ''].join('\n'))]));

describe('a field of one value in an AQDEF file', () => {
  it('that stands twice with a measured value is an error with its line', async () => {
    const content = await read('K0001/1/1 20.1', 'K0001/1/1 20.2');
    expect(content.errors).toEqual([{ line: 5, key: 'K0001', message: expect.stringContaining('K0001/1/1 stands twice for one value') }]);
  });

  it('that stands in the value line, too, keeps the text of the line, with a warning', async () => {
    const content = await read('20.1', 'K0001/1/1 20.2');
    expect(content).toMatchObject({ errorCount: 0, all: [{ values: ['20.1'] }] });
    expect(content.warnings).toContainEqual({ line: 5, key: 'K0001', message: expect.stringContaining('the first text is kept') });
  });

  it('keeps its first text otherwise, with one warning for any number of lines', async () => {
    const repeated = Array.from({ length: 5000 }, (_, i) => `K0014/1/1 SN-${i}`);
    const content = await read('K0001/1/1 20.1', ...repeated);
    expect(content).toMatchObject({ errorCount: 0, values: 1 });
    expect(content.warnings.filter(({ key }) => key === 'K0014')).toHaveLength(1);
    expect(content.all).toMatchObject([{ attributes: { 14: 'SN-0' } }]);
  });

  it('may be written again with the same text', async () => {
    const content = await read('K0001/1/1 20.1', 'K0014/1/1 SN-1', 'K0014/1/1 SN-1');
    expect(content).toMatchObject({ errorCount: 0, values: 1 });
    expect(content.warnings.filter(({ key }) => key === 'K0014')).toEqual([]);
  });
});
