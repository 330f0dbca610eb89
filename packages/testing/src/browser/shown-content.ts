import type { Page } from 'playwright-core';

/** Waits until a page of the console has a heading and no pane is loading. */
export async function contentShown(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('[role="status"][aria-label="Loading"], [aria-busy="true"]').first().waitFor({ state: 'detached' });
}
