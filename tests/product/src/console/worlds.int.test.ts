import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FACTORY_PARTS, LONG_PART, PARTS, WIDE_PART } from '@sinebar/program/demo';
import { describeWithChromium, eventually, type OwnProduct } from '@sinebar/testing';
import { contentShown, launchChromium, openWatchedPage, type WatchedPage } from '@sinebar/testing/browser';
import type { Browser } from 'playwright-core';
import { startWorld, type WorldName } from '../worlds/world.fixture.ts';
import { englishTextsIn, storedNames } from './english-words.fixture.ts';
import { expectGoodPaper, printedNames } from './paper.fixture.ts';

const LIMIT_MS = 90_000;
/** Time limit for a database, and the data of a world, on a loaded machine. */
const START_LIMIT_MS = 300_000;
/** Widths of a desk, a laptop, the desk at 200 % zoom (narrower than a tablet) and a phone, px. */
const WIDTHS = [1440, 1280, 720, 390];
const HEIGHT = 900;
/** Least height of what a thumb presses, px, without its border. */
const THUMB = 42;
/** Longest time in which a page takes the width of its window, ms. */
const SETTLE_MS = 5000;

interface Item {
  uuid: string;
  characteristics: readonly { uuid: string }[];
}
const pageOf = ({ uuid }: Item, index: number, { characteristics }: Item) =>
  `parts/${uuid}/characteristics/${characteristics[index]!.uuid}`;

/** Pages of a part and of its characteristics. */
function pagesOf(part: Item): string[] {
  const characteristic = pageOf(part, 0, part);
  const compared = part.characteristics.slice(0, 4).map(({ uuid }) => uuid);
  return [
    ...['', '/measurements', '/entry', '/drawing', '/files', '/notes', '/plan'].map((view) => `parts/${part.uuid}${view}`),
    `wall?part=${part.uuid}&seconds=600`,
    ...['', '/chart', '/measurements', '/files', '/plan'].map((view) => `${characteristic}${view}`),
    `${characteristic}?split=10`,
    `compare?characteristics=${compared.join(',')}&split=8`,
    `parts/${part.uuid}/measurements?split=10`,
  ];
}

const COMMON = ['', 'wall', 'alarms', 'alarms?told=all&state=all', 'measurements', 'files', 'import', 'live', 'compare', 'nowhere'];
const ADMINISTRATION = ['definitions', 'catalogs', 'subscriptions', 'deliveries', 'health', 'rights'].map(
  (page) => `administration/${page}`,
);
const judged = FACTORY_PARTS[2]!;
const WORLDS: Record<WorldName, readonly string[]> = {
  door: [...COMMON, ...ADMINISTRATION, ...pagesOf(PARTS[0]!)],
  factory: [
    ...COMMON,
    ...ADMINISTRATION,
    ...pagesOf(judged),
    // Every kind of characteristic, and those with the most.
    ...judged.characteristics.map((_, index) => pageOf(judged, index, judged)),
    `parts/${WIDE_PART.uuid}`,
    `parts/${WIDE_PART.uuid}/entry`,
    `parts/${WIDE_PART.uuid}/files`,
    pageOf(LONG_PART, 0, LONG_PART),
    `${pageOf(LONG_PART, 0, LONG_PART)}/chart`,
  ],
};

const FITS = 'document.documentElement.scrollWidth <= innerWidth';
/** Elements that lie beyond the right edge of the window, for the message of a failure. */
const BEYOND = `[...document.querySelectorAll('main *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 3)
  .map((e) => e.outerHTML.slice(0, 120))`;
/** Buttons and fields that are lower than a thumb; those in tables stay as low as their rows let them. */
const LOW = `[...document.querySelectorAll('header button, main button, main select, main input:not([type=checkbox])')]
  .filter((e) => !e.closest('table') && e.offsetParent !== null && e.getBoundingClientRect().height > 0)
  .filter((e) => e.getBoundingClientRect().height < ${THUMB - 0.5}).slice(0, 5).map((e) => e.outerHTML.slice(0, 160))`;

/** Heads of tables, and names that take several lines on a phone, that are cut nevertheless. */
const CUT = `[...document.querySelectorAll('main thead th, main [class*="_wrapped_"]')].filter((e) => e.scrollWidth > e.clientWidth + 1)
  .slice(0, 5).map((e) => e.textContent)`;

describe.each(Object.entries(WORLDS) as [WorldName, readonly string[]][])('the world %s', (name, pages) => {
  describeWithChromium('in the console', () => {
    let product: OwnProduct;
    let browser: Browser;
    let watched: WatchedPage;
    let englishTexts: ReturnType<typeof englishTextsIn>;

    beforeAll(async () => {
      product = await startWorld(name);
      englishTexts = englishTextsIn(await storedNames(product.url));
      browser = await launchChromium();
      watched = await openWatchedPage(browser, { origins: [product.url], locale: 'de-DE' });
    }, START_LIMIT_MS);
    afterAll(async () => {
      await browser?.close();
      await product?.stop();
    }, LIMIT_MS);

    it.each(pages)(
      'fits into its window and on paper, in German: %s',
      async (path) => {
        const { page, problems } = watched;
        await page.emulateMedia({ media: 'screen' });
        await page.setViewportSize({ width: WIDTHS[0]!, height: HEIGHT });
        await page.goto(`${product.url}/console/${path}`);
        await contentShown(page);
        const beyond: Record<string, unknown> = {};
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: HEIGHT });
          await contentShown(page);
          // Charts follow the width of the window a little later.
          const isWider = await eventually(() => page.evaluate<boolean>(FITS), { timeoutMs: SETTLE_MS }).then(
            () => false,
            () => true,
          );
          if (isWider) beyond[width] = await page.evaluate(BEYOND);
        }
        expect(beyond).toEqual({});
        expect(await page.evaluate(LOW)).toEqual([]);
        expect(await page.evaluate(CUT)).toEqual([]);
        expect(await englishTexts(page)).toEqual([]);
        await expectGoodPaper(page, path);
        expect(problems.splice(0)).toEqual([]);
      },
      LIMIT_MS,
    );

    if (name === 'factory') {
      it(
        'prints all 2,000 rows of a long table, which are read first',
        async () => {
          const { page, problems } = watched;
          await page.emulateMedia({ media: 'screen' });
          await page.setViewportSize({ width: WIDTHS[0]!, height: HEIGHT });
          await page.goto(`${product.url}/console/parts/${WIDE_PART.uuid}`);
          await contentShown(page);
          const names = await printedNames(page, LIMIT_MS);
          expect(names).toHaveLength(WIDE_PART.characteristics.length);
          expect(new Set(names).size).toBe(2000);
          expect(await page.locator('tbody th').count()).toBeLessThan(100);
          expect(problems.splice(0)).toEqual([]);
        },
        LIMIT_MS,
      );
    }
  });
});
