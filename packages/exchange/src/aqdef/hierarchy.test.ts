import { describe, expect, it } from '@jest/globals';
import { bytesOf, readAll } from '../read-all.fixture.ts';
import { readAqdef } from './aqdef-reader.ts';

describe('the tree of an AQDEF file', () => {
  it.each([
    ['nodes', (i: number) => `K5111/${i} 1`],
    ['relations', () => 'K5103/1 2'],
    ['groups', (i: number) => `K5002/${i} G`],
    ['groups of characteristics', () => 'K2030/1 7'],
  ])('has at most 400,000 entries of %s', async (_, line) => {
    const lines = Array.from({ length: 400_001 }, (_unused, i) => line(i + 1));
    const { errors } = await readAll(readAqdef(bytesOf(['K0100 1', 'K2002/1 A', ...lines, '1', ''].join('\n'))));
    expect(errors).toMatchObject([{ message: expect.stringContaining('more than 400000 entries of groups and of the tree') as unknown }]);
  });
});
