import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { SinebarClient, STAMP_KEYS } from '@sinebar/client';
import { describeWithChromium, startEmptyProduct } from '@sinebar/testing';
import { accessibilityProblems, contentShown, launchChromium, openWatchedPage, type WatchedPage } from '@sinebar/testing/browser';
import { readPdf } from '@sinebar/testing/pdf';
import type { Browser, Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { START_LIMIT_MS } from './demo-console.fixture.ts';
import { viewedFiles } from './viewed-files.fixture.ts';

const LIMIT_MS = 90_000;
const CONTENT_MS = 30_000;
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };

const PLATE = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1000"><rect width="1600" height="1000" fill="white"/>
  <rect x="300" y="250" width="1000" height="500" fill="none" stroke="black" stroke-width="4"/>
  <circle cx="500" cy="500" r="90" fill="none" stroke="black" stroke-width="4"/>
  <circle cx="1100" cy="500" r="60" fill="none" stroke="black" stroke-width="4"/></svg>`;

/** Middle of an element on the screen, px. */
async function middleOf(element: Locator) {
  const { x, y, width, height } = (await element.boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
}

describeWithChromium('drawings in the console', () => {
  let product: Awaited<ReturnType<typeof startEmptyProduct>>;
  let client: SinebarClient;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;
  const plate = randomUUID();
  const manual = randomUUID();
  const [bore, slot, length] = [randomUUID(), randomUUID(), randomUUID()] as const;
  const open = async (part: string) => {
    await page.goto(`${product.url}/console/parts/${part}/drawing`);
    await contentShown(page);
  };
  /** Numbers of the balloons on the drawing of a first article. */
  const balloonsInReport = async () => {
    const answer = await client.reports.make({ template: 'first-article', selection: { partUuid: plate }, language: 'en' });
    const { pages } = await readPdf(new Uint8Array(await answer.arrayBuffer()));
    const drawn = pages.find((text) => text.includes('Drawing: plate.png')) ?? '';
    return drawn
      .replace(/^.*Drawing: plate.png/s, '')
      .match(/\d+/g)
      ?.sort();
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  beforeAll(async () => {
    product = await startEmptyProduct();
    client = new SinebarClient({ url: product.url });
    await client.configuration.create('measurement', [
      { definitionType: 'AttributeDefinition', key: 4, description: 'Time', type: 'DateTime' },
    ]);
    await client.configuration.create('characteristic', [
      { definitionType: 'AttributeDefinition', key: 2110, description: 'Lower limit', type: 'Float' },
      { definitionType: 'AttributeDefinition', key: 2111, description: 'Upper limit', type: 'Float' },
    ]);
    await client.parts.create([
      { uuid: plate, path: 'P:/Plate/' },
      { uuid: manual, path: 'P:/Manual/' },
    ]);
    const limits = { 2110: '19.9', 2111: '20.1' };
    await client.characteristics.create([
      { uuid: bore, path: 'PC:/Plate/Bore/', attributes: limits },
      { uuid: slot, path: 'PC:/Plate/Slot/', attributes: limits },
      { uuid: length, path: 'PC:/Plate/Length/', attributes: {} },
    ]);
    await client.measurements.createWithValues([
      {
        uuid: randomUUID(),
        partUuid: plate,
        attributes: { 4: '2026-03-02T08:00:00Z' },
        characteristics: { [bore]: { 1: '20.3' }, [slot]: { 1: '20.01' } },
      },
    ]);
    const png = await sharp(Buffer.from(PLATE)).png().toBuffer();
    await client.rawData.upload({ entity: 'Part', uuid: plate }, { fileName: 'plate.png', mimeType: 'image/png', content: png });
    const pdf = viewedFiles.find(({ fileName }) => fileName === 'two.pdf')!;
    await client.rawData.upload({ entity: 'Part', uuid: manual }, pdf);
    browser = await launchChromium();
  }, START_LIMIT_MS);
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  }, LIMIT_MS);
  beforeEach(async () => {
    watched = await openWatchedPage(browser, { origins: [product.url], viewport: DESK, locale: 'en-GB' });
    ({ page } = watched);
    page.setDefaultTimeout(CONTENT_MS);
  });
  afterEach(async () => {
    await watched.close();
    expect(watched.problems).toEqual([]);
  });

  it(
    'get balloons, which are dragged and moved by keys, stay where they are, and lead to their characteristics',
    async () => {
      await open(plate);
      await button('Edit balloons').click();
      await button('Define them').click();
      for (const name of ['Bore', 'Slot', 'Length']) await button(`Add a balloon to ${name}`).click();
      await button('Number in order').waitFor();

      const balloon = page.getByRole('button', { name: /^Balloon 1, Bore/ });
      const target = button('Target of balloon 1, Bore');
      const drag = async (handle: Locator, byX: number, byY: number) => {
        const from = await middleOf(handle);
        await page.mouse.move(from.x, from.y);
        await page.mouse.down();
        await page.mouse.move(from.x + byX / 2, from.y + byY / 2);
        await page.mouse.move(from.x + byX, from.y + byY);
        await page.mouse.up();
        const to = await middleOf(handle);
        expect(Math.hypot(to.x - from.x - byX, to.y - from.y - byY)).toBeLessThan(1);
      };
      await drag(balloon, -250, -120);
      await drag(target, -170, 10);
      // A press is no drag.
      const before = await middleOf(balloon);
      await balloon.click();
      expect(await middleOf(balloon)).toEqual(before);
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Shift+ArrowDown');
      const moved = await middleOf(balloon);
      expect([moved.x - before.x, moved.y - before.y].map(Math.round)).toEqual([1, 10]);
      expect(await accessibilityProblems(page, 'main')).toEqual([]);

      await button('Save 3 changes').click();
      await page.getByText('Saved.').waitFor();
      const stored = await client.characteristics.get(bore);
      expect(stored.attributes).toMatchObject({ 2110: '19.9', 2111: '20.1', [STAMP_KEYS.isShown]: '1', [STAMP_KEYS.caption]: '1' });
      expect(await balloonsInReport()).toEqual(['1', '2', '3']);
      await open(plate);
      const link = page.getByRole('link', { name: 'Balloon 1, Bore: above tolerance' });
      const shown = await middleOf(link);
      expect(Math.hypot(shown.x - moved.x, shown.y - moved.y)).toBeLessThan(20);
      expect(await accessibilityProblems(page, 'main')).toEqual([]);
      if (process.env['DRAWING_PICTURES'] !== undefined) await page.screenshot({ path: `${process.env['DRAWING_PICTURES']}/view.png` });
      await page.evaluate(`document.documentElement.dataset.theme = 'dark'`);
      expect(await accessibilityProblems(page, 'main', ['color-contrast'])).toEqual([]);
      await page.setViewportSize(PHONE);
      await contentShown(page);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await link.click();
      await page.getByRole('heading', { level: 1, name: 'Bore' }).waitFor();
    },
    LIMIT_MS,
  );

  it(
    'are edited by the keyboard alone, and what was saved is undone',
    async () => {
      await open(plate);
      await button('Edit balloons').focus();
      await page.keyboard.press('Enter');
      const slotBalloon = page.getByRole('button', { name: /^Balloon 2, Slot/ });
      await button('Slot').focus();
      await page.keyboard.press('Enter');
      await slotBalloon.and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Delete');
      await slotBalloon.waitFor({ state: 'detached' });
      await button('Save 1 change').focus();
      await page.keyboard.press('Enter');
      await button('Undo').waitFor();
      expect(Object.keys((await client.characteristics.get(slot)).attributes).sort()).toEqual(['2110', '2111']);
      expect(await balloonsInReport()).toEqual(['1', '3']);
      await button('Undo').focus();
      await page.keyboard.press('Enter');
      await slotBalloon.waitFor();
      expect((await client.characteristics.get(slot)).attributes).toHaveProperty('2809', '2');
    },
    LIMIT_MS,
  );

  it(
    'are the first page of a PDF, where the part has no image',
    async () => {
      await open(manual);
      await page.getByText('First page').waitFor({ state: 'attached' });
      const drawn = `(() => { const c = document.querySelector('main canvas');
        return new Set(c.getContext('2d').getImageData(0, 0, c.width, c.height).data).size > 2; })()`;
      expect(await page.evaluate(drawn)).toBe(true);
      expect(await page.getByText('Second page').count()).toBe(0);
      expect(await accessibilityProblems(page, 'main')).toEqual([]);
    },
    LIMIT_MS,
  );
});
