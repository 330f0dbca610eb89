import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { describeWithChromium, reportFigures, startEmptyProduct } from '@sinebar/testing';
import { contentShown, launchChromium, openWatchedPage, type WatchedPage } from '@sinebar/testing/browser';
import type { Browser, Locator, Page } from 'playwright-core';
import { START_LIMIT_MS, startDemoConsole, type DemoConsole } from './demo-console.fixture.ts';

const LIMIT_MS = 120_000;
const CONTENT_MS = 15_000;
const SERIAL_NUMBER = 14;
/** A file of a machine: a bore with its limits and two values. */
const MACHINE_FILE = [
  'K0100 1',
  'K1001/1 A-100',
  'K1002/1 Ring',
  'K2001/1 1',
  'K2002/1 Bore',
  'K2101/1 12',
  'K2110/1 11.9',
  'K2111/1 12.1',
  'K2142/1 mm',
  '12.010\u00140\u001405.01.2026/08:30:00\u0014#B7\u00140\u00141\u001423',
  '12.020\u00140\u001405.01.2026/08:31:00\u0014#B7\u00140\u00141\u001423',
].join('\r\n');

/** A reader who does only what a person can, and counts it. */
class Reader {
  private readonly begunMs = performance.now();
  private clicks = 0;
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async click(what: Locator): Promise<void> {
    this.clicks += 1;
    await what.first().click();
  }

  /** A key that opens something counts as a click, typed text does not. */
  async press(key: string): Promise<void> {
    this.clicks += 1;
    await this.page.keyboard.press(key);
  }

  /** The question is answered: notes the time. @returns the clicks */
  answered(question: string): number {
    reportFigures(`${question}: ${this.clicks} clicks, ${((performance.now() - this.begunMs) / 1000).toFixed(1)} s`);
    return this.clicks;
  }
}

describeWithChromium('the five questions of a day', () => {
  let demo: DemoConsole;
  let watched: WatchedPage;
  let page: Page;
  let reader: Reader;

  beforeAll(async () => {
    demo = await startDemoConsole();
  }, START_LIMIT_MS);
  afterAll(() => demo.stop(), LIMIT_MS);
  beforeEach(async () => {
    await watched?.close();
    watched = await demo.open();
    ({ page } = watched);
    page.setDefaultTimeout(CONTENT_MS);
    await page.goto(`${demo.url}/console/`);
    await contentShown(page);
    reader = new Reader(page);
  }, LIMIT_MS);

  const worst = () => page.locator('main header').getByRole('link', { name: 'Frame twist' });

  it(
    'what is worst, and since when: no click',
    async () => {
      await worst().waitFor();
      expect(await page.locator('main header').textContent()).toMatch(/the mean has moved from \S+ to \S+ since \d/);
      expect(reader.answered('what is worst and since when')).toBe(0);
    },
    LIMIT_MS,
  );

  it(
    'is it capable, on paper for a customer: at most three',
    async () => {
      await page.evaluate('window.print = () => (window.isPrinted = true)');
      await reader.click(worst());
      await page.getByText('Capable?').first().waitFor();
      await contentShown(page);
      await reader.click(page.getByRole('button', { name: 'Export' }));
      await reader.click(page.getByRole('menuitem', { name: 'Print' }));
      expect(await page.evaluate('window.isPrinted')).toBe(true);
      const paper = await page.pdf({ format: 'A4' });
      expect(paper.subarray(0, 5).toString()).toBe('%PDF-');
      await page.emulateMedia({ media: 'print' });
      expect(await page.getByText(/^Ppk$/).first().isVisible()).toBe(true);
      expect(reader.answered('is it capable, on paper')).toBeLessThanOrEqual(3);
    },
    LIMIT_MS,
  );

  it(
    'which machine makes it: at most three',
    async () => {
      await reader.click(worst());
      await contentShown(page);
      await reader.click(page.getByRole('button', { name: /Split by/ }));
      await reader.click(page.getByRole('menuitemradio', { name: 'Machine' }));
      await page.getByRole('table', { name: /Machine/ }).waitFor();
      expect(reader.answered('which machine makes it')).toBeLessThanOrEqual(3);
    },
    LIMIT_MS,
  );

  it(
    'the measurement of a serial number and its files: at most three',
    async () => {
      const [measurement] = await demo.client.measurements.search({ limitResult: 1, requestedMeasurementAttributes: [SERIAL_NUMBER] });
      const serialNumber = String(measurement?.attributes?.[SERIAL_NUMBER]);
      await reader.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').waitFor();
      await page.keyboard.type(serialNumber);
      await reader.click(page.getByRole('option', { name: new RegExp(serialNumber) }));
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByText(serialNumber).first().waitFor();
      await page.getByRole('heading', { name: 'Files' }).waitFor();
      expect(reader.answered('the measurement of a serial number')).toBeLessThanOrEqual(3);
    },
    LIMIT_MS,
  );
});

describeWithChromium('the fifth question of a day', () => {
  let product: Awaited<ReturnType<typeof startEmptyProduct>>;
  let browser: Browser;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sinebar-day-'));
    await writeFile(join(folder, 'ring.dfq'), MACHINE_FILE);
    product = await startEmptyProduct();
    browser = await launchChromium();
  }, START_LIMIT_MS);
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    await rm(folder, { recursive: true, force: true });
  }, LIMIT_MS);

  it(
    'a file of a machine on an empty server, and its chart with limits: at most five',
    async () => {
      const { page, problems } = await openWatchedPage(browser, { origins: [product.url], locale: 'en-GB' });
      page.setDefaultTimeout(CONTENT_MS);
      await page.goto(`${product.url}/console/`);
      await contentShown(page);
      const reader = new Reader(page);
      await reader.click(page.getByRole('link', { name: 'Choose a file' }));
      const chooser = page.waitForEvent('filechooser');
      await reader.click(page.getByRole('button', { name: /^Choose files/ }));
      await (await chooser).setFiles(join(folder, 'ring.dfq'));
      await reader.click(page.getByRole('button', { name: 'Import 1 file' }));
      await reader.click(page.locator('main').getByRole('link', { name: /^Show/ }));
      await reader.click(page.locator('main').getByRole('link', { name: 'Bore' }));
      const chart = page.getByRole('application', { name: /Individuals/ });
      await chart.getByText('12.1').first().waitFor({ state: 'attached' });
      await chart.getByText('11.9').first().waitFor({ state: 'attached' });
      expect(reader.answered('a file of a machine and its chart')).toBeLessThanOrEqual(5);
      expect(problems).toEqual([]);
    },
    LIMIT_MS,
  );
});
