import { describe, expect, it } from '@jest/globals';
import { readMeasured } from './measured-text';

describe('a measured value as it is typed', () => {
  it.each([
    ['20.010', '20.010'],
    ['20,010', '20.010'],
    ['+00012.345', '12.345'],
    ['\u22120,5', '-0.5'],
    [',5', '0.5'],
    ['20.', '20'],
    ['1.234,5', '1234.5'],
    ['1,234.5', '1234.5'],
    ['1.5e-3', '1.5e-3'],
    ['20.01 mm', '20.01'],
    ['20.01MM', '20.01'],
  ])('%j is the number %j', (typed, text) => {
    expect(readMeasured(typed, 'mm')).toEqual({ kind: 'number', text, value: Number(text) });
  });

  it.each(['SN-4711', '20.01 20.02', '20.0120.02', '1.234.567', '-', '.', '12,34.5', '20.01 in', '1e999', 'NaN'])('%j is none', (typed) => {
    expect(readMeasured(typed, 'mm')).toEqual({ kind: 'nonsense' });
  });

  it.each(['', '  ', ' mm'])('%j is nothing', (typed) => {
    expect(readMeasured(typed, 'mm')).toEqual({ kind: 'empty' });
  });
});
