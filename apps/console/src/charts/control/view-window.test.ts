import { describe, expect, it } from '@jest/globals';
import { panned, timelineOf, zoomed } from './view-window';

describe('zoomed', () => {
  it('keeps the place under the pointer', () => {
    const view = zoomed({ start: 0, end: 1000 }, 0.5, 0.25, 1000);
    expect(view.start + (view.end - view.start) * 0.25).toBeCloseTo(250, 9);
    expect(view.end - view.start).toBe(500);
  });
  it('shows at least ten points', () => {
    const { start, end } = zoomed({ start: 100, end: 112 }, 0.1, 0.5, 1000);
    expect(end - start).toBe(10);
  });
  it('shows at most all points', () => {
    expect(zoomed({ start: 400, end: 600 }, 100, 0.5, 1000)).toEqual({ start: 0, end: 1000 });
  });
});

describe('panned', () => {
  it('stops at the newest point', () => {
    expect(panned({ start: 850, end: 950 }, 3, 1000)).toEqual({ start: 900, end: 1000 });
  });
});

describe('timelineOf', () => {
  const timeline = timelineOf([
    { count: 5 },
    { from: '2026-01-01T00:00:00Z', to: '2026-01-01T10:00:00Z', count: 10 },
    { from: '2026-01-02T00:00:00Z', to: '2026-01-02T10:00:00Z', count: 10 },
  ]);

  it('interpolates the time of a point', () => {
    expect(timeline.timeAt(10)).toBe(Date.parse('2026-01-01T05:00:00Z'));
  });
  it('finds the place of a time', () => {
    expect(timeline.positionOf(Date.parse('2026-01-01T05:00:00Z'))).toBe(10);
  });
  it('puts a time of a pause at the next point', () => {
    expect(timeline.positionOf(Date.parse('2026-01-01T20:00:00Z'))).toBe(15);
  });
  it('has no time for points without one', () => {
    expect(timeline.timeAt(2)).toBeUndefined();
  });
});
