import { beforeAll, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { useState, type ReactNode } from 'react';
import { layOut } from '../../testing/layout.fixture';
import { renderComponent } from '../../testing/render.fixture';
import { printPage } from '../page/printing';
import { EditGrid } from './edit-grid';
import { VirtualTable } from './virtual-table';

beforeAll(layOut);

const COLUMNS = [{ id: 'name', head: 'Name', isRowHeader: true, cell: (row: string) => row }];

/** A table that reads the rows in view, and no others, when it is told to. */
function ReadTable({ rowCount }: { rowCount: number }) {
  const [read, setRead] = useState(-1);
  const [wanted, setWanted] = useState(-1);
  const [view, setView] = useState('');
  return (
    <>
      <button type="button" onClick={() => setRead(wanted)}>
        Answer
      </button>
      <p>{view}</p>
      <VirtualTable
        label="Figures"
        columns={COLUMNS}
        rowCount={rowCount}
        rowAt={(index) => (index <= read ? `Gap ${index}` : undefined)}
        keyOf={String}
        onView={(first, last) => {
          setWanted(last);
          setView(`${first} to ${last}`);
        }}
        isBusy={read < wanted}
      />
    </>
  );
}

const names = () => [...document.querySelectorAll('tbody th')].map(({ textContent }) => textContent);
const open = async (table: ReactNode) => {
  await renderComponent(table);
  await screen.findByLabelText(/Figures|Plan/);
};
const print = (event: 'beforeprint' | 'afterprint') => act(() => void dispatchEvent(new Event(event)));
const answer = () => act(() => screen.getByRole('button', { name: 'Answer' }).click());

describe('a table on paper', () => {
  it('has all rows, which are read before it is printed, and then only those in view again', async () => {
    const onPaper: (string | null)[][] = [];
    window.print = () => {
      print('beforeprint');
      onPaper.push(names());
      print('afterprint');
    };
    await open(<ReadTable rowCount={500} />);
    const inView = screen.getByText(/^0 to \d+$/).textContent;
    answer();
    expect(names().length).toBeLessThan(100);
    let printed = Promise.resolve();
    act(() => {
      printed = printPage();
    });
    await screen.findByText('0 to 499');
    expect(onPaper).toEqual([]);
    answer();
    await waitFor(() => expect(onPaper).toHaveLength(1));
    await printed;
    expect(onPaper).toEqual([Array.from({ length: 500 }, (_, index) => `Gap ${index}`)]);
    await waitFor(() => expect(screen.getByText(/^0 to \d+$/).textContent).toBe(inView));
    expect(names().length).toBeLessThan(100);
  });

  it('has at most 2,000 rows, and says how many are missing', async () => {
    await open(<VirtualTable label="Figures" columns={COLUMNS} rowCount={2345} rowAt={(index) => `Gap ${index}`} keyOf={String} />);
    print('beforeprint');
    expect(names()).toHaveLength(2000);
    expect(screen.getByText(/^345 more rows are not on this paper/)).toBeTruthy();
    print('afterprint');
    expect(screen.queryByText(/more rows/)).toBeNull();
  });

  it('has no rows that are not read when the menu of the browser prints it at once', async () => {
    await open(<ReadTable rowCount={500} />);
    answer();
    const read = names().length;
    print('beforeprint');
    expect(names()).toHaveLength(read);
    expect(screen.getByText(new RegExp(`^${500 - read} more rows`))).toBeTruthy();
  });

  it('has all rows where it is edited', async () => {
    const rows = Array.from({ length: 300 }, (_, index) => `Gap ${index}`);
    await open(
      <EditGrid
        keptAs="plan"
        label="Plan"
        columns={[{ id: 'name', head: 'Name', width: 100 }]}
        rows={rows}
        cellOf={(row) => ({ shown: row, typed: row })}
        isReadOnly
        onEdit={() => undefined}
        onPasteCells={() => undefined}
        chosen={new Set()}
        onChoose={() => undefined}
        chooseLabel={() => undefined}
        onOpen={() => undefined}
        openLabel={() => undefined}
      />,
    );
    expect(names().length).toBeLessThan(100);
    print('beforeprint');
    expect(names()).toEqual(rows);
  });
});
