import { beforeAll, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { characteristics, door, DOOR, doorServer, GAP_LEFT, GAP_RIGHT } from '../../testing/door.fixture';
import { refusal, type FakeServer } from '../../testing/fake-server.fixture';
import { layOut } from '../../testing/layout.fixture';
import { renderPage } from '../../testing/render.fixture';

beforeAll(layOut);

const PART = `/parts/${DOOR}/plan`;
const CHARACTERISTIC = `/parts/${DOOR}/characteristics/${GAP_LEFT}/plan`;
const CATALOGS = [{ uuid: 'lines', name: 'Lines', validAttributes: [4063], catalogEntries: [{ key: 2, attributes: { 4063: 'Body 2' } }] }];
const definition = (key: number, description: string, type: string) => ({ definitionType: 'AttributeDefinition', key, description, type });
const CONFIGURATION = {
  partAttributes: [
    definition(1003, 'Drawing', 'AlphaNumeric'),
    definition(1036, 'Weight', 'Float'),
    { definitionType: 'CatalogAttributeDefinition', key: 860, description: 'Line', catalog: 'lines' },
  ],
  characteristicAttributes: [
    definition(2101, 'Nominal value', 'Float'),
    definition(2110, 'Lower tolerance', 'Float'),
    definition(2111, 'Upper tolerance', 'Float'),
    definition(2142, 'Unit', 'AlphaNumeric'),
  ],
  measurementAttributes: [],
  valueAttributes: [],
  catalogAttributes: [definition(4063, 'Line', 'AlphaNumeric')],
  versioningType: 'Off',
};

/** A server on which the reader may change the plan; it keeps the bodies of changes. */
function planServer(rights = ['/']) {
  const server = doorServer();
  const bodies: Record<string, unknown> = {};
  const record = (request: string) =>
    server.answer(request, ({ body }) => {
      bodies[request] = body;
      return undefined;
    });
  server.answer('GET /dataServiceRest/configuration', () => CONFIGURATION);
  server.answer('GET /dataServiceRest/catalogs', () => CATALOGS);
  server.answer('GET /dataServiceRest/permissions', () => ({
    userName: 'a',
    partRights: { 'plan:read': ['/'], 'plan:write': rights },
    serverRights: [],
  }));
  server.answer('GET /dataServiceRest/characteristics/:uuid', ({ url }) => characteristics.find(({ uuid }) => url.pathname.endsWith(uuid)));
  for (const items of ['parts', 'characteristics']) {
    record(`PUT /dataServiceRest/${items}`);
    record(`POST /dataServiceRest/${items}`);
    record(`DELETE /dataServiceRest/${items}`);
    server.answer(`GET /dataServiceRest/${items}/count`, () => ({ count: items === 'parts' ? 1 : 3 }));
  }
  return { server, bodies };
}

const field = (name: string) => screen.findByRole('textbox', { name });
const save = async () => userEvent.click(await screen.findByRole('button', { name: /^Save/ }));
/** Opens a page and waits for its fields. */
async function open(address: string, server: FakeServer) {
  const rendered = await renderPage(address, { server });
  await field(address === PART ? 'Name of the part' : 'Name of the characteristic');
  return rendered;
}

describe('the page that changes the plan', () => {
  it('shows name and attributes in fields by their types', async () => {
    const { server } = planServer();
    await open(PART, server);
    expect(await field('Drawing')).toHaveProperty('value', 'DR-4471 C');
    expect(screen.getByRole('combobox', { name: 'Line' })).toHaveProperty('value', '(none)');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Plan of Car door');
  });

  it('saves what was changed together, with all other attributes', async () => {
    const { server, bodies } = planServer();
    await open(PART, server);
    await userEvent.type(await field('Name of the part'), ' left');
    await userEvent.type(await field('Weight'), '8,42');
    await userEvent.click(await screen.findByRole('button', { name: 'Save 2 changes' }));
    await waitFor(() =>
      expect(bodies['PUT /dataServiceRest/parts']).toEqual([
        { uuid: DOOR, path: 'P:/Car door left/', attributes: { 1003: 'DR-4471 C', 1036: '8.42' } },
      ]),
    );
  });

  it('says why it cannot save', async () => {
    const { server } = planServer();
    await open(PART, server);
    await userEvent.type(await field('Weight'), '8.4x');
    expect(await screen.findByText('Weight: a number, such as 8.42')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Save 1 change' })).toHaveProperty('disabled', true);
  });

  it('refuses a lower limit above the upper one', async () => {
    const { server } = planServer();
    await open(CHARACTERISTIC, server);
    const lower = await field('Lower tolerance');
    await userEvent.clear(lower);
    await userEvent.type(lower, '21');
    expect(await screen.findByText('A lower limit lies above its upper limit.')).toBeTruthy();
  });

  it('chooses an entry of a catalog', async () => {
    const { server, bodies } = planServer();
    await open(PART, server);
    const line = await screen.findByRole('combobox', { name: 'Line' });
    await userEvent.clear(line);
    await userEvent.type(line, 'bod');
    await userEvent.click(await screen.findByRole('option', { name: /Body 2/ }));
    await save();
    await waitFor(() => expect(bodies['PUT /dataServiceRest/parts']).toMatchObject([{ attributes: { 860: '2' } }]));
  });

  it('shows both sides when somebody else has changed the same, and saves nothing', async () => {
    const { server, bodies } = planServer();
    await open(PART, server);
    const drawing = await field('Drawing');
    await userEvent.clear(drawing);
    await userEvent.type(drawing, 'mine');
    server.answer('GET /dataServiceRest/parts/:uuid', () => ({ ...door, version: 1, attributes: { 1003: 'theirs', 1036: '7' } }));
    await save();
    const conflict = within(await screen.findByRole('table', { name: 'Changed by somebody else meanwhile' }));
    expect(conflict.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(['DR-4471 C', 'theirs', 'mine']),
    );
    expect(bodies['PUT /dataServiceRest/parts']).toBeUndefined();
    await userEvent.click(conflict.getByRole('button', { name: 'Keep yours for Drawing' }));
    await save();
    // Changes that only the other side has made stay.
    await waitFor(() => expect(bodies['PUT /dataServiceRest/parts']).toEqual([{ uuid: DOOR, attributes: { 1003: 'mine', 1036: '7' } }]));
  });

  it('offers the way back after it has saved', async () => {
    const { server, bodies } = planServer();
    let stored = door;
    server.answer('GET /dataServiceRest/parts/:uuid', () => stored);
    server.answer('PUT /dataServiceRest/parts', ({ body }) => {
      bodies.put = body;
      stored = { ...door, attributes: (body as (typeof door)[])[0]?.attributes ?? {} };
      return undefined;
    });
    await open(PART, server);
    await userEvent.type(await field('Drawing'), '2');
    await save();
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(bodies.put).toEqual([{ uuid: DOOR, attributes: { 1003: 'DR-4471 C' } }]));
  });

  describe('where versions are kept', () => {
    const versionedServer = () => {
      const { server, bodies } = planServer();
      server.answer('GET /dataServiceRest/configuration', () => ({ ...CONFIGURATION, versioningType: 'Client' }));
      server.answer('GET /dataServiceRest/parts/:uuid', ({ url }) => ({
        ...door,
        version: 7,
        comment: '[ada]: drawing C',
        ...(url.searchParams.has('withHistory') && { history: [{ ...door, version: 3, attributes: { 1003: 'DR-4471 B', 1036: '7' } }] }),
      }));
      return { server, bodies };
    };

    it('writes who and why with a change, and asks for a version', async () => {
      const { server, bodies } = versionedServer();
      await open(PART, server);
      await userEvent.type(await field('Weight'), '8');
      await userEvent.type(await field('Reason of the change'), 'weighed again');
      await save();
      await waitFor(() => expect(bodies['PUT /dataServiceRest/parts']).toMatchObject([{ comment: '[a]: weighed again' }]));
      expect(server.requests).toContain('PUT /dataServiceRest/parts?versioningEnabled=true');
    });

    it('shows what changed, and restores an earlier state into the fields', async () => {
      const { server } = versionedServer();
      await open(PART, server);
      await userEvent.click(await screen.findByRole('button', { name: 'Show the history' }));
      const history = within(await screen.findByRole('table', { name: 'History' }));
      expect(history.getByText('ada')).toBeTruthy();
      expect(history.getByText('drawing C')).toBeTruthy();
      expect(history.getByText('Drawing: DR-4471 B → DR-4471 C')).toBeTruthy();
      expect(history.getByText('Weight: 7 → (empty)')).toBeTruthy();
      await userEvent.click(history.getByRole('button', { name: /^Restore the state of/ }));
      expect(await field('Drawing')).toHaveProperty('value', 'DR-4471 B');
      expect(await screen.findByRole('button', { name: 'Save 2 changes' })).toBeTruthy();
    });
  });

  it('says that a name is taken', async () => {
    const { server } = planServer();
    server.answer('PUT /dataServiceRest/parts', () => refusal(409, 'AlreadyExists', 'there is already a part at P:/Door/'));
    await open(PART, server);
    await userEvent.type(await field('Name of the part'), 's');
    await save();
    expect(await screen.findByText('This name is taken here; give another one.')).toBeTruthy();
  });

  it('creates a characteristic with its limits', async () => {
    const { server, bodies } = planServer();
    await open(PART, server);
    await userEvent.click(await screen.findByRole('button', { name: 'New characteristic…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New characteristic' }));
    await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'Gap/top');
    await userEvent.type(dialog.getByRole('textbox', { name: 'Nominal value' }), '20');
    await userEvent.click(dialog.getByRole('button', { name: 'Create' }));
    await waitFor(() =>
      expect(bodies['POST /dataServiceRest/characteristics']).toMatchObject([
        { path: String.raw`PC:/Car door/Gap\/top/`, attributes: { 2101: '20' } },
      ]),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('offers the standard attributes where a characteristic cannot be described', async () => {
    const { server } = planServer();
    server.answer('GET /dataServiceRest/configuration', () => ({
      partAttributes: [],
      characteristicAttributes: [],
      measurementAttributes: [],
      valueAttributes: [],
      catalogAttributes: [],
    }));
    await open(PART, server);
    await userEvent.click(await screen.findByRole('button', { name: 'New characteristic…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New characteristic' }));
    expect(await dialog.findByText('This server has no attributes for nominal value, limits or unit yet.')).toBeTruthy();
    expect(dialog.getByText(/The right configuration:write is missing/)).toBeTruthy();
  });

  it('does not create a name twice', async () => {
    const { server } = planServer();
    await open(PART, server);
    await userEvent.click(await screen.findByRole('button', { name: 'New characteristic…' }));
    await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'flush');
    expect(await screen.findByText('This name is taken here; give another one.')).toBeTruthy();
  });

  it('names what goes before it deletes, and asks once', async () => {
    const { server } = planServer();
    server.answer('GET /analysisServiceRest/characteristics/:uuid/summary', () => ({ count: 5000, missing: 0 }));
    await open(PART, server);
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Choose Gap left' }));
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Choose Gap right' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Delete 2…' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete 2?' }));
    expect((await dialog.findByText('10,000')).parentElement?.textContent).toMatch(/^10,000 measured values$/);
    await userEvent.type(dialog.getByRole('textbox'), 'delete');
    await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() =>
      expect(server.requests.find((request) => request.startsWith('DELETE'))).toContain(encodeURIComponent(`{${GAP_LEFT},${GAP_RIGHT}}`)),
    );
  });

  it('moves to a chosen place, and says where it cannot', async () => {
    const { server, bodies } = planServer();
    server.answer('GET /dataServiceRest/inspectionPlanItems', () => [door, { ...door, uuid: 'lid', path: 'P:/Lid/' }]);
    await open(CHARACTERISTIC, server);
    // The first one moves the item itself, the others move items below it.
    await userEvent.click((await screen.findAllByRole('button', { name: 'Move…' }))[0]!);
    const dialog = within(await screen.findByRole('dialog', { name: 'Move Gap left to…' }));
    const here = await dialog.findByRole('option', { name: /^Car door\s*already here$/ });
    expect(here.getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(dialog.getByRole('option', { name: /Lid/ }));
    await userEvent.click(dialog.getByRole('button', { name: 'Move to Lid' }));
    await waitFor(() => expect(bodies['PUT /dataServiceRest/characteristics']).toEqual([{ uuid: GAP_LEFT, path: 'PC:/Lid/Gap left/' }]));
  });

  it('changes nothing without the right, and says which is missing', async () => {
    const { server } = planServer(['/tailgate']);
    await open(PART, server);
    expect(await screen.findByText(/The right plan:write for \/Car door is missing/)).toBeTruthy();
    expect(await field('Drawing')).toHaveProperty('readOnly', true);
    expect(screen.queryByRole('button', { name: 'New part…' })).toBeNull();
  });

  it('asks before it is left with changes', async () => {
    const { server } = planServer();
    const { router } = await open(PART, server);
    await userEvent.type(await field('Drawing'), '2');
    act(() => void router.navigate({ to: '/live' }));
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Stay' }));
    expect(router.state.location.pathname).toBe(PART);
  });
});
