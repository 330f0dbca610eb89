import { beforeAll, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { DOOR, doorServer, MIDDLE, NEWEST, OLDEST } from '../../testing/door.fixture';
import { refusal } from '../../testing/fake-server.fixture';
import { layOut } from '../../testing/layout.fixture';
import { renderPage } from '../../testing/render.fixture';

beforeAll(layOut);

const ADDRESS = `/parts/${DOOR}/measurements`;
const table = () => screen.findByRole('grid', { name: 'Measurements' });

describe('the page of measurements', () => {
  it('lists them with their attributes and counts', async () => {
    await renderPage(ADDRESS, { server: doorServer() });
    const grid = await table();
    expect(await within(grid).findByText('447124003')).toBeTruthy();
    expect(await within(grid).findByText('CMM 2')).toBeTruthy();
    expect(await screen.findByText(/newest first/)).toBeTruthy();
  });

  it('shows the conditions of the address in words, and as the interface takes them', async () => {
    await renderPage(`${ADDRESS}?searchCondition=${encodeURIComponent('10In[2,3]')}`, { server: doorServer() });
    expect(await screen.findByRole('button', { name: 'Change the condition on Machine: is one of CMM 2, CMM 3' })).toBeTruthy();
    expect(screen.getByText('?searchCondition=10In%5B2%2C3%5D')).toBeTruthy();
  });

  it('adds a condition by fields', async () => {
    const { router, server } = await renderPage(ADDRESS, { server: doorServer() });
    await table();
    await userEvent.click(await screen.findByRole('button', { name: 'Filter' }));
    const editor = within(await screen.findByRole('dialog', { name: 'Filter' }));
    await userEvent.selectOptions(editor.getByLabelText('Field'), 'Serial no.');
    await userEvent.selectOptions(editor.getByLabelText('Comparison'), 'is');
    await userEvent.type(editor.getByLabelText('Value'), '4471');
    await userEvent.click(editor.getByRole('button', { name: 'Apply' }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ searchCondition: '14=[4471]' }));
    await waitFor(() => expect(server.requests.some((request) => request.includes('searchCondition=14%3D%5B4471%5D'))).toBe(true));
  });

  it('offers the texts of an attribute, and a day as one condition', async () => {
    const server = doorServer();
    server.answer('GET /dataServiceRest/distinctMeasurementAttributeValues', () => ['447124003', '', '447124001']);
    const { router } = await renderPage(ADDRESS, { server });
    await table();
    await userEvent.click(await screen.findByRole('button', { name: 'Filter' }));
    const editor = within(await screen.findByRole('dialog', { name: 'Filter' }));
    await userEvent.selectOptions(editor.getByLabelText('Field'), 'Serial no.');
    expect((await editor.findAllByRole('checkbox')).map((box) => box.parentElement?.textContent)).toEqual(['447124001', '447124003']);
    await userEvent.selectOptions(editor.getByLabelText('Field'), 'Time');
    await userEvent.click(editor.getByRole('button', { name: 'Apply' }));
    expect(editor.getByRole('alert').textContent).toBe('Enter a date and a time.');
    await userEvent.type(editor.getByLabelText('Day'), '2026-05-04');
    await userEvent.click(editor.getByRole('button', { name: 'Apply' }));
    expect(await screen.findByRole('button', { name: 'Change the condition on Time: on 4 May 2026' })).toBeTruthy();
    const [from, to] = [new Date(2026, 4, 4), new Date(2026, 4, 5)].map((time) => time.toISOString().replace('.000', ''));
    expect(router.state.location.search).toMatchObject({ searchCondition: `4>=[${from}]+4<[${to}]` });
  });

  it('counts the measurements of each group, and shows one alone', async () => {
    const { router } = await renderPage(`${ADDRESS}?split=10`, { server: doorServer() });
    const legend = within(await screen.findByRole('list', { name: 'Groups' }));
    expect(legend.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['CMM 3 2 67\u00A0%', 'CMM 2 1 33\u00A0%']);
    await userEvent.click(legend.getByRole('button', { name: 'Show only CMM 2' }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ split: 10, searchCondition: '10In[2]' }));
  });

  it('refuses a condition without a value, with a sentence', async () => {
    await renderPage(ADDRESS, { server: doorServer() });
    await table();
    await userEvent.click(await screen.findByRole('button', { name: 'Filter' }));
    const editor = within(await screen.findByRole('dialog', { name: 'Filter' }));
    await userEvent.selectOptions(editor.getByLabelText('Field'), 'Machine');
    await userEvent.click(editor.getByRole('button', { name: 'Apply' }));
    expect(editor.getByRole('alert').textContent).toBe('Choose at least one entry.');
  });

  it('names the narrow condition when nothing is found, and removes it', async () => {
    const { router } = await renderPage(`${ADDRESS}?searchCondition=${encodeURIComponent('10In[9]')}`, { server: doorServer() });
    expect(await screen.findByText('Without Machine is one of 9 there would be 3.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Remove that condition' }));
    await table();
    expect(router.state.location.search).not.toHaveProperty('searchCondition');
  });

  it('says that a condition of the address cannot be read', async () => {
    await renderPage(`${ADDRESS}?searchCondition=nonsense`, { server: doorServer() });
    expect(await screen.findByText(/cannot be read, so nothing is listed/)).toBeTruthy();
  });

  it('shows the values of the selected one, worst first, and steps to the next', async () => {
    const { router } = await renderPage(`${ADDRESS}?selected=${NEWEST}`, { server: doorServer() });
    const side = within(await screen.findByRole('complementary', { name: 'Selected measurement' }));
    await side.findByText('20.053');
    expect(side.getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual(['Gap left', 'Gap right']);
    expect(await side.findByText('1 file')).toBeTruthy();
    await userEvent.click(side.getByRole('button', { name: 'Next measurement' }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ selected: MIDDLE }));
  });

  it('names what goes before it deletes, and deletes what was checked', async () => {
    const server = doorServer();
    const deleted: string[] = [];
    server.answer('DELETE /dataServiceRest/measurements', ({ url }) => {
      deleted.push(url.searchParams.get('measurementUuids') ?? '');
      return undefined;
    });
    await renderPage(ADDRESS, { server });
    const grid = within(await table());
    for (const box of grid.getAllByRole('checkbox', { name: /Select the measurement/ }).slice(0, 2)) await userEvent.click(box);
    await userEvent.click(await screen.findByRole('button', { name: 'Delete 2…' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByRole('heading').textContent).toBe('Delete 2 measurements?');
    expect(await dialog.findByText('values')).toBeTruthy();
    const confirm = dialog.getByRole('button', { name: 'Delete' });
    expect(confirm.hasAttribute('disabled')).toBe(true);
    await userEvent.type(dialog.getByRole('textbox'), 'delete');
    await userEvent.click(confirm);
    await waitFor(() => expect(deleted).toEqual([`{${NEWEST},${MIDDLE}}`]));
    expect(deleted[0]).not.toContain(OLDEST);
  });

  it('does not offer to delete without the right, and says which is missing', async () => {
    const server = doorServer();
    server.answer('GET /dataServiceRest/permissions', () => ({ userName: 'a', partRights: {}, serverRights: [] }));
    await renderPage(`${ADDRESS}?selected=${NEWEST}`, { server });
    expect(await screen.findByText('The right measurement:write is missing for this part.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Delete 1…' }).hasAttribute('disabled')).toBe(true);
  });

  it('offers the measurements below a part that has none', async () => {
    const server = doorServer();
    server.answer('GET /dataServiceRest/measurements', () => []);
    const { router } = await renderPage(ADDRESS, { server });
    await userEvent.click(await screen.findByRole('button', { name: 'Show those below' }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ deep: true }));
  });

  it('says what is wrong when the list cannot be read', async () => {
    const server = doorServer();
    server.answer('GET /dataServiceRest/measurements', () => refusal(400, 'InvalidRequest', 'The condition names no attribute.'));
    await renderPage(ADDRESS, { server, language: 'de' });
    expect((await screen.findByRole('alert')).textContent).toContain('The condition names no attribute.');
  });
});
