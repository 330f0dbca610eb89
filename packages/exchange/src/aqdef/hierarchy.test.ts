import { expect, it } from '@jest/globals';
import { bytesOf, readAll } from '../read-all.fixture.ts';
import { readAqdef } from './aqdef-reader.ts';

it('an AQDEF file has at most 400,000 entries of nodes, relations, groups and groups of characteristics together', async () => {
  // Without one of the four kinds the entries were 300,001 at most.
  const lines = Array.from({ length: 100_000 }, (_, i) => [`K5111/${i + 1} 1`, 'K5103/1 2', `K5002/${i + 1} G`, 'K2030/1 7']).flat();
  const file = ['K0100 1', 'K2002/1 A', ...lines, 'K5111/100001 1', '1', ''].join('\n');
  const { errors } = await readAll(readAqdef(bytesOf(file)));
  expect(errors).toMatchObject([{ message: expect.stringContaining('more than 400000 entries of groups and of the tree') as unknown }]);
});
