import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
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
/** What Chromium and the loader of the page report of a lost server, and of one that everything is asked of at once when it is back. */
const LOST = /ERR_(CONNECTION|SOCKET|EMPTY)|WebSocket connection|Unable to preload CSS|\b503\b/;
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

const NO_CONNECTION = /^No connection to the server since/;

describeWithChromium('the console without its server', () => {
  let demo: DemoConsole;
  let proxy: CuttableProxy;
  let origin: string;
  let opened: (readonly [name: string, watched: WatchedPage, path: string, content: RegExp])[];

  beforeAll(async () => {
    demo = await startDemoConsole();
    proxy = await cuttableProxy('127.0.0.1', Number(new URL(demo.url).port));
    origin = `http://127.0.0.1:${proxy.port}`;
  }, START_LIMIT_MS);
  afterAll(async () => {
    await demo?.stop();
    await proxy?.close();
  }, LIMIT_MS);
  beforeEach(async () => {
    opened = await Promise.all(
      PAGES.map(async ([name, path, content]) => {
        const watched = await demo.open({ origins: [origin], expected: LOST });
        watched.page.setDefaultTimeout(CONTENT_MS);
        return [name, watched, path(), content] as const;
      }),
    );
  }, LIMIT_MS);
  afterEach(async () => {
    proxy.restore();
    for (const [, watched] of opened) await watched.close();
    expect(opened.flatMap(([name, { problems }]) => problems.map((problem) => `${name}: ${problem}`))).toEqual([]);
  }, LIMIT_MS);

  /** Does the same on all pages at once; they lose their server together. @throws Error that names the pages where it fails */
  async function onEachPage(act: (page: Page, path: string, content: RegExp) => Promise<void>): Promise<void> {
    const failures: string[] = [];
    await Promise.all(
      opened.map(([name, { page }, path, content]) =>
        act(page, path, content).catch((error: Error) => failures.push(`${name}: ${error.message}`)),
      ),
    );
    expect(failures).toEqual([]);
  }
  const textOf = (page: Page, text: RegExp) => page.locator('main, body').first().getByText(text).first();
  const warningOf = (page: Page) => page.getByText(NO_CONNECTION).first();

  it(
    'keeps what an open page shows, says so, and is back by itself',
    async () => {
      const headings = new Map<Page, string>();
      const headingOf = (page: Page) => page.locator('h1').first().innerText();
      await onEachPage(async (page, path, content) => {
        await page.goto(`${origin}/console/${path}`);
        await contentShown(page);
        await textOf(page, content).waitFor();
        headings.set(page, await headingOf(page));
      });
      proxy.cut();
      await onEachPage(async (page, _path, content) => {
        await warningOf(page).waitFor();
        expect(await headingOf(page)).toBe(headings.get(page));
        expect(await textOf(page, content).isVisible()).toBe(true);
      });
      proxy.restore();
      await onEachPage(async (page, _path, content) => {
        await warningOf(page).waitFor({ state: 'detached' });
        await contentShown(page);
        expect(await textOf(page, content).isVisible()).toBe(true);
      });
    },
    LIMIT_MS,
  );

  it(
    'opens a page whose script the browser lacks without a claim that nothing is there, and fills it once the server is back',
    async () => {
      await onEachPage(async (page) => {
        await page.goto(`${origin}/console/administration/health`);
        await contentShown(page);
      });
      proxy.cut();
      await onEachPage(async (page, path) => {
        // This address is opened inside of the page.
        const address = JSON.stringify(`/console/${path}`);
        await page.evaluate(`history.pushState(null, '', ${address}); dispatchEvent(new PopStateEvent('popstate'))`);
        await warningOf(page).waitFor();
        expect(await page.locator('main, body').first().innerText()).not.toMatch(NOTHING);
      });
      proxy.restore();
      await onEachPage((page, _path, content) => textOf(page, content).waitFor());
    },
    LIMIT_MS,
  );
});
