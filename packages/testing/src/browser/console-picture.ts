import type { Browser } from 'playwright-core';
import { openWatchedPage } from './page-watch.js';
import { contentShown } from './shown-content.js';

export interface PictureOptions {
  /** Address below `/console/`. */
  path: string;
  theme: 'light' | 'dark';
  viewport: { width: number; height: number };
  /** Name of a button that is pressed before the picture is taken. */
  press?: RegExp;
}

/** Takes a picture of a page of the console, as PNG, once nothing on it is loading. */
export async function consolePicture(browser: Browser, url: string, { path, theme, viewport, press }: PictureOptions): Promise<Buffer> {
  const opened = await openWatchedPage(browser, { origins: [url], viewport, colorScheme: theme, locale: 'en-GB' });
  const { page } = opened;
  try {
    await page.goto(`${url}/console/${path}`);
    await contentShown(page);
    if (press) await page.getByRole('button', { name: press }).click();
    // Previews and live state come after the content.
    await page.waitForLoadState('networkidle');
    return await page.screenshot();
  } finally {
    await opened.close();
  }
}
