import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { renderPage } from './testing/render.fixture';

describe('the routes', () => {
  it.each([
    ['/live', 'en', 'Live'],
    ['/administration/catalogs', 'de', 'Kataloge'],
  ] as const)('show the page of %s in %s', async (address, language, title) => {
    await renderPage(address, { language });
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(title);
  });

  it('lead from the administration to its first page', async () => {
    const { router } = await renderPage('/administration');
    expect(router.state.location.pathname).toBe('/administration/definitions');
  });
});
