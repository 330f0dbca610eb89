import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SinebarClient, type TargetEntity } from '@sinebar/client';
import { describeWithChromium, startEmptyProduct } from '@sinebar/testing';
import { contentShown, launchChromium, openWatchedPage, type WatchedPage } from '@sinebar/testing/browser';
import type { Browser } from 'playwright-core';
import { hostileFiles, type HostileFile } from './hostile-files.fixture.ts';

const START_LIMIT_MS = 240_000;
const LIMIT_MS = 600_000;
/** Longest time in which the page says what becomes of a file, ms: other tests use the processors too. */
const SAID_MS = 60_000;

describeWithChromium('files that are broken or hostile', () => {
  let product: Awaited<ReturnType<typeof startEmptyProduct>>;
  let client: SinebarClient;
  let browser: Browser;
  let watched: WatchedPage;
  let files: HostileFile[];
  const target: TargetEntity = { entity: 'Part', uuid: randomUUID() };

  beforeAll(async () => {
    [product, browser, files] = await Promise.all([startEmptyProduct(), launchChromium(), hostileFiles()]);
    client = new SinebarClient({ url: product.url });
    await client.parts.create([{ uuid: target.uuid, path: 'P:/Part/', attributes: {} }]);
    // The server makes no thumbnail of a damaged picture.
    watched = await openWatchedPage(browser, { origins: [product.url], locale: 'en-GB', expected: /thumbnail|THREE\.|404/ });
  }, START_LIMIT_MS);
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  }, START_LIMIT_MS);

  /** Stores a file and opens it in the size of the window. */
  const open = async (file: HostileFile['file']) => {
    const { page } = watched;
    const { key } = await client.rawData.upload(target, file);
    await page.goto(`${product.url}/console/parts/${target.uuid}/files?selected=${encodeURIComponent(`Part/${target.uuid}/${key}`)}`);
    await contentShown(page);
    await page.getByRole('button', { name: 'Open large' }).click();
    return { page, dialog: page.getByRole('dialog') };
  };

  it(
    'each show what they are, or a sentence, and leave the page as it was',
    async () => {
      const shown: Record<string, string> = {};
      for (const { file, said } of files) {
        const { page, dialog } = await open(file);
        const isSaid = await dialog
          .getByText(said)
          .first()
          .waitFor({ state: 'attached', timeout: SAID_MS })
          .then(
            () => true,
            () => false,
          );
        if (!isSaid) shown[file.fileName] = await dialog.innerText();
        expect(await page.title()).not.toBe('run');
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'Open large' }).waitFor();
      }
      expect(shown).toEqual({});
      expect(watched.problems.splice(0)).toEqual([]);
    },
    LIMIT_MS,
  );
});
