import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { cuttableProxy, describeWithChromium, type CuttableProxy } from '@sinebar/testing';
import { contentShown, type WatchedPage } from '@sinebar/testing/browser';
import type { Page } from 'playwright-core';
import { named, pathOf, START_LIMIT_MS, startDemoConsole, type DemoConsole } from './demo-console.fixture.ts';

const LIMIT_MS = 180_000;
/** Longest wait for content, ms: other tests use the processors too. */
const CONTENT_MS = 60_000;
const TWIST = 'Frame twist';
const door = () => named('Car door').uuid;

/** Pages with what each of them shows of the data. */
const PAGES: readonly [name: string, path: () => string, content: RegExp][] = [
  ['start', () => '', /Frame twist/],
  ['wall', () => 'wall?seconds=600', /Frame twist/],
  ['part', () => `parts/${door()}`, /Hinge hole 11/],
  ['measurements of a part', () => `parts/${door()}/measurements`, /measurements, newest first/],
  ['values to enter', () => `parts/${named('Seal ring').uuid}/entry`, /Save measurement/],
  ['files of a part', () => `parts/${door()}/files`, /car-door\.jpg/],
  ['notes of a part', () => `parts/${door()}/notes`, /Notes/],
  ['plan of a part', () => `parts/${door()}/plan`, /Parts below/],
  ['characteristic', () => pathOf(TWIST), /No, it drifts/],
  ['chart', () => `${pathOf(TWIST)}/chart`, /Freeze from the view/],
  ['comparison', () => `compare?characteristics=${named('Gap A-pillar 01').uuid},${named('Gap A-pillar 02').uuid}`, /Spearman/],
  ['attribute definitions', () => 'administration/definitions', /Part number/],
  ['catalogs', () => 'administration/catalogs', /Machine/],
  ['import', () => 'import', /Drop files here|Choose files/],
];
/** What Chromium reports of a lost server, and of one that everything is asked of at once when it is back. */
const LOST = /ERR_(CONNECTION|SOCKET|EMPTY)|WebSocket connection|\b503\b/;
/** Sentences that say that there is nothing; none may stand on a page whose server is lost. */
const NOTHING = new RegExp(
  [
    'There (is no part|are no (notes|measurements) here)',
    'has no (characteristics|values|measurements)',
    'No file is here',
    '(no number|not measured) yet',
    'is empty',
  ].join('|'),
  'i',
);

describeWithChromium('the console without its server', () => {
  let demo: DemoConsole;
  let proxy: CuttableProxy;
  let origin: string;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    demo = await startDemoConsole();
    proxy = await cuttableProxy('127.0.0.1', Number(new URL(demo.url).port));
    origin = `http://127.0.0.1:${proxy.port}`;
  }, START_LIMIT_MS);
  afterAll(async () => {
    await demo?.stop();
    await proxy?.close();
  }, LIMIT_MS);
  const open = async () => {
    watched = await demo.open({ origins: [origin], expected: LOST });
    ({ page } = watched);
    page.setDefaultTimeout(CONTENT_MS);
  };
  afterEach(() => {
    proxy.restore();
    expect(watched.problems.splice(0)).toEqual([]);
  });

  describe('on a page that is open', () => {
    beforeAll(open, LIMIT_MS);
    afterAll(() => watched.close(), LIMIT_MS);

    it.each(PAGES)(
      'keeps what %s shows, says so, and is back by itself',
      async (_name, path, content) => {
        await page.goto(`${origin}/console/${path()}`);
        await contentShown(page);
        const shown = page.locator('main, body').first().getByText(content).first();
        await shown.waitFor();
        const before = await page.locator('h1').first().innerText();
        proxy.cut();
        await page
          .getByText(/^No connection to the server since/)
          .first()
          .waitFor();
        expect(await page.locator('h1').first().innerText()).toBe(before);
        expect(await shown.isVisible()).toBe(true);
        proxy.restore();
        await page
          .getByText(/^No connection to the server since/)
          .first()
          .waitFor({ state: 'detached' });
        await contentShown(page);
        expect(await shown.isVisible()).toBe(true);
      },
      LIMIT_MS,
    );
  });

  describe('in a browser that has no script of the page yet', () => {
    beforeEach(open, LIMIT_MS);
    afterEach(() => watched.close(), LIMIT_MS);

    it.each(PAGES)(
      'opens %s without a claim that nothing is there, and fills it once the server is back',
      async (_name, path, content) => {
        await page.goto(`${origin}/console/administration/health`);
        await contentShown(page);
        proxy.cut();
        // This address is opened inside of the page; its script is not there yet.
        await page.evaluate(
          `history.pushState(null, '', ${JSON.stringify(`/console/${path()}`)}); dispatchEvent(new PopStateEvent('popstate'))`,
        );
        await page
          .getByText(/^No connection to the server since/)
          .first()
          .waitFor();
        expect(await page.locator('main, body').first().innerText()).not.toMatch(NOTHING);
        proxy.restore();
        await page.locator('main, body').first().getByText(content).first().waitFor();
      },
      LIMIT_MS,
    );
  });
});
