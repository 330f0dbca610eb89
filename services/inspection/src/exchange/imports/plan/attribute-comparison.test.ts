import { describe, expect, it } from '@jest/globals';
import { compareAttributes } from './attribute-comparison.ts';

const compare = (stored: Record<string, string>, written: Record<string, string>) =>
  compareAttributes(stored, written, (key) => (key < 2130 ? 'Float' : 'AlphaNumeric'));
const named = ({ differences }: ReturnType<typeof compare>) => differences.map(({ key, inPlan, inFile }) => `${key} ${inPlan} ${inFile}`);

describe('attributes of a file and of an item', () => {
  it('are missing one by one, limits only together [D11.3]', () => {
    expect(compare({}, { 2101: '12', 2110: '11.9', 2142: 'mm' }).missing).toEqual({ 2101: '12', 2110: '11.9', 2142: 'mm' });
    const partly = compare({ 2111: '12.1' }, { 2101: '12', 2110: '11.9', 2111: '12.1', 2142: 'mm' });
    expect(partly.missing).toEqual({ 2142: 'mm' });
    expect(named(partly)).toEqual(['2101 not there 12', '2110 not there 11.9']);
  });

  it('are equal as numbers and as effective limits [D11.3]', () => {
    expect(named(compare({ 2101: '12', 2112: '-0.1', 2113: '0.1' }, { 2101: '12.00', 2110: '11.9', 2111: '1.21E1' }))).toEqual([]);
    expect(named(compare({ 2110: '0.30000000000000004' }, { 2101: '0.1', 2112: '0.2' }))).toEqual(['2101 not there 0.1']);
    expect(named(compare({ 2120: '2' }, { 2120: '2.0' }))).toEqual([]);
  });

  it('differ with both values, and say what replaces them [D11.3]', () => {
    const { differences } = compare({ 2101: '12', 2112: '-0.1' }, { 2101: '12', 2110: '11.8' });
    expect(differences).toEqual([
      { key: '2110', what: 'lower limit', inPlan: '11.9', inFile: '11.8', update: { 2110: '11.8', 2112: undefined } },
    ]);
    expect(named(compare({ 2142: 'mm' }, { 2142: 'inch' }))).toEqual(['2142 mm inch']);
  });

  it('of the server alone are no difference', () => {
    expect(compare({ 2101: '12', 2110: '11.9', 2142: 'mm' }, { 2110: '11.9' })).toEqual({ missing: {}, differences: [] });
  });
});
