import { beforeAll, describe, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { characteristics, DOOR, doorServer, GAP_LEFT, GAP_RIGHT } from '../../../testing/door.fixture';
import { layOut } from '../../../testing/layout.fixture';
import { renderPage } from '../../../testing/render.fixture';

beforeAll(layOut);

const PAGE = `/parts/${DOOR}/plan`;
const definition = (key: number, description: string, type: string) => ({ definitionType: 'AttributeDefinition', key, description, type });

interface Written {
  uuid: string;
  path?: string;
  attributes: Record<string, string>;
}

/** A server whose plan can be changed; it keeps what is written. */
function tableServer() {
  const server = doorServer();
  let stored: Written[] = characteristics.map((each) => ({ ...each, attributes: { ...each.attributes, 2002: 'kept' } }));
  const put: Written[][] = [];
  const posted: Written[][] = [];
  server.answer('GET /dataServiceRest/configuration', () => ({
    partAttributes: [],
    characteristicAttributes: [
      definition(2002, 'Description', 'AlphaNumeric'),
      definition(2101, 'Nominal value', 'Float'),
      definition(2110, 'Lower tolerance', 'Float'),
      definition(2111, 'Upper tolerance', 'Float'),
      definition(2142, 'Unit', 'AlphaNumeric'),
    ],
    measurementAttributes: [],
    valueAttributes: [],
    catalogAttributes: [],
    versioningType: 'Off',
  }));
  server.answer('GET /dataServiceRest/catalogs', () => []);
  server.answer('GET /dataServiceRest/permissions', () => ({
    userName: 'a',
    partRights: { 'plan:read': ['/'], 'plan:write': ['/'] },
    serverRights: [],
  }));
  server.answer('GET /dataServiceRest/characteristics', () => stored);
  server.answer('PUT /dataServiceRest/characteristics', ({ body }) => {
    put.push(body as Written[]);
    stored = stored.map((each) => ({ ...each, ...(body as Written[]).find(({ uuid }) => uuid === each.uuid) }));
  });
  server.answer('POST /dataServiceRest/characteristics', ({ body }) => {
    posted.push(body as Written[]);
    stored = [...stored, ...(body as Written[])];
  });
  return { server, put, posted, replace: (change: (items: Written[]) => Written[]) => (stored = change(stored)) };
}

const grid = () => screen.findByRole('grid', { name: 'Characteristics' });
const open = async (server: ReturnType<typeof tableServer>['server']) => {
  const rendered = await renderPage(PAGE, { server });
  (await grid()).focus();
  return rendered;
};
const save = async (name = /^Save/) => userEvent.click(await screen.findByRole('button', { name }));
const paste = async (text: string) => {
  const data = { getData: () => text, setData: () => undefined };
  fireEvent.paste(await grid(), { clipboardData: data });
};

describe('the table of the plan', () => {
  it('is edited with the keyboard and saved in one request, with all other attributes', async () => {
    const { server, put } = tableServer();
    await open(server);
    await userEvent.keyboard('{ArrowRight}20,5{Enter}{F2}');
    const cell = screen.getByRole('textbox', { name: 'Nominal value' });
    await userEvent.clear(cell);
    await userEvent.keyboard('21{Tab}19{Escape}');
    await save(/^Save 2 changes/);
    await waitFor(() => expect(put).toHaveLength(1));
    expect(put[0]).toMatchObject([
      { uuid: GAP_LEFT, attributes: { 2101: '20.5', 2002: 'kept' } },
      { uuid: GAP_RIGHT, attributes: { 2101: '21', 2002: 'kept' } },
    ]);
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(put).toHaveLength(2));
    expect(put[1]?.map(({ attributes }) => attributes['2101'])).toEqual(
      characteristics.slice(0, 2).map(({ attributes }) => attributes['2101']),
    );
  });

  it('renames, and says which names are taken', async () => {
    const { server, put } = tableServer();
    await open(server);
    await userEvent.keyboard('FLUSH{Enter}');
    expect(await screen.findByText(/This name is taken here/)).toBeTruthy();
    await userEvent.keyboard('{ArrowUp}{Enter}{Control>}a{/Control}Gap top{Enter}');
    await save();
    await waitFor(() => expect(put[0]).toMatchObject([{ uuid: GAP_LEFT, path: 'PC:/Car door/Gap top/' }]));
  });

  it('makes a new characteristic in its last row', async () => {
    const { server, posted } = tableServer();
    await open(server);
    await userEvent.keyboard('{Control>}{End}{/Control}{Home}Bolt{Tab}8{Enter}');
    await save();
    await waitFor(() => expect(posted[0]).toMatchObject([{ path: 'PC:/Car door/Bolt/', attributes: { 2101: '8' } }]));
  });

  it('shows what pasted rows create and change before it takes them over', async () => {
    const { server, put, posted } = tableServer();
    await open(server);
    await paste('Name\tNominal\tUnit\r\ngap left\t30,5\tmm\r\nNew\t1\tmm\r\nBad\tx\tmm\r\n');
    const dialog = within(await screen.findByRole('dialog', { name: 'Paste from a spreadsheet' }));
    expect(dialog.getByText(/New: 1. Changed: 1. As they are: 0./)).toBeTruthy();
    expect(dialog.getByText('“x” in the column Nominal value is not a number.')).toBeTruthy();
    expect(dialog.getByText(/Nominal value 20.* → 30\.5/)).toBeTruthy();
    await userEvent.click(dialog.getByRole('button', { name: 'Take over 2' }));
    expect(put).toEqual([]);
    await save();
    await waitFor(() => expect(posted[0]).toMatchObject([{ path: 'PC:/Car door/New/', attributes: { 2101: '1', 2142: 'mm' } }]));
    expect(put[0]).toMatchObject([{ uuid: GAP_LEFT, attributes: { 2101: '30.5', 2142: 'mm', 2002: 'kept' } }]);
  });

  it('asks which column holds the names', async () => {
    const { server } = tableServer();
    await open(server);
    await paste('Nominal\tUnit\n1\tmm');
    const dialog = within(await screen.findByRole('dialog', { name: 'Paste from a spreadsheet' }));
    expect(dialog.getByRole('alert').textContent).toBe('Choose which column holds the names of the characteristics.');
    await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Column 2: Unit' }), 'Name');
    expect(dialog.getByRole('button', { name: 'Take over 1' })).toBeTruthy();
  });

  it('pastes one cell into the present one', async () => {
    const { server, put } = tableServer();
    await open(server);
    await userEvent.keyboard('{ArrowRight}');
    await paste('1.234,5\r\n');
    await save();
    await waitFor(() => expect(put[0]).toMatchObject([{ attributes: { 2101: '1234.5' } }]));
  });

  it('changes several at once, with a preview', async () => {
    const { server, put } = tableServer();
    await open(server);
    await userEvent.click(screen.getByRole('checkbox', { name: 'Choose Gap left' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Choose Gap right' }));
    await userEvent.click(screen.getByRole('button', { name: 'Change 2…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change 2 characteristics' }));
    await userEvent.click(dialog.getByRole('button', { name: /Attribute/ }));
    await userEvent.click(await screen.findByRole('option', { name: /Upper tolerance/ }));
    await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'How' }), 'add');
    await userEvent.type(dialog.getByRole('textbox', { name: /Amount/ }), '0,5');
    expect(dialog.getAllByRole('row')).toHaveLength(3);
    await userEvent.click(dialog.getByRole('button', { name: 'Take over' }));
    await save();
    await waitFor(() => expect(put[0]?.map(({ attributes }) => Number(attributes['2111']))).toEqual([20.55, 20.55]));
  });

  it('shows both texts where somebody else has changed the same cell, and saves nothing', async () => {
    const { server, put, replace } = tableServer();
    await open(server);
    await userEvent.keyboard('{ArrowRight}22{Enter}');
    replace((items) => items.map((item) => ({ ...item, attributes: { ...item.attributes, 2101: '23' } })));
    await save();
    const conflict = within(await screen.findByRole('table', { name: 'Changed by somebody else meanwhile' }));
    expect(conflict.getByText('23')).toBeTruthy();
    expect(put).toEqual([]);
    await userEvent.click(conflict.getByRole('button', { name: 'Keep yours for Gap left: Nominal value' }));
    await save();
    await waitFor(() => expect(put[0]).toMatchObject([{ uuid: GAP_LEFT, attributes: { 2101: '22' } }]));
  });
});
