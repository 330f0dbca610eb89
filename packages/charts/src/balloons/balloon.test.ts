import { describe, expect, it } from '@jest/globals';
import { freePoint, layBalloon } from './balloon.ts';

const SIZE = { width: 1000, height: 500 };
const RADII = { min: 10, max: 40 };

describe('a balloon on a drawing', () => {
  it('stands at its fraction of width and height, with a line from its edge to its target', () => {
    const { x, y, radius, line } = layBalloon({ x: 0.5, y: 0.5, target: { x: 0.6, y: 0.5 }, radius: 0.02 }, '1', SIZE, RADII);
    expect([x, y, radius]).toEqual([500, 250, 20]);
    expect(line).toEqual({ x1: 520, y1: 250, x2: 600, y2: 250 });
  });

  it('has no line without a target, or where the target lies in its circle', () => {
    expect(layBalloon({ x: 0.5, y: 0.5 }, '1', SIZE, RADII).line).toBeUndefined();
    expect(layBalloon({ x: 0.5, y: 0.5, target: { x: 0.505, y: 0.5 } }, '1', SIZE, RADII).line).toBeUndefined();
  });

  it.each([
    [{ x: 0, y: 0 }, [12, 12]],
    [{ x: 1, y: 1 }, [988, 488]],
    [{ x: -3, y: 7 }, [12, 488]],
  ])('stays on the drawing with its whole circle: %j', (stamp, center) => {
    const { x, y } = layBalloon(stamp, '1', SIZE, RADII);
    expect([x, y]).toEqual(center);
  });

  it('ends its line at the edge where its target is beyond', () => {
    expect(layBalloon({ x: 0.5, y: 0.5, target: { x: 1.4, y: 0.5 } }, '1', SIZE, RADII).line).toMatchObject({ x2: 1000, y2: 250 });
  });

  it('has a radius between the bounds, and one that fits on a small drawing', () => {
    expect(layBalloon({ x: 0.5, y: 0.5, radius: 0.001 }, '1', SIZE, RADII).radius).toBe(10);
    expect(layBalloon({ x: 0.5, y: 0.5, radius: 0.4 }, '1', SIZE, RADII).radius).toBe(40);
    expect(layBalloon({ x: 0.5, y: 0.5 }, '1', { width: 30, height: 8 }, RADII)).toMatchObject({ x: 15, y: 4, radius: 4 });
  });

  it('writes long numbers in smaller letters, so that they fit', () => {
    const height = (number: string) => layBalloon({ x: 0.5, y: 0.5 }, number, SIZE, RADII).letterHeight;
    expect(height('7')).toBeCloseTo(13.8, 6);
    expect(height('')).toBe(height('7'));
    expect(height('12.345')).toBeCloseTo(12 * (1.7 / 3.6), 6);
  });
});

describe('a point for a new balloon', () => {
  it('is the wanted one where it is free', () => {
    expect(freePoint({ x: 0.5, y: 0.5 }, [{ x: 0.4, y: 0.5 }])).toEqual({ x: 0.5, y: 0.5 });
  });

  it('keeps a distance from the others, and lies on the drawing', () => {
    const taken = [{ x: 1, y: 1 }];
    for (let i = 0; i < 30; i += 1) taken.push(freePoint({ x: 1, y: 1 }, taken));
    expect(taken.every(({ x, y }) => x >= 0 && x <= 1 && y >= 0 && y <= 1)).toBe(true);
    const distances = taken.flatMap((one, i) => taken.slice(i + 1).map((other) => Math.hypot(one.x - other.x, one.y - other.y)));
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(0.05);
  });

  it('is the wanted one where everything is taken', () => {
    const taken = Array.from({ length: 1600 }, (_, i) => ({ x: (i % 40) / 39, y: Math.floor(i / 40) / 39 }));
    expect(freePoint({ x: 0.5, y: 0.5 }, taken)).toEqual({ x: 0.5, y: 0.5 });
  });
});
