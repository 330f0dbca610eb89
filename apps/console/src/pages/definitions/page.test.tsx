import { beforeAll, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { doorServer } from '../../testing/door.fixture';
import { refusal, type FakeServer } from '../../testing/fake-server.fixture';
import { layOut } from '../../testing/layout.fixture';
import { renderPage } from '../../testing/render.fixture';

beforeAll(layOut);

const ADDRESS = '/administration/definitions?owner=measurement';

function writableServer() {
  const server = doorServer();
  server.answer('GET /dataServiceRest/permissions', () => ({ userName: 'a', partRights: {}, serverRights: ['configuration:write'] }));
  return server;
}
/** Opens the page as somebody who has signed in. */
async function openSignedIn(server: FakeServer) {
  const { session } = await renderPage(ADDRESS, { server });
  await act(() => session.begin());
}
const rows = async () => {
  const table = await screen.findByRole('table', { name: 'Attributes of measurements' });
  return within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);
};

describe('the page of definitions', () => {
  it('shows key, name, type, length and catalog', async () => {
    await renderPage(ADDRESS, { server: doorServer() });
    expect(await rows()).toEqual(['4Timedate and time', '10MachinecatalogMachines', '14Serial no.text40 characters']);
  });

  it('filters by key or name', async () => {
    await renderPage(`${ADDRESS}&find=serial`, { server: doorServer() });
    expect(await rows()).toEqual(['14Serial no.text40 characters']);
  });

  it('offers no change without the right, and says which is missing', async () => {
    await renderPage(ADDRESS, { server: doorServer() });
    expect(await screen.findByText(/The right configuration:write is missing/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'New attribute…' })).toBeNull();
  });

  it('offers name, type and length of a standard attribute', async () => {
    await openSignedIn(writableServer());
    await rows();
    await userEvent.click(await screen.findByRole('button', { name: 'New attribute…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New: Attributes of measurements' }));
    const key = dialog.getByRole('textbox', { name: 'Key' });
    const valueOf = (name: string) => dialog.getByRole<HTMLInputElement>('textbox', { name }).value;
    await userEvent.type(key, '16');
    expect([valueOf('Name'), valueOf('Length')]).toEqual(['Production number', '80']);
    await userEvent.type(key, '0');
    expect([valueOf('Name'), valueOf('Length')]).toEqual(['', '255']);
  });

  it('creates a definition', async () => {
    const server = writableServer();
    let created: unknown;
    server.answer('POST /dataServiceRest/configuration/measurement', ({ body }) => {
      created = body;
      return undefined;
    });
    await openSignedIn(server);
    await rows();
    await userEvent.click(await screen.findByRole('button', { name: 'New attribute…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New: Attributes of measurements' }));
    await userEvent.type(dialog.getByRole('textbox', { name: 'Key' }), '801');
    await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'Temperature');
    await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Type' }), 'number');
    await userEvent.click(dialog.getByRole('button', { name: 'Create' }));
    await waitFor(() =>
      expect(created).toEqual([{ definitionType: 'AttributeDefinition', key: 801, description: 'Temperature', type: 'Float' }]),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('names the attribute that has the key already', async () => {
    await openSignedIn(writableServer());
    await rows();
    await userEvent.click(await screen.findByRole('button', { name: 'New attribute…' }));
    await userEvent.type(await screen.findByRole('textbox', { name: 'Key' }), '14');
    expect(await screen.findByText('The attribute Serial no. has this key; give another one.')).toBeTruthy();
  });

  it('renames a definition, and keeps its type', async () => {
    const server = writableServer();
    let changed: unknown;
    server.answer('PUT /dataServiceRest/configuration/measurement', ({ body }) => {
      changed = body;
    });
    await openSignedIn(server);
    await userEvent.click(await screen.findByRole('button', { name: 'Rename Serial no.…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Rename the attribute Serial no.' }));
    const name = dialog.getByRole('textbox', { name: 'Name' });
    await userEvent.clear(name);
    expect(dialog.getByText('The name is missing.')).toBeTruthy();
    await userEvent.type(name, 'Serial number');
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(changed).toMatchObject([{ key: 14, description: 'Serial number', type: 'AlphaNumeric' }]));
  });

  it('names what goes before it deletes', async () => {
    const server = writableServer();
    let isDeleted = false;
    server.answer('DELETE /dataServiceRest/configuration/measurement/:key', () => {
      isDeleted = true;
      return undefined;
    });
    await openSignedIn(server);
    await userEvent.click(await screen.findByRole('button', { name: 'Delete Serial no.…' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete the attribute Serial no.?' }));
    expect(dialog.getByText('All values of this attribute that are stored with measurements')).toBeTruthy();
    await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(isDeleted).toBe(true));
  });

  it('shows why a deletion is refused', async () => {
    const server = writableServer();
    server.answer('DELETE /dataServiceRest/configuration/measurement/:key', () =>
      refusal(409, 'Conflict', 'The attribute 4 belongs to the server and cannot be deleted.'),
    );
    await openSignedIn(server);
    await userEvent.click(await screen.findByRole('button', { name: 'Delete Time…' }));
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
    expect((await screen.findByRole('alert')).textContent).toContain('cannot be deleted');
  });
});
