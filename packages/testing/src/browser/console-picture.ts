import type { Page } from 'playwright-core';
import { contentShown } from './shown-content.ts';

export interface PictureOptions {
  /** Address below `/console/`. */
  path: string;
  theme: 'light' | 'dark';
  viewport: { width: number; height: number };
  /** Name of a button that is pressed before the picture is taken. */
  press?: RegExp;
}

/**
 * Takes a picture of a page of the console, as PNG, once nothing on it is loading.
 * @param page may have shown other pages before
 */
export async function consolePicture(page: Page, url: string, { path, theme, viewport, press }: PictureOptions): Promise<Buffer> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme: theme });
  await page.goto(`${url}/console/${path}`);
  await contentShown(page);
  if (press) await page.getByRole('button', { name: press }).click();
  // Previews and live state come after the content.
  await page.waitForLoadState('networkidle');
  return await page.screenshot();
}
