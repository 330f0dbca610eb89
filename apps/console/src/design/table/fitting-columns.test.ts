import { describe, expect, it } from '@jest/globals';
import { figureWidth, fittingTableColumns } from './fitting-columns';
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

describe('the width of a column of figures', () => {
  it('is that of its longest figure', () => {
    expect(figureWidth(['1', '−0.0120 … +0.0340'], 72)).toBeGreaterThan(17 * 7);
  });
  it('has a least one', () => {
    expect(figureWidth(['1'], 72)).toBe(72);
  });
});
