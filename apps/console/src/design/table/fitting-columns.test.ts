import { describe, expect, it } from '@jest/globals';
import { columnsAtWidth, figureWidth, fittingTableColumns, headWidth, neededTableWidth } from './fitting-columns';
import type { TableColumn } from './table-column';

const column = (id: string, width?: number, givesWay?: number): TableColumn<never> => ({
  id,
  head: id,
  cell: () => id,
  ...(width !== undefined && { width }),
  ...(givesWay !== undefined && { givesWay }),
});
const COLUMNS = [column('name'), column('value', 80), column('bar', 150, 2), column('note', 100, 1), column('tolerance', 90)];
const idsAt = (width: number) => fittingTableColumns(COLUMNS, width).map(({ id }) => id);

describe('columns that give way', () => {
  it.each([
    [600, ['name', 'value', 'bar', 'note', 'tolerance']],
    [500, ['name', 'value', 'bar', 'tolerance']],
    [400, ['name', 'value', 'tolerance']],
    [200, ['name', 'value', 'tolerance']],
  ])('at %d px leave %j', (width, ids) => {
    expect(idsAt(width)).toEqual(ids);
  });
});

describe('columns of a phone', () => {
  const tolerance = { ...column('tolerance', 150), narrow: { width: 90, cell: () => 'two lines' } };

  it('are tight, and have a narrow form where they need too much', () => {
    const [name, value, narrow] = columnsAtWidth([column('name'), column('value', 80), tolerance], 358);
    expect(name?.width).toBeUndefined();
    expect(value?.width).toBe(72);
    expect(narrow?.width).toBe(82);
    expect(narrow?.cell(undefined as never, 0)).toBe('two lines');
  });

  it('are as they are in a wider table', () => {
    expect(columnsAtWidth([tolerance], 600)).toEqual([tolerance]);
  });

  it('show the deviation beside an asymmetric tolerance', () => {
    const figures = [tolerance, column('measured', figureWidth(['125,4142'], 70)), column('deviation', figureWidth(['−0,0012'], 78))];
    const shown = fittingTableColumns(
      columnsAtWidth([{ ...column('status', 26), content: 'glyph' as const }, column('name'), ...figures], 358),
      358,
    );
    expect(neededTableWidth(shown, 358)).toBeLessThanOrEqual(358);
    expect(shown.map(({ id }) => id)).toContain('deviation');
  });
});

describe('the width of a head', () => {
  it('is that of its longest word', () => {
    expect(headWidth('Untere Toleranzgrenze', 72)).toBe(figureWidth(['Toleranzgrenze'], 72));
    expect(headWidth('Einheit', 72)).toBe(72);
  });
});

describe('the width of a column of figures', () => {
  it('is that of its longest figure', () => {
    expect(figureWidth(['1', '−0.0120 … +0.0340'], 72)).toBeGreaterThan(17 * 7);
  });
  it('has a least one', () => {
    expect(figureWidth(['1'], 72)).toBe(72);
  });
});
