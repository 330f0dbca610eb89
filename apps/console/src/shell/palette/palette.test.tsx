import { beforeAll, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { DOOR, doorServer } from '../../testing/door.fixture';
import { layOut } from '../../testing/layout.fixture';
import { renderPage } from '../../testing/render.fixture';

beforeAll(layOut);

const UUID = '0f000000-0000-4000-8000-00000000000a';

/** Opens the palette by its keys; the server keeps the conditions and filters that it was asked. */
async function open(address = '/files') {
  const server = doorServer();
  const asked: string[] = [];
  server.answer('GET /dataServiceRest/measurements', ({ url }) => {
    const condition = url.searchParams.get('searchCondition') ?? '';
    asked.push(condition);
    if (!condition.startsWith('14')) return [];
    return [{ uuid: UUID, partUuid: DOOR, attributes: { 4: '2026-05-08T10:00:00Z', 14: 'SN-4711' }, lastModified: '', created: '' }];
  });
  server.answer('GET /dataServiceRest/measurements/count', ({ url }) => {
    asked.push(url.searchParams.get('searchCondition') ?? '');
    return { count: 1234 };
  });
  for (const entity of ['Part', 'Characteristic', 'Measurement'])
    server.answer(`GET /rawDataServiceRest/rawDataInformation/${entity}`, ({ url }) => {
      asked.push(url.searchParams.get('filter') ?? '');
      return entity === 'Part' && url.searchParams.has('filter')
        ? [
            {
              target: { entity: 'Part', uuid: DOOR },
              key: 0,
              fileName: "o'door.png",
              mimeType: 'image/png',
              size: 10,
              lastModified: '',
              md5: '',
            },
          ]
        : [];
    });
  const rendered = await renderPage(address, { server });
  return { ...rendered, asked };
}
const palette = async () => within(await screen.findByRole('dialog', { name: 'Find or go to' }));

describe('the palette', () => {
  it('opens from a field, and finds a serial number', async () => {
    const { router, asked } = await open();
    await userEvent.click(await screen.findByRole('searchbox', { name: 'Filter by name' }));
    await userEvent.keyboard('{Control>}k{/Control}');
    const found = await palette();
    await userEvent.type(await found.findByRole('combobox'), '4711');
    const option = await found.findByRole('option', { name: /4711/ });
    expect(option.textContent).toContain('Serial no. · Car door');
    expect(asked).toEqual(expect.arrayContaining(['14In[4711]', '14Like[%4711%]']));
    await userEvent.click(option);
    await waitFor(() => expect(router.state.location.pathname).toBe(`/measurements/${UUID}`));
  });

  it('finds files by their names', async () => {
    const { router, asked } = await open('/');
    await userEvent.keyboard('{Control>}k{/Control}');
    const found = await palette();
    await userEvent.type(await found.findByRole('combobox'), "o'door");
    await userEvent.click(await found.findByRole('option', { name: /o'door/ }));
    expect(asked).toContain("FileName like '*o''door*'");
    await waitFor(() => expect(router.state.location.search).toMatchObject({ of: 'all', find: "o'door.png" }));
  });

  it('finds the measurements of a day', async () => {
    const { router, asked } = await open();
    await userEvent.keyboard('{Control>}k{/Control}');
    const found = await palette();
    await userEvent.type(await found.findByRole('combobox'), '2026-05-08');
    const option = await found.findByRole('option', { name: /Measurements of 8 May 2026/ });
    await waitFor(() => expect(option.textContent).toContain('1,234'));
    const condition = `4>=[${new Date(2026, 4, 8).toISOString()}]+4<[${new Date(2026, 4, 9).toISOString()}]`;
    expect(asked).toContain(condition);
    await userEvent.click(option);
    await waitFor(() => expect(router.state.location.search).toMatchObject({ searchCondition: condition }));
  });
});
