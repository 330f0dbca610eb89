import { describe, expect, it } from '@jest/globals';
import { formatsOf } from '../language/formats.ts';
import { axisTexts } from './ruler-pane.ts';

const EN = formatsOf('en');

describe('figures on the axis', () => {
  it('are written in full where they have room', () => {
    expect(axisTexts([19.98, 20, 20.02], 3, EN)).toEqual(['19.980', '20.000', '20.020']);
  });
  it('have a power of ten where many digits are zeros', () => {
    expect(axisTexts([1_200_000, 1_250_000], 0, EN)).toEqual(['1.20E6', '1.25E6']);
    expect(axisTexts([0, 0.000_001, 0.000_002], 7, EN)).toEqual(['0E−6', '1E−6', '2E−6']);
  });
  it('keep the digits that differ of numbers that lie close together', () => {
    expect(axisTexts([1_234_567.02, 1_234_567.04], 2, EN)).toEqual(['…7.02', '…7.04']);
  });
});
