import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SinebarClient } from '@sinebar/client';
import { describeWithChromium, startEmptyProduct } from '@sinebar/testing';
import { contentShown, launchChromium, openWatchedPage, type WatchedPage } from '@sinebar/testing/browser';
import type { Browser } from 'playwright-core';
import { START_LIMIT_MS } from './demo-console.fixture.ts';

const LIMIT_MS = 180_000;
const MARKUP = '<img src=x onerror="document.title=`run`"><b id="markup">bold</b>';
/** Names that people and machines give; none is longer than 255 characters. */
const NAMES = {
  long: `W${'x'.repeat(254)}`,
  words: 'Gehäuse links oben '.repeat(13).trim(),
  rightToLeft: 'غطاء المضخة الأمامي (يسار)',
  emoji: '⚙️👩‍🔧 Welle 🔩',
  html: `${MARKUP}&amp;<script>document.title="run"<`.replaceAll('/', ''),
};
const FITS = 'document.documentElement.scrollWidth <= innerWidth';
const BEYOND = `[...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 3)
  .map((e) => e.outerHTML.slice(0, 160))`;

describeWithChromium('names of any kind in the console', () => {
  let product: Awaited<ReturnType<typeof startEmptyProduct>>;
  let browser: Browser;
  let watched: WatchedPage;
  const uuids = new Map<string, { part: string; characteristic: string; measurement: string }>();

  beforeAll(async () => {
    product = await startEmptyProduct();
    const client = new SinebarClient({ url: product.url });
    await client.configuration.create('measurement', [
      { definitionType: 'AttributeDefinition', key: 4, description: 'Zeit', type: 'DateTime' },
      { definitionType: 'AttributeDefinition', key: 6, description: NAMES.html, type: 'AlphaNumeric', length: 255 },
    ]);
    for (const name of Object.values(NAMES)) {
      const [part, characteristic, measurement] = [randomUUID() as string, randomUUID() as string, randomUUID() as string];
      uuids.set(name, { part, characteristic, measurement });
      const escaped = name.replaceAll('\\', '\\\\').replaceAll('/', '\\/');
      await client.parts.create([{ uuid: part, path: `P:/${escaped}/` }]);
      await client.characteristics.create([{ uuid: characteristic, path: `PC:/${escaped}/${escaped}/` }]);
      await client.measurements.createWithValues([
        {
          uuid: measurement,
          partUuid: part,
          attributes: { 4: '2026-03-02T08:00:00Z', 6: name },
          characteristics: { [characteristic]: { 1: '20.01' } },
        },
      ]);
      await client.notes.create({ characteristicUuid: characteristic, text: `${name}\n${name}` });
    }
    browser = await launchChromium();
    watched = await openWatchedPage(browser, { origins: [product.url], locale: 'en-GB' });
  }, START_LIMIT_MS);
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  }, LIMIT_MS);

  it.each(Object.entries(NAMES))(
    'are shown as they are, and make no page wider than its window: %s',
    async (_kind, name) => {
      const { page } = watched;
      const { part, characteristic, measurement } = uuids.get(name) ?? {};
      const pages = [
        '',
        `parts/${part}`,
        `parts/${part}/measurements`,
        `parts/${part}/entry`,
        `parts/${part}/files`,
        `parts/${part}/notes`,
        `parts/${part}/plan`,
        `parts/${part}/characteristics/${characteristic}`,
        `parts/${part}/characteristics/${characteristic}/chart`,
        `parts/${part}/characteristics/${characteristic}/plan`,
        `measurements/${measurement}`,
        'measurements',
        `compare?characteristics=${characteristic}`,
        'administration/definitions',
      ];
      const wide: unknown[] = [];
      for (const width of name === NAMES.long ? [1440, 390] : [390]) {
        await page.setViewportSize({ width, height: 900 });
        for (const path of pages) {
          const at = `${path} at ${width} px`;
          await page.goto(`${product.url}/console/${path}`);
          await contentShown(page);
          if ((await page.evaluate(FITS)) !== true) wide.push([at, await page.evaluate(BEYOND)]);
          expect([at, await page.evaluate(`document.querySelectorAll('#markup, img[src=x]').length`)]).toEqual([at, 0]);
          expect([at, await page.title()]).not.toEqual([at, 'run']);
        }
      }
      expect(wide).toEqual([]);
      await page.goto(`${product.url}/console/parts/${part}`);
      await contentShown(page);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(name.slice(0, 20));
      expect(watched.problems.splice(0)).toEqual([]);
    },
    LIMIT_MS,
  );
});
