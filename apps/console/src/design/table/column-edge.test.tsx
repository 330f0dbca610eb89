import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { layOut } from '../../testing/layout.fixture';
import { renderComponent } from '../../testing/render.fixture';
import { VirtualTable } from './virtual-table';

beforeAll(layOut);

const COLUMNS = [
  { id: 'name', head: 'Name', isRowHeader: true, cell: (row: string) => row },
  { id: 'value', head: 'Value', width: 80, cell: () => '1.23' },
];
const open = (keptAs?: string) =>
  renderComponent(
    <VirtualTable
      label="Figures"
      {...(keptAs !== undefined && { keptAs })}
      columns={COLUMNS}
      rowCount={1}
      rowAt={() => 'Gap'}
      keyOf={String}
    />,
  );
const edge = (name: string) => screen.findByRole('separator', { name: `Width of the column ${name}` });
const now = async (name: string) => Number((await edge(name)).getAttribute('aria-valuenow'));
const columnWidths = () => [...document.querySelectorAll('col')].map(({ style }) => style.width);

describe('the edge of a column', () => {
  beforeEach(() => localStorage.clear());

  it('widens the column by arrow keys, and makes the table scroll, but never narrower than its figures', async () => {
    await open();
    const least = Number((await edge('Name')).getAttribute('aria-valuemin'));
    (await edge('Value')).focus();
    await userEvent.keyboard('{ArrowRight}{ArrowRight}');
    expect(await now('Value')).toBe(112);
    expect(columnWidths()).toEqual(['', '112px']);
    expect(screen.getByRole('table').style.minWidth).toBe(`${least + 112}px`);
    await userEvent.keyboard('{ArrowLeft}{Home}{ArrowLeft}');
    expect(columnWidths()).toEqual(['', '80px']);
  });

  it('keeps the widths of each table', async () => {
    await open('figures');
    (await edge('Value')).focus();
    await userEvent.keyboard('{ArrowRight}');
    cleanup();
    await open('others');
    expect(await now('Value')).toBe(80);
    cleanup();
    await open('figures');
    expect(await now('Value')).toBe(96);
  });

  it('names the column without the edge', async () => {
    await open();
    expect(await screen.findByRole('columnheader', { name: 'Value' })).toBeTruthy();
  });
});
