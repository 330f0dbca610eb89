import { beforeAll, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { DOOR, doorServer, file } from '../../testing/door.fixture';
import { refusal } from '../../testing/fake-server.fixture';
import { layOut } from '../../testing/layout.fixture';
import { renderPage } from '../../testing/render.fixture';

beforeAll(layOut);

const ADDRESS = `/parts/${DOOR}/files`;
const side = async () => within(await screen.findByRole('complementary', { name: 'Selected file' }));

describe('the page of files', () => {
  it('shows tiles, the newest first, with the place of each', async () => {
    await renderPage(ADDRESS, { server: doorServer() });
    const tiles = within(await screen.findByRole('list', { name: 'Newest files' })).getAllByRole('button');
    expect(tiles.map((tile) => tile.textContent)).toEqual([
      expect.stringContaining('points.zip'),
      expect.stringContaining('setup.txt'),
      expect.stringContaining('door-fixture.jpg'),
    ]);
    await waitFor(() => expect(tiles[0]?.textContent).toContain('Car door'));
  });

  it('shows the first lines of a text and the names in an archive', async () => {
    await renderPage(ADDRESS, { server: doorServer() });
    expect(await screen.findByText('Clamp 1 and 3 first,')).toBeTruthy();
    expect(await screen.findByText('points/frame.csv')).toBeTruthy();
  });

  it('opens an entry of an archive by keyboard, without the archive', async () => {
    const { router, server } = await renderPage(`${ADDRESS}?selected=Part/${DOOR}/2`, { server: doorServer() });
    const panel = await side();
    const tree = await panel.findByRole('tree', { name: 'Entries of points.zip' });
    tree.focus();
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(router.state.location.search).toMatchObject({ entry: 'points/frame.csv' });
    expect(await panel.findByText(/x;y;z/)).toBeTruthy();
    expect(server.requests.some((request) => /rawData\/Part\/[^/]+\/2$/.test(request))).toBe(false);
  });

  it('shows files of measurements when the address asks for them', async () => {
    await renderPage(`${ADDRESS}?of=measurements`, { server: doorServer() });
    const tile = await screen.findByRole('button', { name: /report.pdf/ });
    await waitFor(() => expect(tile.textContent).toContain('measurement, 8 May 2026'));
  });

  it('filters by kind and by name', async () => {
    await renderPage(`${ADDRESS}?kind=text&view=list`, { server: doorServer() });
    const grid = within(await screen.findByRole('grid', { name: 'All files' }));
    expect(grid.getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual(['setup.txt']);
  });

  it('renames a file', async () => {
    const server = doorServer();
    let renamed: unknown;
    server.answer(`PUT /rawDataServiceRest/rawDataInformation/Part/:uuid/1`, ({ body }) => {
      renamed = body;
      return undefined;
    });
    await renderPage(`${ADDRESS}?selected=Part/${DOOR}/1`, { server });
    const panel = await side();
    await userEvent.click(await panel.findByRole('button', { name: 'Rename' }));
    const field = panel.getByRole('textbox', { name: 'New name' });
    await userEvent.clear(field);
    await userEvent.type(field, 'clamps.txt{Enter}');
    await waitFor(() => expect(renamed).toEqual({ fileName: 'clamps.txt' }));
  });

  it('says why a name is refused, and keeps the field open', async () => {
    const server = doorServer();
    server.answer(`PUT /rawDataServiceRest/rawDataInformation/Part/:uuid/1`, () =>
      refusal(400, 'InvalidRequest', 'fileName must match *.txt'),
    );
    await renderPage(`${ADDRESS}?selected=Part/${DOOR}/1`, { server });
    const panel = await side();
    await userEvent.click(await panel.findByRole('button', { name: 'Rename' }));
    await userEvent.type(panel.getByRole('textbox', { name: 'New name' }), 'x{Enter}');
    expect((await panel.findByRole('alert')).textContent).toBe('fileName must match *.txt');
  });

  it('names the file and its place before it deletes', async () => {
    const server = doorServer();
    let deleted = false;
    server.answer('DELETE /rawDataServiceRest/rawData/Part/:uuid/0', () => {
      deleted = true;
      return undefined;
    });
    await renderPage(`${ADDRESS}?selected=Part/${DOOR}/0`, { server });
    await userEvent.click(await (await side()).findByRole('button', { name: 'Delete…' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete door-fixture.jpg?' }));
    expect(await dialog.findByText('It belongs to Car door.')).toBeTruthy();
    await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(deleted).toBe(true));
  });

  it('names the files that a sign-in has left behind, until the reader hides them', async () => {
    const drafts = { [`files of Part ${DOOR}`]: { user: '', value: ['report.pdf', 'scan.stl'] } };
    sessionStorage.setItem('sinebar.drafts', JSON.stringify(drafts));
    await renderPage(`/parts/${DOOR}/files`, { server: doorServer() });
    expect(await screen.findByText(/Choose them again: report\.pdf, scan\.stl\.$/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Hide' }));
    expect(screen.queryByText(/Choose them again/)).toBeNull();
    expect(sessionStorage).toHaveLength(0);
  });

  it('offers neither upload nor deletion without the right, and says which is missing', async () => {
    const server = doorServer();
    server.answer('GET /dataServiceRest/permissions', () => ({ userName: 'a', partRights: {}, serverRights: [] }));
    await renderPage(`${ADDRESS}?selected=Part/${DOOR}/0`, { server });
    expect(await screen.findByText(/The right rawData:write is missing/)).toBeTruthy();
    await (await side()).findByRole('button', { name: 'Download' });
    expect(screen.queryByRole('button', { name: 'Upload…' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Delete…' })).toBeNull();
  });

  it('says that nothing is here yet', async () => {
    const server = doorServer();
    server.answer('GET /rawDataServiceRest/rawDataInformation/Part', () => []);
    await renderPage(ADDRESS, { server, language: 'de' });
    expect(await screen.findByText(/Hier ist noch keine Datei/)).toBeTruthy();
  });

  it('says what is wrong when the list cannot be read', async () => {
    const server = doorServer();
    server.answer('GET /rawDataServiceRest/rawDataInformation/Part', () => refusal(503, 'Unavailable', 'The parts are being read again.'));
    await renderPage(ADDRESS, { server });
    expect((await screen.findByRole('alert')).textContent).toContain('The parts are being read again.');
  });

  it('shows more than eight files as a list below the tiles', async () => {
    const server = doorServer();
    server.answer('GET /rawDataServiceRest/rawDataInformation/Part', () =>
      Array.from({ length: 9 }, (_, key) => file(key, `${key}.bin`, 'a/b')),
    );
    await renderPage(ADDRESS, { server });
    const grid = within(await screen.findByRole('grid', { name: 'Older' }));
    expect(grid.getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual(['0.bin']);
  });
});
