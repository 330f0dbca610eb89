import { describe, expect, it } from '@jest/globals';
import { matchItems, namesInFile, namesInPlan } from './item-matching.ts';

type Item = readonly [path: string, number?: string | undefined, title?: string];

const attributesOf = (kind: 'part' | 'characteristic', [, number, title]: Item) => ({
  ...(number !== undefined && { [kind === 'part' ? '1001' : '2001']: number }),
  ...(title !== undefined && { [kind === 'part' ? '1002' : '2002']: title }),
});
const found = async (kind: 'part' | 'characteristic', wanted: readonly Item[], stored: readonly Item[]) =>
  (
    await matchItems(
      kind,
      wanted.map((item) => namesInFile(kind, item[0], attributesOf(kind, item))),
      stored.map((item) => namesInPlan(kind, item[0], attributesOf(kind, item))),
    )
  ).map((match) => match && (stored[match.stored] as Item)[0]);

it('compares the beginning of a text of millions of characters', () => {
  const { number, title } = namesInFile('part', 'Shaft', { '1001': 'N'.repeat(7_000_000), '1002': 'T'.repeat(7_000_000) });
  expect([number?.length, title?.length]).toEqual([1020, 1020]);
});

describe('characteristics of a file are found', () => {
  const cases: readonly [string, Item[], Item[], (string | undefined)[]][] = [
    ['by number and name, whatever their path', [['Bore', '1', 'Bore']], [['Renamed', '1', 'Bore']], ['Renamed']],
    ['in any case', [['BORE', '1', 'BORE']], [['bore', '1', 'Bore']], ['bore']],
    ['by name when none has the number', [['Bore', '7', 'Bore']], [['Bore', '1', 'Bore']], ['Bore']],
    [
      'not by name when another has the number',
      [['Bore', '2', 'Bore']],
      [
        ['Bore', '1', 'Bore'],
        ['Width', '2', 'Width'],
      ],
      [undefined],
    ],
    [
      'not by name when several have it',
      [['Bore', '3', 'Bore']],
      [
        ['Bore', '1', 'Bore'],
        ['Bore (2)', '2', 'Bore'],
      ],
      [undefined],
    ],
    ['by number when the file has no name', [['1', '1']], [['Bore', '1', 'Bore']], ['Bore']],
    ['by number when the item has no name', [['Bore', '1', 'Bore']], [['1', '1']], ['1']],
    ['not by number when the names differ', [['Width', '1', 'Width']], [['Bore', '1', 'Bore']], [undefined]],
    ['by path where the item has neither', [['Bore', '1', 'Bore']], [['Bore']], ['Bore']],
    ['by number in brackets where the item has neither', [['D', '20', 'D']], [['D (10)'], ['D (20)']], ['D (20)']],
    ['by path when the file gives one text', [['Bore', undefined, 'Bore']], [['Bore', '5', 'Bohrung']], ['Bore']],
    ['not by path when number and name contradict', [['Bore', '1', 'Bore']], [['Bore', '5', 'Bohrung']], [undefined]],
    [
      'each once, the exact ones first',
      [
        ['D (10)', '10', 'D'],
        ['D (20)', '20', 'D'],
      ],
      [['D', '20', 'D']],
      [undefined, 'D'],
    ],
    [
      'in their order when nothing tells them apart',
      [
        ['D (1)', undefined, 'D'],
        ['D (2)', undefined, 'D'],
      ],
      [
        ['D (1)', undefined, 'D'],
        ['D (2)', undefined, 'D'],
      ],
      ['D (1)', 'D (2)'],
    ],
  ];
  it.each(cases)('%s [D11.2]', async (_, wanted, stored, expected) => {
    expect(await found('characteristic', wanted, stored)).toEqual(expected);
  });

  it('in linear time', async () => {
    const items: Item[] = Array.from({ length: 50_000 }, (_, i) => [`D (${i + 1})`, String(i), 'D']);
    const begin = process.cpuUsage();
    const renamed = await found(
      'characteristic',
      items,
      items.map(([, number], i) => [`E${i}`, number, 'D']),
    );
    expect(renamed.at(-1)).toBe('E49999');
    const other = items.map(([name, number]): Item => [name, `x${number}`, 'D']);
    expect((await found('characteristic', items, other)).at(-1)).toBeUndefined();
    const { user } = process.cpuUsage(begin);
    expect(user).toBeLessThan(5_000_000);
  });
});

describe('parts of a file are found', () => {
  const cases: readonly [string, Item[], Item[], (string | undefined)[]][] = [
    ['by number and name', [['A-100', 'A-100', 'Ring']], [['Ring 100', 'A-100', 'Ring']], ['Ring 100']],
    ['by path where they have neither', [['A-100', 'A-100', 'Ring']], [['A-100']], ['A-100']],
    ['by path when the file only has one text', [['Shaft', 'Shaft']], [['Shaft', '4711', 'Shaft of the pump']], ['Shaft']],
    ['by the path when that is their name', [['A-100', 'A-100', 'Ring']], [['Ring', undefined, 'Ring']], ['Ring']],
    ['not by name when their numbers differ', [['A-200', 'A-200', 'Shaft']], [['A-100', 'A-100', 'Shaft']], [undefined]],
    ['not by name when the path of the item is its number', [['A-200', 'A-200', 'Shaft']], [['A-100', undefined, 'Shaft']], [undefined]],
    ['by name when the item has no number', [['A-200', 'A-200', 'Shaft']], [['Shaft', undefined, 'Shaft']], ['Shaft']],
    ['by name when the file has no number', [['Shaft', undefined, 'Shaft']], [['A-100', 'A-100', 'Shaft']], ['A-100']],
    [
      'not by name alone when several have it',
      [['Shaft', undefined, 'Shaft']],
      [
        ['A-100', 'A-100', 'Shaft'],
        ['A-200', 'A-200', 'Shaft'],
      ],
      [undefined],
    ],
    [
      'by name alone when one of several has no number',
      [['Shaft', undefined, 'Shaft']],
      [
        ['A-100', 'A-100', 'Shaft'],
        ['Shaft', undefined, 'Shaft'],
      ],
      ['Shaft'],
    ],
    [
      'not by name when several of the file may be it',
      [
        ['A-100', 'A-100', 'Shaft'],
        ['A-200', 'A-200', 'Shaft'],
      ],
      [['Shaft', undefined, 'Shaft']],
      [undefined, undefined],
    ],
    ['not when the same number has another name', [['A-100', 'A-100', 'Ring']], [['A-100', 'A-100', 'Bush']], [undefined]],
  ];
  it.each(cases)('%s [D11.2]', async (_, wanted, stored, expected) => {
    expect(await found('part', wanted, stored)).toEqual(expected);
  });
});
