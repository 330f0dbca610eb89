import { describe, expect, it } from '@jest/globals';
import { judge, measuredCharacteristic } from './measured-characteristic';

const characteristic = (attributes: Record<string, string>) =>
  measuredCharacteristic({ uuid: 'x', path: 'PCC:/door/Gap/Left/', attributes } as never);
const gap = characteristic({ 2101: '20', 2110: '19.95', 2111: '20.05', 2142: 'mm' });
const scratches = characteristic({ 12004: '1', 2111: '3' });

describe('a characteristic of the form', () => {
  it('knows its group, its limits and the digits of a hundredth of its tolerance', () => {
    expect(gap).toMatchObject({ name: 'Left', group: 'Gap', decimals: 2, unit: 'mm', limits: { lowerTolerance: 19.95 } });
  });

  it('knows what it counts', () => {
    expect(scratches.counted).toBe('parts');
    expect(characteristic({ 12004: '5' }).counted).toBe('errors');
    expect(gap.counted).toBeUndefined();
  });
});

describe('an entered value', () => {
  it('is written as it was typed, and judged by the limits', () => {
    expect(judge(gap, '20,0610', '')).toMatchObject({ status: 'aboveTolerance', glyph: 'outOfTolerance', written: { 1: '20.0610' } });
    expect(judge(gap, '19.9', '').glyph).toBe('belowTolerance');
    expect(judge(gap, '20.01 mm', '').status).toBe('inLimits');
  });

  it('is not judged without limits', () => {
    expect(judge(characteristic({}), '7', '')).toMatchObject({ glyph: 'noLimits', written: { 1: '7' } });
  });

  it('is missing while nothing is entered', () => {
    expect(judge(gap, ' ', '5')).toEqual({});
  });

  it.each([
    [gap, '20.0x', '', 'noNumber'],
    [scratches, '1.5', '', 'noCount'],
    [scratches, '-1', '', 'noCount'],
    [scratches, '1', '0', 'noSize'],
    [scratches, '1', 'many', 'noSize'],
    [scratches, '6', '5', 'moreThanSize'],
  ] as const)('%#: has a problem that keeps it from being saved', (of, text, size, problem) => {
    expect(judge(of, text, size)).toEqual({ problem });
  });

  it('has the size of its sample where it counts', () => {
    expect(judge(scratches, '2', '50').written).toEqual({ 1: '2', 20: '50' });
    expect(judge(scratches, '2', '').written).toEqual({ 1: '2' });
    expect(judge(characteristic({ 12004: '6' }), '6', '5').problem).toBeUndefined();
  });
});
