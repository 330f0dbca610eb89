import { expect, it } from '@jest/globals';
import { CASES } from '../snapshots/cases.fixture.ts';
import { countSeriesOf, seriesOf, summaryOf } from '../snapshots/measured-characteristic.fixture.ts';
import { comparedOf } from './compared.ts';

it('compares counts with their tolerance, not shares', () => {
  const { countChart } = countSeriesOf([200, 100, 300]);
  const series = { ...seriesOf({ ...CASES.usual, values: [3, 0, 7] }), ...(countChart && { countChart }) };
  const named = { uuid: 'c', name: 'Scratches', parentName: 'Car door', unit: '', decimals: 0 };
  const { shown } = comparedOf({ ...named, summary: summaryOf(CASES.usual), series });
  expect(shown.entries.map(({ mean }) => mean)).toEqual([3, 0, 7]);
});
