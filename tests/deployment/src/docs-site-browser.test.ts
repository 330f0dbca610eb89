import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithChromium } from '@sinebar/testing';
import { accessibilityProblems, launchChromium, openWatchedPage, type WatchOptions } from '@sinebar/testing/browser';
import type { Browser, Page } from 'playwright-core';

/** Axe asks for the styles of the page itself, which the policy of the page forbids. */
const ASKED_BY_AXE = /connect-src|site\.css, csp$|preload assets/;
const ROOT = join(import.meta.dirname, '../../..');

describeWithChromium('the site of the documentation, opened from a folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sinebar-docs-'));
  const addressOf = (page: string) => pathToFileURL(join(folder, 'site', page)).href;
  let browser: Browser;

  beforeAll(async () => {
    execFileSync(process.execPath, [join(ROOT, 'scripts/site/site.mjs'), join(folder, 'site')], { cwd: ROOT });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  /** Opens a page; requests to any address of the network are problems. */
  async function withSite(page: string, options: Omit<WatchOptions, 'origins'>, use: (page: Page) => Promise<void>): Promise<void> {
    const watched = await openWatchedPage(browser, { origins: [], expected: ASKED_BY_AXE, reducedMotion: 'reduce', ...options });
    try {
      await watched.page.goto(addressOf(page));
      await use(watched.page);
      expect(watched.problems).toEqual([]);
    } finally {
      await watched.close();
    }
  }
  const isWiderThanScreen = (page: Page) => page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');

  it.each([
    ['index.html', 'light', 1440],
    ['docs/analysis.html', 'dark', 1440],
    ['docs/console.html', 'dark', 390],
    ['docs/comparison.html', 'light', 390],
  ] as const)('shows %s, %s, in %d px without a finding of axe and without scrolling sideways', async (file, colorScheme, width) => {
    await withSite(file, { colorScheme, viewport: { width, height: 900 } }, async (page) => {
      expect(await accessibilityProblems(page, 'body')).toEqual([]);
      expect(await isWiderThanScreen(page)).toBe(false);
    });
  });

  it('finds sections while one types, also with a typing error, and opens the first by the keyboard', async () => {
    await withSite('docs/guides/index.html', {}, async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('webhook python');
      const first = page.locator('#found a').first();
      await first.waitFor();
      expect(await first.textContent()).toContain('Receive a webhook');
      expect(await accessibilityProblems(page, 'body')).toEqual([]);
      await page.locator('#search').fill('capabilty');
      await page.locator('#found a', { hasText: 'capable' }).first().waitFor();
      await page.locator('#search').fill('xyzzyplugh');
      await page.locator('#found', { hasText: 'No page has' }).waitFor();
      await page.locator('#search').fill('receive a webhook');
      await page.locator('#found a', { hasText: 'Receive a webhook' }).first().waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(/receive-a-webhook/);
    });
  });

  it.each([
    ['alarm', 'Alarms, for people who write clients'],
    ['import', 'Import a thousand measurements'],
    ['report', 'Reports'],
  ])('finds for %j a page for those who use the product before decisions and the specification', async (words, title) => {
    await withSite('index.html', {}, async (page) => {
      await page.locator('#search').fill(words);
      const first = page.locator('#found .where').first();
      await first.waitFor();
      expect(await first.textContent()).toBe(title);
    });
  });

  it('keeps the chosen theme on the next page', async () => {
    await withSite('index.html', { colorScheme: 'light' }, async (page) => {
      const paper = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
      const light = await paper();
      await page.getByRole('button', { name: 'Use the dark theme' }).click();
      const dark = await paper();
      expect(dark).not.toBe(light);
      await page.goto(addressOf('docs/install.html'));
      expect(await paper()).toBe(dark);
    });
  });

  it('copies a block of code as it stands', async () => {
    await withSite('docs/install.html', { permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await page.locator('.code').first().hover();
      await page.getByRole('button', { name: 'Copy' }).first().click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toContain('npx sinebar ');
    });
  });

  it('opens the list of pages on a telephone', async () => {
    await withSite('docs/install.html', { viewport: { width: 390, height: 800 } }, async (page) => {
      const link = page.locator('#navigation').getByRole('link', { name: 'The console', exact: true });
      expect(await link.isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Menu' }).click();
      await link.click();
      await page.waitForURL(/console\.html$/);
    });
  });

  it('can be read without scripts', async () => {
    await withSite('docs/install.html', { javaScriptEnabled: false, viewport: { width: 390, height: 800 } }, async (page) => {
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Install a release');
      expect(await page.locator('#navigation').getByRole('link', { name: 'The console', exact: true }).isVisible()).toBe(true);
    });
  });
});
