import { beforeAll, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { characteristics, doorServer, NEWEST } from '../../testing/door.fixture';
import { withElementWidth } from '../../testing/element-size.fixture';
import { layOut } from '../../testing/layout.fixture';
import { renderPage } from '../../testing/render.fixture';

beforeAll(layOut);
beforeAll(() => withElementWidth(358));

it('shows on a phone the deviation beside an asymmetric tolerance, whose sides stand in two lines', async () => {
  const server = doorServer();
  const asymmetric = characteristics.map((each) => ({ ...each, attributes: { ...each.attributes, 2111: '20.0340' } }));
  server.answer('GET /dataServiceRest/characteristics', () => asymmetric);
  await renderPage(`/measurements/${NEWEST}`, { server, language: 'de' });
  const grid = within(await screen.findByRole('grid', { name: 'Werte' }));
  expect(grid.getAllByRole('columnheader').map((head) => head.textContent)).toEqual(
    expect.arrayContaining(['Toleranz', 'Gemessen', 'Abw.']),
  );
  const row = within(grid.getByRole('row', { name: /Gap left/ }));
  // A space that breaks stands before the second side.
  expect(row.getByText(/…/).textContent).toBe('−0,050\u00A0… +0,034');
  expect(row.getByText('+0,053')).toBeTruthy();
});
