import type { Page } from 'playwright-core';

/** Waits until a page of the console has a heading and no pane is loading. */
export async function contentShown(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  const loading = ['Loading', 'Wird geladen'].map((label) => `[role="status"][aria-label="${label}"]`);
  await page
    .locator([...loading, '[aria-busy="true"]'].join())
    .first()
    .waitFor({ state: 'detached' });
}
