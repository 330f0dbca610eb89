import { beforeAll, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { doorServer } from '../../testing/door.fixture';
import { refusal, type FakeServer } from '../../testing/fake-server.fixture';
import { layOut } from '../../testing/layout.fixture';
import { renderPage } from '../../testing/render.fixture';

beforeAll(layOut);

const ADDRESS = '/administration/catalogs';

function writableServer() {
  const server = doorServer();
  server.answer('GET /dataServiceRest/permissions', () => ({ userName: 'a', partRights: {}, serverRights: ['catalog:write'] }));
  return server;
}
/** Opens the page as somebody who has signed in. */
async function openSignedIn(server: FakeServer) {
  const { session } = await renderPage(ADDRESS, { server });
  await act(() => session.begin());
}
const rows = async () =>
  within(await screen.findByRole('table', { name: 'Machines' }))
    .getAllByRole('row')
    .map((row) => row.textContent);

describe('the page of catalogs', () => {
  it('lists the catalogs and the entries of the first', async () => {
    await renderPage(ADDRESS, { server: doorServer() });
    expect(await rows()).toEqual(['No.Machine', '2CMM 2', '3CMM 3']);
    expect(screen.getByRole('link', { name: 'Machines' }).getAttribute('aria-current')).toBe('page');
  });

  it('filters entries', async () => {
    await renderPage(`${ADDRESS}?find=cmm 3`, { server: doorServer() });
    expect(await rows()).toEqual(['No.Machine', '3CMM 3']);
  });

  it('offers no change without the right, and says which is missing', async () => {
    await renderPage(ADDRESS, { server: doorServer() });
    expect(await screen.findByText(/The right catalog:write is missing/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Add entry…' })).toBeNull();
  });

  it('changes the texts of an entry, and keeps entries that others have added meanwhile', async () => {
    const server = writableServer();
    let changed: unknown;
    server.answer('GET /dataServiceRest/catalogs/machines', () => [
      {
        uuid: 'machines',
        name: 'Machines',
        validAttributes: [4063],
        catalogEntries: [
          { key: 2, attributes: { 4063: 'CMM 2' } },
          { key: 9, attributes: { 4063: 'of others' } },
        ],
      },
    ]);
    server.answer('PUT /dataServiceRest/catalogs', ({ body }) => {
      changed = body;
    });
    await openSignedIn(server);
    await userEvent.click(await screen.findByRole('button', { name: 'Change entry 2…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change entry 2 of Machines' }));
    await userEvent.type(dialog.getByRole('textbox', { name: 'Machine' }), 'b');
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(changed).toMatchObject([
        {
          uuid: 'machines',
          catalogEntries: [
            { key: 2, attributes: { 4063: 'CMM 2b' } },
            { key: 9, attributes: { 4063: 'of others' } },
          ],
        },
      ]),
    );
  });

  it('adds an entry with the next free number', async () => {
    const server = writableServer();
    let added: unknown;
    server.answer('POST /dataServiceRest/catalogs/machines', ({ body }) => {
      added = body;
      return undefined;
    });
    await openSignedIn(server);
    await userEvent.click(await screen.findByRole('button', { name: 'Add entry…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New entry of Machines' }));
    await userEvent.type(dialog.getByRole('textbox', { name: 'Machine' }), 'CMM 4');
    await userEvent.click(dialog.getByRole('button', { name: 'Add entry' }));
    await waitFor(() => expect(added).toEqual([{ key: -1, attributes: { 4063: 'CMM 4' } }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('shows why an entry is refused, and keeps the dialog open', async () => {
    const server = writableServer();
    server.answer('POST /dataServiceRest/catalogs/machines', () => refusal(400, 'InvalidRequest', 'The text of 4063 is too long.'));
    await openSignedIn(server);
    await userEvent.click(await screen.findByRole('button', { name: 'Add entry…' }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(dialog.getByRole('button', { name: 'Add entry' }));
    expect((await dialog.findByRole('alert')).textContent).toContain('The text of 4063 is too long.');
  });

  it('names what goes before it deletes', async () => {
    const server = writableServer();
    let isDeleted = false;
    server.answer('DELETE /dataServiceRest/catalogs/machines/:keys', () => {
      isDeleted = true;
      return undefined;
    });
    await openSignedIn(server);
    await userEvent.click(await screen.findByRole('button', { name: 'Delete entry 3…' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete entry 3 of Machines?' }));
    expect(dialog.getByText('Entry 3: CMM 3')).toBeTruthy();
    expect(dialog.getByText('Every attribute value that refers to this entry')).toBeTruthy();
    await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(isDeleted).toBe(true));
  });

  it('creates a catalog with the attributes of its entries', async () => {
    const server = writableServer();
    let created: unknown;
    server.answer('POST /dataServiceRest/catalogs', ({ body }) => {
      created = body;
      return undefined;
    });
    await openSignedIn(server);
    await userEvent.click(await screen.findByRole('button', { name: 'New catalog…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New catalog' }));
    await userEvent.type(dialog.getByRole('textbox', { name: 'Name of the catalog' }), 'Lines');
    await userEvent.click(dialog.getByRole('checkbox', { name: 'Machine 4063' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Create' }));
    await waitFor(() => expect(created).toMatchObject([{ name: 'Lines', validAttributes: [4063], catalogEntries: [] }]));
  });

  it('does not delete a catalog that an attribute uses', async () => {
    await openSignedIn(writableServer());
    expect(await screen.findByRole('button', { name: 'Delete catalog…' })).toHaveProperty('disabled', true);
    expect(screen.getByText('Used by Machine: the catalog cannot be deleted.')).toBeTruthy();
  });

  it('says that there are no catalogs yet', async () => {
    const server = doorServer();
    server.answer('GET /dataServiceRest/catalogs', () => []);
    await renderPage(ADDRESS, { server, language: 'de' });
    expect(await screen.findByText(/noch keine Kataloge/)).toBeTruthy();
  });
});
