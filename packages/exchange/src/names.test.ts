import { describe, expect, it } from '@jest/globals';
import { nameSiblings } from './names.ts';
import { Problems } from './problems.ts';

const named = (items: readonly (readonly [wanted: string, number: string])[]) =>
  nameSiblings(
    items.map(([wanted, number]) => ({ wanted, number, fallback: 'x', line: 1, key: 'K2002' })),
    new Problems(),
  );

describe('the names of siblings', () => {
  it('get their number where they occur twice', () => {
    expect(
      named([
        ['Bore', '1'],
        ['bore', '2'],
        ['Bore', '2'],
        ['Length', '2'],
      ]),
    ).toEqual(['Bore (1)', 'bore (2)', 'Bore (2.2)', 'Length']);
  });

  it('differ when their numbers are equal and long', () => {
    const number = '7'.repeat(60);
    const names = named([
      ['Bore', number],
      ['Bore', number],
      ['Bore', number],
    ]);
    expect(new Set(names).size).toBe(3);
  });

  it.each([
    ['one name and number', () => ['Bore', '1'] as const],
    ['names that are cut to the same text', (i: number) => [`${'x'.repeat(250)}${i % 30_000}`, '1'] as const],
    ['names that look like numbered ones', (i: number) => (i % 2 === 0 ? (['A', '1'] as const) : ([`A (1.${i})`, '1'] as const))],
  ])('take linear time for 60,000 items with %s', (_, item) => {
    const start = process.cpuUsage();
    const names = named(Array.from({ length: 60_000 }, (_unused, i) => item(i)));
    expect(new Set(names).size).toBe(60_000);
    // Quadratic time would be minutes.
    expect(process.cpuUsage(start).user).toBeLessThan(10_000_000);
  });
});
