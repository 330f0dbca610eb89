import { beforeAll, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { doorServer, GAP_LEFT, MIDDLE, NEWEST, OLDEST } from '../../testing/door.fixture';
import { refusal } from '../../testing/fake-server.fixture';
import { layOut } from '../../testing/layout.fixture';
import { renderPage } from '../../testing/render.fixture';

beforeAll(layOut);

const ADDRESS = `/measurements/${NEWEST}`;
const table = () => screen.findByRole('grid', { name: /Values|Werte/ });

describe('the page of a measurement', () => {
  it('shows its values worst first, against the measurement before', async () => {
    await renderPage(ADDRESS, { server: doorServer() });
    const grid = within(await table());
    expect(grid.getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual(['Gap left', 'Gap right']);
    expect(await grid.findByText('20.034')).toBeTruthy();
    expect(grid.getByText('+0.019')).toBeTruthy();
  });

  it('says what differs, also in the attributes', async () => {
    await renderPage(ADDRESS, { server: doorServer() });
    const side = within(await screen.findByRole('complementary', { name: 'About the measurement' }));
    expect(await side.findByText(/newly out: Gap left/)).toBeTruthy();
    expect((await side.findByText('CMM 3')).tagName).toBe('S');
  });

  it('compares with a chosen measurement, and with none', async () => {
    const { router } = await renderPage(`${ADDRESS}?against=${OLDEST}`, { server: doorServer() });
    expect(await within(await table()).findByText('20.001')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: /Against/ }));
    await userEvent.click(await screen.findByRole('menuitemradio', { name: 'nothing' }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ against: 'none' }));
    await waitFor(() => expect(screen.queryByText('20.001')).toBeNull());
  });

  it('steps to the measurement before', async () => {
    const { router } = await renderPage(ADDRESS, { server: doorServer() });
    await userEvent.click(await screen.findByRole('link', { name: /Previous measurement/ }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`/measurements/${MIDDLE}`));
  });

  it('says that there is no newer one', async () => {
    await renderPage(ADDRESS, { server: doorServer() });
    const steps = within(await screen.findByRole('navigation', { name: 'Neighbours' }));
    expect(steps.getByText('newest')).toBeTruthy();
  });

  it('shows what was not measured when that total is chosen', async () => {
    await renderPage(ADDRESS, { server: doorServer() });
    await userEvent.click(await screen.findByRole('button', { name: /1 not measured/ }));
    expect(
      within(await table())
        .getAllByRole('rowheader')
        .map((cell) => cell.textContent),
    ).toEqual(['Flush']);
  });

  it('selects the characteristic of the address', async () => {
    await renderPage(`${ADDRESS}?selected=${GAP_LEFT}`, { server: doorServer() });
    const rows = within(await table()).getAllByRole('row', { selected: true });
    expect(rows).toHaveLength(1);
  });

  it('names values and files before it deletes', async () => {
    const server = doorServer();
    let deleted = '';
    server.answer('DELETE /dataServiceRest/measurements', ({ url }) => {
      deleted = url.searchParams.get('measurementUuids') ?? '';
      return undefined;
    });
    const { router } = await renderPage(ADDRESS, { server });
    await table();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Delete…' }).hasAttribute('disabled')).toBe(false));
    await userEvent.click(screen.getByRole('button', { name: 'Delete…' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(await dialog.findByText(/files, 2.4/)).toBeTruthy();
    await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(deleted).toContain(NEWEST));
    await waitFor(() => expect(router.state.location.pathname).toMatch(/measurements$/));
  });

  it('shows German words', async () => {
    await renderPage(ADDRESS, { server: doorServer(), language: 'de' });
    expect(await within(await table()).findByText('20,053')).toBeTruthy();
    expect(screen.getByRole('navigation', { name: 'Nachbarn' })).toBeTruthy();
  });

  it('says that the measurement does not exist', async () => {
    const server = doorServer();
    server.answer('GET /dataServiceRest/values/:uuid', () => refusal(404, 'NotFound', `there is no measurement ${NEWEST}`));
    await renderPage(ADDRESS, { server });
    expect((await screen.findByRole('alert')).textContent).toContain('there is no measurement');
  });
});
