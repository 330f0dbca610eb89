import { describe, expect, it } from '@jest/globals';
import { indexedItems, PlanIndex } from './plan-index';

const ITEMS = [
  { uuid: 'root', path: '/' },
  { uuid: 'door', path: 'P:/Car door/' },
  { uuid: 'frame', path: 'PP:/Car door/Frame/' },
  { uuid: 'gap', path: 'PPC:/Car door/Frame/Gap left/' },
  { uuid: 'x', path: 'PPCC:/Car door/Frame/Gap left/X/' },
];
const index = new PlanIndex(indexedItems(ITEMS));
const names = (text: string, most = 10) => index.search(text, most).map(({ name }) => name);

describe('the names of the plan', () => {
  it('are found by any part of them, in any case', () => {
    expect(names('LEFT')).toEqual(['Gap left', 'X']);
  });

  it('are found by the names above them too, all words together', () => {
    expect(names('gap frame')).toEqual(['Gap left', 'X']);
  });

  it('come first when they begin with what was typed', () => {
    expect(names('frame')[0]).toBe('Frame');
  });

  it('are at most as many as asked for', () => {
    expect(names('r', 1)).toHaveLength(1);
  });

  it('know the part of a characteristic, also below another characteristic', () => {
    expect(index.items.find(({ uuid }) => uuid === 'x')).toMatchObject({ partUuid: 'frame', parentPath: 'Car door / Frame / Gap left' });
  });

  it('find nothing for an empty text', () => {
    expect(names('  ')).toEqual([]);
  });
});
