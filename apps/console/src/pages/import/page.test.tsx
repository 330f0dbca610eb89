import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ImportAnswer } from '@sinebar/client';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { DOOR, doorServer } from '../../testing/door.fixture';
import { layOut } from '../../testing/layout.fixture';
import { renderPage } from '../../testing/render.fixture';

beforeAll(layOut);

const ANSWER: ImportAnswer = {
  attributes: { created: [] },
  filled: [],
  parts: { created: 1, found: 0 },
  characteristics: { created: 3, found: 0 },
  measurements: { created: 3, found: 0 },
  values: 9,
  firstMeasurements: [],
  warnings: [{ line: 17, key: 'K2110', message: 'The limit lies above the upper one.' }],
};
const IMPORTS = 'POST /exchangeServiceRest/imports';

/** A server that takes imports; it keeps the parameters of each. */
function importServer(rights = ['/'], serverRights: string[] = []) {
  const server = doorServer();
  const queries: URLSearchParams[] = [];
  server.answer('GET /dataServiceRest/permissions', () => ({
    userName: 'a',
    partRights: { 'plan:read': ['/'], 'plan:write': rights, 'measurement:write': rights },
    serverRights,
  }));
  server.answer(IMPORTS, ({ url }) => {
    queries.push(url.searchParams);
    return ANSWER;
  });
  return { server, queries };
}

/** Chooses files in the dialog of the browser. */
async function choose(container: HTMLElement, ...names: string[]) {
  await screen.findByRole('button', { name: 'Choose files…' });
  const input = [...container.querySelectorAll<HTMLInputElement>('input[type="file"]')].at(-1);
  await userEvent.upload(
    input ?? container,
    names.map((name) => new File(['K0100 1'], name)),
    { applyAccept: false },
  );
}

