import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { SinebarClient } from '@sinebar/client';
import { describeWithChromium, eventually, startEmptyProduct } from '@sinebar/testing';
import { accessibilityProblems, contentShown, launchChromium, openWatchedPage, type WatchedPage } from '@sinebar/testing/browser';
import type { Browser, Page } from 'playwright-core';
import { makeAlarmedPlant, type AlarmedPlant } from './alarmed-plant.fixture.ts';
import { START_LIMIT_MS } from './demo-console.fixture.ts';

const LIMIT_MS = 120_000;
/** Longest wait for content, ms: other tests use the processors too. */
const CONTENT_MS = 60_000;
const PHONE = { width: 360, height: 780 };
const FITS = 'document.documentElement.scrollWidth <= innerWidth';

describeWithChromium('the inbox of alarms in the browser', () => {
  let product: Awaited<ReturnType<typeof startEmptyProduct>>;
  let client: SinebarClient;
  let plant: AlarmedPlant;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;
  const rows = () => page.getByRole('grid', { name: 'Alarms, newest first' }).getByRole('rowheader');

  beforeAll(async () => {
    product = await startEmptyProduct();
    client = new SinebarClient({ url: product.url });
    plant = await makeAlarmedPlant(client);
    browser = await launchChromium();
  }, START_LIMIT_MS);
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  }, LIMIT_MS);
  beforeEach(async () => {
    watched = await openWatchedPage(browser, { origins: [product.url], locale: 'en-GB', viewport: { width: 1440, height: 900 } });
    ({ page } = watched);
    page.setDefaultTimeout(CONTENT_MS);
  }, LIMIT_MS);
  afterEach(async () => {
    await watched?.close();
    expect(watched.problems).toEqual([]);
  });

  it(
    'shows a value out of tolerance by itself, and is left by keyboard when the cause is named',
    async () => {
      await page.goto(`${product.url}/console/alarms`);
      await page.getByText('No alarm is open.').waitFor();
      await page.getByRole('button', { name: /^live/ }).waitFor();
      await plant.measure('20.06340000001');
      await rows().filter({ hasText: 'Spalt links' }).waitFor();
      await page.getByRole('link', { name: '1 open alarm' }).waitFor();
      expect(await rows().innerText()).toContain('Above the upper tolerance limit');
      await page.getByText('20.06340000001 mm').first().waitFor();
      expect(await accessibilityProblems(page, 'html')).toEqual([]);

      await page.keyboard.press('j');
      await page.keyboard.press('c');
      await page.getByRole('dialog', { name: 'Close this alarm' }).getByRole('combobox', { name: 'Cause' }).waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Control+A');
      await page.keyboard.type('worn');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Control+A');
      await page.keyboard.type('tool changed');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await page.keyboard.type('Insert 3.');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');

      await page.getByText('No alarm is open.').waitFor();
      await page.getByRole('link', { name: /open alarm/ }).waitFor({ state: 'detached' });
      const [closed] = await client.alarms.list();
      expect(closed).toMatchObject({ state: 'closed', causeText: 'Tool worn', actionText: 'Tool changed', note: 'Insert 3.' });
    },
    LIMIT_MS,
  );

  it(
    'is reached from the flag on the chart, and fits a phone and a dark page',
    async () => {
      const { partUuid, characteristicUuid } = plant;
      await plant.measure('19.91');
      await eventually(async () => (await client.alarms.count({ state: ['raised'] })) === 1, { timeoutMs: CONTENT_MS });
      await page.goto(`${product.url}/console/parts/${partUuid}/characteristics/${characteristicUuid}`);
      await contentShown(page);
      const section = page.getByRole('region', { name: 'Alarms' });
      await section.getByText('Below the lower tolerance limit').waitFor();
      expect(await page.locator('title', { hasText: 'Alarm: Below the lower tolerance limit' }).count()).toBeGreaterThan(0);
      await section.getByRole('link', { name: /Below the lower tolerance limit/ }).click();
      await page.getByRole('complementary', { name: 'Selected alarm' }).getByText('19.95 … 20.05').waitFor();

      await page.evaluate(`document.documentElement.dataset.theme = 'dark'`);
      expect(await accessibilityProblems(page, 'main', ['color-contrast'])).toEqual([]);
      await page.setViewportSize(PHONE);
      await contentShown(page);
      expect(await page.evaluate(FITS)).toBe(true);
      expect(await accessibilityProblems(page, 'main', ['target-size', 'button-name', 'link-name', 'label'])).toEqual([]);
      await page.getByRole('link', { name: '1 open alarm' }).waitFor();
    },
    LIMIT_MS,
  );

  it(
    'says on the pages of subscriptions and messages what the server lacks',
    async () => {
      await page.goto(`${product.url}/console/administration/subscriptions`);
      await page.getByText('SINEBAR_SMTP_URL').first().waitFor();
      expect(await accessibilityProblems(page, 'main')).toEqual([]);
      await page.getByRole('button', { name: 'New subscription…' }).click();
      await page.getByRole('dialog', { name: 'New subscription' }).waitFor();
      expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
      await page.keyboard.press('Escape');
      await page.goto(`${product.url}/console/administration/deliveries`);
      await page.getByText('No message was sent yet.').waitFor();
      expect(await accessibilityProblems(page, 'main')).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'lists 2,000 alarms of one measurement, scrolls to the last, and takes all of them at once',
    async () => {
      await plant.addWideFailure(2000);
      const path = '/Door';
      await eventually(async () => (await client.alarms.count({ partPath: path, state: ['raised'] })) === 2000, { timeoutMs: CONTENT_MS });
      await page.goto(`${product.url}/console/alarms`);
      const grid = page.getByRole('grid', { name: 'Alarms, newest first' });
      const size = async () => Number(await grid.getAttribute('aria-rowcount'));
      await grid.focus();
      // The list is read in parts, which follow when their last rows come into view.
      await eventually(
        async () => {
          await page.keyboard.press('End');
          return (await size()) > 2000;
        },
        { timeoutMs: CONTENT_MS },
      );
      expect(await page.getByText('that are not shown').count()).toBe(0);
      await grid.getByRole('checkbox').first().click();
      await page.getByRole('button', { name: /^Acknowledge 2,00\d$/ }).waitFor();
    },
    LIMIT_MS,
  );
});
