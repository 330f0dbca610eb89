import { beforeEach, describe, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FakeServer, refusal } from '../../testing/fake-server.fixture';
import { renderComponent } from '../../testing/render.fixture';
import { ExportMenu } from './export-menu';

const VALUES = 'GET /exchangeServiceRest/values';

/** Renders the menu of a part with a server that keeps the parameters of requests, and the files that are saved. */
async function open(language: 'en' | 'de' = 'en') {
  const queries: Record<string, string>[] = [];
  const saved: Blob[] = [];
  URL.createObjectURL = (content) => `#${saved.push(content as Blob)}`;
  const server = new FakeServer();
  server.answer('GET /dataServiceRest/configuration', () => ({}));
  server.answer(VALUES, ({ url }) => {
    queries.push(Object.fromEntries(url.searchParams));
    return new Response('Wert\r\n');
  });
  const table = () => ({ head: ['Ppk'], rows: [[1.33]] });
  await renderComponent(<ExportMenu title={['Door']} table={table} canPrint values={{ partPath: '/Door' }} />, { server, language });
  await userEvent.click(await screen.findByRole('button', { name: language === 'en' ? 'Export' : 'Exportieren' }));
  return {
    server,
    queries,
    saved,
    choose: (name: string) => screen.findByRole('menuitem', { name }).then((item) => userEvent.click(item)),
  };
}

describe('the menu Export', () => {
  beforeEach(() => localStorage.clear());

  it('saves the table with the marks of the language', async () => {
    const { saved, choose } = await open('de');
    await choose('Tabelle als CSV');
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(await saved[0]?.text()).toContain('Ppk\r\n1,33\r\n');
  });

  it.each([
    ['en', 'Measured values as CSV', { separator: 'comma', decimal: 'point', language: 'en' }],
    ['de', 'Messwerte als CSV', { separator: 'semicolon', decimal: 'comma', language: 'de' }],
  ] as const)('asks for names and marks in %s', async (language, name, marks) => {
    const { queries, saved, choose } = await open(language);
    await choose(name);
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(queries).toEqual([{ partPath: '/Door', format: 'csv', layout: 'long', header: 'names', ...marks }]);
    expect(saved[0]?.type).toBe('text/csv;charset=utf-8');
  });

  it('offers one row for each measurement, and the keys', async () => {
    const { queries, choose } = await open();
    await choose('Measured values in another form…');
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: /Rows/ }), 'wide');
    await userEvent.click(screen.getByRole('checkbox', { name: 'Keys of the attributes in a second row' }));
    await userEvent.click(screen.getByRole('button', { name: 'Export' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(queries).toEqual([{ partPath: '/Door', format: 'xlsx', layout: 'wide', header: 'both', language: 'en' }]);
  });

  it('says why the server refuses', async () => {
    const { server, choose } = await open();
    server.answer(VALUES, () => refusal(400, 'InvalidRequest', 'The selection has too many rows.'));
    await choose('Measured values as Excel');
    expect((await screen.findByRole('alert')).textContent).toContain('too many rows');
  });
});

describe('the button that copies', () => {
  /** Copies as a browser without `navigator.clipboard` does, and returns what it is given. */
  function takeCopies(): Map<string, string> {
    const copied = new Map<string, string>();
    document.execCommand = () => {
      const event = new Event('copy', { cancelable: true, bubbles: true });
      Object.assign(event, { clipboardData: { setData: (type: string, text: string) => copied.set(type, text) } });
      document.dispatchEvent(event);
      return true;
    };
    return copied;
  }
  const table = () => ({ head: ['Ppk'], rows: [[1.334_567_89]] });

  it('gives the table to a spreadsheet', async () => {
    const copied = takeCopies();
    await renderComponent(<ExportMenu title={['Door']} table={table} />, { language: 'de' });
    await userEvent.click(await screen.findByRole('button', { name: 'Tabelle kopieren' }));
    await screen.findByRole('button', { name: 'Tabelle kopiert' });
    expect(copied.get('text/plain')).toBe('Ppk\r\n1,33456789\r\n');
    expect(copied.get('text/html')).toContain('<td>1,33456789</td>');
  });

  it('does the same by Ctrl C in a table', async () => {
    const copied = takeCopies();
    const focused = (
      <>
        <table tabIndex={0} aria-label="Figures" />
        <ExportMenu title={['Door']} table={table} />
      </>
    );
    await renderComponent(focused);
    (await screen.findByRole('table')).focus();
    fireEvent.copy(screen.getByRole('table'));
    await waitFor(() => expect(copied.get('text/plain')).toBe('Ppk\r\n1.33456789\r\n'));
  });

  it('says that the browser refuses', async () => {
    document.execCommand = () => false;
    await renderComponent(<ExportMenu title={['Door']} table={table} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Copy table' }));
    expect((await screen.findByRole('alert')).textContent).toContain('does not allow');
  });
});
