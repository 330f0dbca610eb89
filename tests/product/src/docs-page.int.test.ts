import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithChromium, eventually, startEmptyProduct } from '@sinebar/testing';
import { launchChromium, openWatchedPage, type WatchedPage } from '@sinebar/testing/browser';
import type { Browser } from 'playwright-core';

/** Time limit for a browser and a database that start on a loaded machine. */
const LIMIT_MS = 120_000;

/** One call of each document that needs only the address. */
const CALLS = [
  { document: 'Inspection plan and measurements', path: '/dataServiceRest/serviceInformation', answer: /"serverName"/ },
  { document: 'Files', path: '/rawDataServiceRest/serviceInformation', answer: /"version"/ },
  { document: 'Events', path: '/eventServiceRest/changes', answer: /"next"/ },
];

describeWithChromium('the page at /docs', () => {
  let product: Awaited<ReturnType<typeof startEmptyProduct>>;
  let browser: Browser;
  /** Shared by the tests, because it draws all requests, which takes seconds. */
  let watched: WatchedPage;

  beforeAll(async () => {
    product = await startEmptyProduct();
    const { url } = product;
    browser = await launchChromium();
    watched = await openWatchedPage(browser, { origins: [url] });
    watched.page.setDefaultTimeout(LIMIT_MS / 2);
    await watched.page.goto(`${url}/docs`);
  }, 2 * LIMIT_MS);
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  }, LIMIT_MS);

  it.each(CALLS)(
    'runs a request of $document without blocked or external resources [D1.1]',
    async ({ document, path, answer }) => {
      const { page, problems } = watched;
      await page.locator('.topbar select').selectOption({ label: document });
      const call = page.locator('.opblock-get', { has: page.locator(`[data-path="${path}"]`) });
      await call.locator('.opblock-summary-control').click();
      await call.getByRole('button', { name: 'Try it out' }).click();
      await call.getByRole('button', { name: 'Execute' }).click();
      const live = call.locator('.live-responses-table');
      expect(await live.locator('tbody .response-col_status').first().innerText()).toMatch(/^200\b/);
      expect(await live.locator('.response-col_description').last().innerText()).toMatch(answer);
      expect(problems).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'has a policy that blocks inline styles, which is tested here',
    async () => {
      const { page, problems } = watched;
      problems.length = 0;
      await page.addStyleTag({ content: 'body { color: red }' }).catch(() => undefined);
      await eventually(() => expect(problems).toContainEqual(expect.stringMatching(/Content Security Policy/)));
    },
    LIMIT_MS,
  );
});