describe('the page for imports', () => {
  it('checks a file first, and says what it would store', async () => {
    const { server, queries } = importServer();
    const { container } = await renderPage(`/import?part=${DOOR}&zone=Europe/Berlin`, { server });
    await choose(container, 'shaft.dfq');
    expect(await screen.findByText('can be imported')).toBeTruthy();
    expect(screen.getByRole('row', { name: /shaft\.dfq/ }).textContent).toContain('1 new, 0 there');
    expect(Object.fromEntries(queries[0] ?? [])).toEqual({
      format: 'aqdef',
      partPath: '/Car door',
      zone: 'Europe/Berlin',
      dryRun: 'true',
    });
  });

  it('shows warnings by line and field', async () => {
    const { server } = importServer();
    const { container } = await renderPage('/import', { server });
    await choose(container, 'shaft.dfq');
    const found = within(await screen.findByRole('table', { name: 'What was found in shaft.dfq' }));
    expect(found.getAllByRole('cell').map(({ textContent }) => textContent?.trim())).toEqual([
      '17',
      'K2110',
      'warning',
      'The limit lies above the upper one.',
    ]);
  });

  it('shows equal warnings of many lines in one row', async () => {
    const warnings = [3, 5, 8, 13, 21].map((line) => ({ line, key: 'K0001', message: 'It is no number.' }));
    const { server } = importServer();
    server.answer(IMPORTS, () => ({ ...ANSWER, warnings: [...warnings, { line: 7, key: 'K2110', message: 'Another.' }] }));
    const { container } = await renderPage('/import', { server });
    await choose(container, 'shaft.dfq');
    const found = within(await screen.findByRole('table', { name: 'What was found in shaft.dfq' }));
    const rows = found.getAllByRole('row').slice(1);
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      '3, 5, 8 and 2 moreK0001 warningIt is no number.',
      '7K2110 warningAnother.',
    ]);
  });

  it('says what it defines and fills, and sends what the reader chose', async () => {
    const { server, queries } = importServer();
    const filled = [{ kind: 'characteristic' as const, uuid: 'c', path: 'PC:/Shaft/Diameter/', keys: [2110] }];
    server.answer(IMPORTS, ({ url }) => {
      queries.push(url.searchParams);
      return { ...ANSWER, attributes: { created: [2101, 2110] }, filled };
    });
    const { container } = await renderPage('/import?zone=UTC', { server });
    await screen.findByRole('button', { name: 'Choose files…' });
    await userEvent.click(screen.getByRole('checkbox', { name: 'Leave out what the server has no attribute for' }));
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Attributes that differ from the file' }), 'refuse the file');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Order of dates' }), 'day, month, year');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Encoding of text files' }), 'shift_jis');
    await choose(container, 'shaft.dfq');
    expect(await screen.findByText('New attributes: 2 (2101, 2110).')).toBeTruthy();
    expect(screen.getByText('Parts and characteristics that get attributes of the file: 1 (/Shaft/Diameter).')).toBeTruthy();
    expect(Object.fromEntries(queries.at(-1) ?? [])).toMatchObject({
      ignoreUndefined: 'true',
      onDifference: 'refuse',
      dateOrder: 'dmy',
      encoding: 'shift_jis',
    });
  });

  it('stores the file when the reader says so', async () => {
    const { server, queries } = importServer();
    const { container } = await renderPage('/import', { server });
    await choose(container, 'pump_chr.txt');
    await userEvent.click(await screen.findByRole('button', { name: 'Import 1 file' }));
    expect(await screen.findByText('stored')).toBeTruthy();
    expect(queries.at(-1)?.get('format')).toBe('calypso');
    expect(queries.at(-1)?.has('dryRun')).toBe(false);
  });

  it('shows errors by line and field, and does not offer to store', async () => {
    const { server } = importServer();
    const body = {
      message: 'the file has errors and nothing was stored',
      ExceptionType: 'InvalidRequest',
      details: [{ field: '4 K2101', message: 'This is no number.' }],
    };
    server.answer(IMPORTS, () => new Response(JSON.stringify(body), { status: 400 }));
    const { container } = await renderPage('/import', { server });
    await choose(container, 'shaft.dfq');
    const found = within(await screen.findByRole('table', { name: 'What was found in shaft.dfq' }));
    expect(found.getAllByRole('cell').map(({ textContent }) => textContent?.trim())).toEqual(['4', 'K2101', 'error', 'This is no number.']);
    expect(screen.getByRole('button', { name: 'Import 0 files' })).toHaveProperty('disabled', true);
  });

  it('shows what would be lost as an error, and checks again when the standard attributes are defined', async () => {
    const { server, queries } = importServer(['/'], ['configuration:write']);
    const defined: number[] = [];
    const message = 'The server has no measurement attribute 6, so that K0006 is left out.';
    server.answer('POST /dataServiceRest/configuration/:owner', ({ body }) => {
      defined.push(...(body as { key: number }[]).map(({ key }) => key));
    });
    server.answer(IMPORTS, ({ url }) => {
      queries.push(url.searchParams);
      return { ...ANSWER, warnings: defined.includes(6) ? [] : [{ key: 'K0006', message }] };
    });
    const { container } = await renderPage('/import', { server });
    await choose(container, 'shaft.dfq');
    const found = within(await screen.findByRole('table', { name: 'What was found in shaft.dfq' }));
    expect((await found.findByRole('cell', { name: 'would be lost' })).textContent).toContain('would be lost');
    expect(screen.getByText('The server has no attributes for Batch: what the file says of them would be lost.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Use the standard attributes' }));
    await waitFor(() => expect(screen.queryByRole('table', { name: 'What was found in shaft.dfq' })).toBeNull());
    expect(queries).toHaveLength(2);
  });

  it('sends the mapping of columns with tables only, and checks them again with it', async () => {
    const { server, queries } = importServer();
    const { container } = await renderPage('/import', { server });
    await choose(container, 'shaft.csv', 'shaft.dfq');
    await waitFor(() => expect(queries).toHaveLength(2));
    const mappingInput = container.querySelectorAll<HTMLInputElement>('input[type="file"]')[0];
    await userEvent.upload(mappingInput ?? container, new File(['{"part":"Shaft"}'], 'shaft.json'));
    await waitFor(() => expect(queries).toHaveLength(3));
    expect(queries.map((query) => [query.get('format'), query.get('mapping')])).toEqual([
      ['csv', null],
      ['aqdef', null],
      ['csv', '{"part":"Shaft"}'],
    ]);
  });

  it('says that a mapping is no JSON', async () => {
    const { server } = importServer();
    const { container } = await renderPage('/import', { server });
    await screen.findByRole('option', { name: 'found by their names' });
    const mappingInput = container.querySelectorAll<HTMLInputElement>('input[type="file"]')[0];
    await userEvent.upload(mappingInput ?? container, new File(['part: Shaft'], 'shaft.json'));
    expect((await screen.findByRole('alert')).textContent).toContain('shaft.json holds no JSON object.');
  });

  describe('with the columns of a table', () => {
    const MAPPINGS = '/exchangeServiceRest/mappings';
    const column = (name: string, holds: object, ...examples: string[]) => ({ name, holds, examples });
    const TABLE = {
      headerRow: 1,
      separator: ';',
      columnCount: 3,
      columns: [
        column('Zeit', { is: 'time' }, '05.01.2026'),
        column('D1', { is: 'value', characteristic: 'D1' }, '20,01', '20,02'),
        column('D1 (2)', { is: 'value', characteristic: 'D1' }, '7'),
      ],
    };
    const mappingOf = (queries: readonly URLSearchParams[]) => JSON.parse(queries.at(-1)?.get('mapping') ?? 'null') as unknown;

    /** A server that refuses the table until a mapping says what the second column with a name holds. */
    async function openTable(serverRights: string[] = []) {
      const given = importServer(['/'], serverRights);
      const kept: unknown[] = [];
      given.server.answer(`GET ${MAPPINGS}`, () => [{ name: 'gauge 7', time: '2026-03-02T06:00:00Z' }]);
      given.server.answer(`GET ${MAPPINGS}/:name`, () => ({ decimal: ',', columns: { 'D1 (2)': { is: 'nothing' } } }));
      given.server.answer(`PUT ${MAPPINGS}/:name`, ({ url, body }) => void kept.push([decodeURIComponent(url.pathname), body]));
      given.server.answer(IMPORTS, ({ url }) => {
        given.queries.push(url.searchParams);
        if (url.searchParams.has('mapping')) return { ...ANSWER, table: TABLE };
        const details = [{ field: '1 D1', message: 'Two columns have the name "D1".' }];
        const body = { message: 'The file has errors.', ExceptionType: 'InvalidRequest', details, table: TABLE };
        return new Response(JSON.stringify(body), { status: 400 });
      });
      const { container, session, unmount, router } = await renderPage('/import', { server: given.server });
      await choose(container, 'shaft.csv');
      const columns = within(await screen.findByRole('table', { name: 'Columns of shaft.csv' }));
      return { ...given, kept, columns, container, session, unmount, router };
    }

    it('shows their guesses and first rows, and checks again with what the reader chooses', async () => {
      const { queries, columns } = await openTable();
      expect(columns.getByRole('row', { name: /^D1 20,01 · 20,02/ })).toBeTruthy();
      expect(columns.getByRole<HTMLSelectElement>('combobox', { name: 'What Zeit holds' }).value).toBe('time');
      await userEvent.selectOptions(columns.getByRole('combobox', { name: 'What D1 (2) holds' }), 'nothing, leave out');
      expect(await screen.findByText('can be imported')).toBeTruthy();
      expect(mappingOf(queries)).toEqual({ columns: { 'D1 (2)': { is: 'nothing' } } });
      await userEvent.type(columns.getByRole('textbox', { name: 'Upper limit of D1' }), '20.1');
      await waitFor(() =>
        expect(mappingOf(queries)).toMatchObject({ columns: { D1: { is: 'value', characteristic: 'D1', attributes: { 2111: '20.1' } } } }),
      );
      await userEvent.selectOptions(columns.getByRole('combobox', { name: 'What D1 (2) holds' }), 'attribute');
      await userEvent.selectOptions(columns.getByRole('combobox', { name: 'Attribute of D1 (2)' }), 'Serial no. (14)');
      await waitFor(() =>
        expect(mappingOf(queries)).toMatchObject({ columns: { 'D1 (2)': { is: 'attribute', of: 'measurement', key: 14 } } }),
      );
    });

    it('imports without the right to keep them, and says which it is', async () => {
      const { queries, columns } = await openTable();
      expect(screen.getByText(/you need the right configuration:write/)).toBeTruthy();
      await userEvent.selectOptions(columns.getByRole('combobox', { name: 'What D1 (2) holds' }), 'nothing, leave out');
      await userEvent.click(await screen.findByRole('button', { name: 'Import 1 file' }));
      expect(await screen.findByText('stored')).toBeTruthy();
      expect(mappingOf(queries)).toEqual({ columns: { 'D1 (2)': { is: 'nothing' } } });
    });

    it('keeps them by name, and takes those that are kept', async () => {
      const { queries, kept } = await openTable(['configuration:write']);
      await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Columns of CSV and Excel' }), 'gauge 7');
      await waitFor(() => expect(queries.at(-1)?.get('mapping')).toBe('@gauge 7'));
      const other = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'What D1 (2) holds' });
      await waitFor(() => expect(other().value).toBe('nothing'));
      await userEvent.selectOptions(screen.getByRole('combobox', { name: 'What Zeit holds' }), 'nothing, leave out');
      await userEvent.type(screen.getByRole('textbox', { name: 'Keep this mapping as' }), 'gauge 8');
      await userEvent.click(screen.getByRole('button', { name: 'Keep' }));
      expect(await screen.findByText('Kept as gauge 8.')).toBeTruthy();
      expect(kept).toEqual([[`${MAPPINGS}/gauge 8`, { decimal: ',', columns: { 'D1 (2)': { is: 'nothing' }, Zeit: { is: 'nothing' } } }]]);
    });

    it('offers them again after a sign-in that has left the page, for the file that is chosen again', async () => {
      const given = await openTable(['configuration:write']);
      await userEvent.selectOptions(given.columns.getByRole('combobox', { name: 'What D1 (2) holds' }), 'nothing, leave out');
      expect(await screen.findByText('can be imported')).toBeTruthy();
      // The sign-in at the provider leaves the page.
      given.session.drafts.keep();
      const drafts = sessionStorage.getItem('sinebar.drafts') ?? '';
      given.unmount();
      // This page is drawn before it knows who has signed in.
      sessionStorage.setItem('sinebar.drafts', drafts.replaceAll('"user":"a"', '"user":""'));
      const { container } = await renderPage('/import', { server: given.server });
      expect(await screen.findByText(/before these files were stored\. Choose them again: shaft\.csv\.$/)).toBeTruthy();
      await userEvent.click(screen.getByRole('button', { name: 'Continue with it' }));
      const before = given.queries.length;
      await choose(container, 'shaft.csv');
      expect(await screen.findByText('can be imported')).toBeTruthy();
      expect(mappingOf(given.queries.slice(before))).toEqual({ columns: { 'D1 (2)': { is: 'nothing' } } });
      expect(screen.queryByText(/Choose them again/)).toBeNull();
      expect(sessionStorage).toHaveLength(0);
    });

    it('asks once before the page is left with columns that are not imported', async () => {
      const { columns, router } = await openTable(['configuration:write']);
      await userEvent.selectOptions(columns.getByRole('combobox', { name: 'What D1 (2) holds' }), 'nothing, leave out');
      await userEvent.type(screen.getByRole('textbox', { name: 'Keep this mapping as' }), 'gauge 8');
      act(() => void router.navigate({ to: '/files' }));
      const question = await screen.findByRole('alertdialog', { name: 'Leave without saving?' });
      expect(router.state.location.pathname).toBe('/import');
      await userEvent.click(within(question).getByRole('button', { name: 'Leave' }));
      await waitFor(() => expect(router.state.location.pathname).toBe('/files'));
    });

    it('uses one of a thousand columns from a file by the name that it is kept under', async () => {
      const { queries, kept, container } = await openTable(['configuration:write']);
      const columns = Object.fromEntries(
        Array.from({ length: 1000 }, (_, i) => [
          `Durchmesser der Bohrung ${i + 1} links [mm]`,
          { is: 'value', characteristic: `Bohrung ${i + 1}` },
        ]),
      );
      const before = queries.length;
      const mappingInput = container.querySelectorAll<HTMLInputElement>('input[type="file"]')[0];
      await userEvent.upload(mappingInput ?? container, new File([JSON.stringify({ columns })], 'wide.json'));
      const field = within(screen.getByRole('group', { name: 'Columns of CSV and Excel' }));
      expect((await field.findByRole('alert')).textContent).toContain('too long to go with a file');
      // The server would refuse so long an address.
      expect(queries).toHaveLength(before);
      await userEvent.type(field.getByRole('textbox', { name: 'Keep this mapping as' }), 'gauge 8');
      await userEvent.click(field.getByRole('button', { name: 'Keep' }));
      await waitFor(() => expect(queries.at(-1)?.get('mapping')).toBe('@gauge 8'));
      expect(kept).toEqual([[`${MAPPINGS}/gauge 8`, { columns }]]);
    });
  });

  it('says which file it does not know', async () => {
    const { server } = importServer();
    const { container } = await renderPage('/import', { server });
    await choose(container, 'notes.doc');
    expect((await screen.findByRole('alert')).textContent).toContain('notes.doc is no file of a kind that can be imported.');
  });

  it('says which right is missing', async () => {
    const { server } = importServer(['/tailgate']);
    await renderPage('/import', { server });
    expect(await screen.findByText(/The right plan:write, measurement:write for \/ is missing/)).toBeTruthy();
  });

  it('refuses a zone that does not exist', async () => {
    const { server, queries } = importServer();
    const { container } = await renderPage('/import?zone=Mars', { server });
    await choose(container, 'shaft.dfq');
    expect(await screen.findByText('Give a zone such as Europe/Berlin or UTC.')).toBeTruthy();
    await waitFor(() => expect(screen.getByText('is being checked')).toBeTruthy());
    expect(queries).toEqual([]);
  });
});
