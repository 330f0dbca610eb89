import { describe, expect, it } from '@jest/globals';
import { lastRowInView } from './rows-in-view';

describe('the last row in view', () => {
  const rows = Array.from({ length: 40 }, (_, index) => ({ index, start: index * 30, end: (index + 1) * 30 }));
  const touched = { firstIndex: 0, lastIndex: 22 };

  it('is not the one that the head of the table pushes out of the pane', () => {
    expect(lastRowInView(rows, { ...touched, bottom: 630 })).toBe(20);
  });
  it('is seen by half at least', () => {
    expect(lastRowInView(rows, { ...touched, bottom: 644 })).toBe(20);
    expect(lastRowInView(rows, { ...touched, bottom: 646 })).toBe(21);
  });
  it('is never before the first one nor after the last that touches the pane', () => {
    expect(lastRowInView(rows, { firstIndex: 4, lastIndex: 22, bottom: 30 })).toBe(4);
    expect(lastRowInView(rows, { firstIndex: 0, lastIndex: 2, bottom: 900 })).toBe(2);
  });
  it('is the last one that is drawn where nothing is laid out', () => {
    expect(lastRowInView(rows, { ...touched, bottom: 0 })).toBe(22);
  });
});
