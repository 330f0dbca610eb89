import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FACTORY_PARTS, WIDE_PART } from '@sinebar/program/demo';
import { describeWithChromium, eventually, type OwnProduct } from '@sinebar/testing';
import { contentShown, launchChromium, openWatchedPage, type WatchedPage } from '@sinebar/testing/browser';
import type { Browser } from 'playwright-core';
import { startWorld } from '../worlds/world.fixture.ts';

const LIMIT_MS = 90_000;
/** Time limit for a database, and the data of a world, on a loaded machine. */
const START_LIMIT_MS = 300_000;
/** Content of A4 with the margins of the report, px. */
const A4 = { width: 703, height: 1000 };

interface Item {
  uuid: string;
  characteristics: readonly { uuid: string }[];
}

/** Every route of the console, with a part and one of its characteristics. */
function pagesOf({ uuid, characteristics }: Item): string[] {
  const part = `parts/${uuid}`;
  const characteristic = `${part}/characteristics/${characteristics[0]!.uuid}`;
  const compared = characteristics.slice(0, 3).map((each) => each.uuid);
  return [
    ...['', 'wall', 'measurements', 'files', 'import', 'live', 'nowhere'],
    ...['definitions', 'catalogs', 'health', 'rights'].map((page) => `administration/${page}`),
    ...['', '/measurements', '/entry', '/files', '/notes', '/plan'].map((view) => `${part}${view}`),
    ...['', '/chart', '/measurements', '/files', '/plan'].map((view) => `${characteristic}${view}`),
    `compare?characteristics=${compared.join(',')}`,
  ];
}

/** Visible controls: names that are buttons of a table or list are text on paper. */
const CONTROLS = `[...document.querySelectorAll('button, select, [type=checkbox], [type=radio], [type=search], [role=tree], header nav')]
  .filter((e) => !e.matches('th button, li button, [data-paper]') && e.checkVisibility()).map((e) => e.outerHTML.slice(0, 160))`;
const TITLES = `[...document.querySelectorAll('h1')].filter((e) => e.checkVisibility() && e.getBoundingClientRect().width > 1)
  .map((e) => e.textContent)`;
/** What the right edge of the paper, or of a box that scrolls, cuts. */
const CUT = `[document.documentElement, ...document.querySelectorAll('main *')]
  .filter((e) => e.checkVisibility() && (e === document.documentElement || /auto|scroll/.test(getComputedStyle(e).overflowX)))
  .filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.outerHTML.slice(0, 160))`;
/** Takes the place of `print`: it notes the names of the rows on paper. */
const PRINT_AS_NAMES = `window.print = () => {
  dispatchEvent(new Event('beforeprint'));
  globalThis.printed = [...document.querySelectorAll('tbody th')].map((name) => name.textContent);
  dispatchEvent(new Event('afterprint'));
}`;
const COLOURS = `(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.documentElement))`;

describeWithChromium('a page of the factory on paper', () => {
  let product: OwnProduct;
  let browser: Browser;
  let watched: WatchedPage;

  beforeAll(async () => {
    product = await startWorld('factory');
    browser = await launchChromium();
    watched = await openWatchedPage(browser, { origins: [product.url], locale: 'en-GB', colorScheme: 'dark' });
  }, START_LIMIT_MS);
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  }, LIMIT_MS);

  it.each(pagesOf(FACTORY_PARTS[2]!))(
    'has a title, no controls, and nothing that is cut, in the dark theme too: %s',
    async (path) => {
      const { page, problems } = watched;
      await page.emulateMedia({ media: 'screen' });
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(`${product.url}/console/${path}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
      await contentShown(page);
      await page.evaluate(`document.documentElement.dataset.theme = 'dark'`);
      // Charts take the width of the paper.
      await page.setViewportSize(A4);
      await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
      await page.emulateMedia({ media: 'print' });
      expect(await page.evaluate(TITLES)).toEqual([expect.stringMatching(/\S/)]);
      expect(await page.evaluate(CONTROLS)).toEqual([]);
      expect(await page.evaluate(CUT)).toEqual([]);
      expect(await page.evaluate(COLOURS)).toEqual(['rgb(20, 23, 26)', 'rgb(255, 255, 255)']);
      const codes = page.locator('footer svg');
      expect(await codes.count()).toBe(/characteristics\/[^/]+(\/chart)?$|compare/.test(path) ? 1 : 0);
      expect(problems.splice(0)).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'has all 2,000 rows of a long table, which are read first',
    async () => {
      const { page, problems } = watched;
      await page.emulateMedia({ media: 'screen' });
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(`${product.url}/console/parts/${WIDE_PART.uuid}`);
      await contentShown(page);
      // A window without a screen prints nothing; the page is drawn as for paper.
      await page.evaluate(PRINT_AS_NAMES);
      await page.keyboard.press('Control+p');
      await eventually(() => page.evaluate<boolean>('globalThis.printed !== undefined'), { timeoutMs: LIMIT_MS });
      const names = await page.evaluate<string[]>('globalThis.printed');
      expect(names).toHaveLength(WIDE_PART.characteristics.length);
      expect(new Set(names).size).toBe(2000);
      expect(await page.locator('tbody th').count()).toBeLessThan(100);
      expect(problems.splice(0)).toEqual([]);
    },
    LIMIT_MS,
  );
});
