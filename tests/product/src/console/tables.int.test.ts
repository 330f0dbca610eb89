import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { describeWithChromium } from '@sinebar/testing';
import { contentShown, type WatchedPage } from '@sinebar/testing/browser';
import type { Page } from 'playwright-core';
import { named, START_LIMIT_MS, startDemoConsole, type DemoConsole } from './demo-console.fixture.ts';

const LIMIT_MS = 60_000;
const CONTENT_MS = 30_000;
const PART = 'Pump housing';

describeWithChromium('tables of the console', () => {
  let demo: DemoConsole;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    demo = await startDemoConsole();
  }, START_LIMIT_MS);
  afterAll(() => demo?.stop(), LIMIT_MS);
  beforeEach(async () => {
    watched = await demo.open({ locale: 'de-DE', permissions: ['clipboard-read', 'clipboard-write'] });
    ({ page } = watched);
    page.setDefaultTimeout(CONTENT_MS);
    await page.goto(`${demo.url}/console/parts/${named(PART).uuid}`);
    await contentShown(page);
  }, LIMIT_MS);
  afterEach(async () => {
    await watched.close();
    expect(watched.problems).toEqual([]);
  });

  const copied = () => page.evaluate<string>('navigator.clipboard.readText()');

  it(
    'have columns that are widened by dragging, keep their widths, and fit them by a double click',
    async () => {
      // The first column has the names; it takes what the others leave.
      const edge = page.getByRole('separator', { name: /^Breite der Spalte / }).nth(1);
      const widthNow = async () => (await edge.locator('xpath=..').boundingBox())?.width ?? 0;
      const before = await widthNow();
      const box = await edge.boundingBox();
      if (box === null) throw new Error(`The edge is not shown.`);
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 60, y, { steps: 5 });
      await page.mouse.up();
      expect(Math.abs((await widthNow()) - before - 60)).toBeLessThanOrEqual(1);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await page.reload();
      await contentShown(page);
      expect(Math.abs((await widthNow()) - before - 60)).toBeLessThanOrEqual(1);
      await edge.dblclick();
      expect(await widthNow()).toBeLessThan(before + 30);
    },
    LIMIT_MS,
  );

  it(
    'copy all digits of numbers that are shown rounded, with the decimal comma of the page',
    async () => {
      const row = page
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader') })
        .first();
      const numbers = row.locator('[data-number]');
      const values = await Promise.all((await numbers.all()).map((each) => each.getAttribute('data-number')));
      expect(values.length).toBeGreaterThan(3);
      await page.evaluate(`getSelection().selectAllChildren(document.querySelector('tbody tr[aria-rowindex]'))`);
      await page.keyboard.press('Control+c');
      const cells = (await copied()).split('\t');
      for (const value of values) expect(cells).toContain(value?.replace('.', ','));
      expect(values.some((value) => /\.\d{5}/.test(value ?? ''))).toBe(true);

      // The whole table is copied where nothing is selected.
      await page.evaluate('getSelection().removeAllRanges()');
      await page.getByRole('grid').focus();
      await page.keyboard.press('Control+c');
      await page.getByRole('button', { name: 'Tabelle kopiert' }).waitFor();
      const lines = (await copied()).trim().split('\r\n');
      expect(lines.length).toBeGreaterThan(2);
      expect(lines.some((line) => line.split('\t').some((cell) => values.map((value) => value?.replace('.', ',')).includes(cell)))).toBe(
        true,
      );
    },
    LIMIT_MS,
  );
});
