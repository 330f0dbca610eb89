import { mkdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './bootstrap.mjs';
import { main, run } from './command.mjs';
import { takePagePictures, writePicturesPage } from './page-pictures.mjs';

/**
 * Runs `npm run pictures [-- NAME …]`: takes the pictures of docs/pictures from the demo, in the Chromium of this machine.
 * NAME is that of a picture in the documents, or `pages` for all pages on both worlds; without one all are taken.
 * It starts products of its own on new data folders; with SINEBAR_URL it uses a running one that holds the demo.
 */
const FOLDER = join(ROOT, 'docs/pictures');
/** A picture that is larger makes the pages that show it slow. */
const MAX_BYTES = 150_000;
/** Longest wait for the counts of the service information, ms; the server renews them every 30 s. */
const COUNTS_MS = 90_000;
const built = (path) => import(pathToFileURL(join(ROOT, path)).href);

await main(async () => {
  // Imported late: before the build these files are missing.
  const { demoPictures, picturedPages, PARTS } = await built('apps/sinebar/src/commands/demo/index.ts');
  const wanted = process.argv.slice(2);
  const hasPages = wanted.length === 0 || wanted.includes('pages');
  const server = process.env.SINEBAR_URL ? { url: process.env.SINEBAR_URL, stop: () => Promise.resolve() } : await startDemo('door');
  try {
    await waitForCounts(server.url, PARTS);
    await takePictures(server.url, demoPictures(), wanted);
    if (hasPages) await takePages(server.url, 'door');
  } finally {
    await server.stop();
  }
  if (!hasPages) return 0;
  const factory = await startDemo('factory');
  try {
    await takePages(factory.url, 'factory');
  } finally {
    await factory.stop();
  }
  await writePicturesPage(FOLDER, picturedPages());
  return 0;
});

/** Waits until the server has counted the whole demo: the plan tree and the page Health show these counts. */
async function waitForCounts(url, parts) {
  const { eventually } = await built('packages/testing/src/eventually.ts');
  const measurements = parts.reduce((sum, { measurementCount }) => sum + measurementCount, 0);
  const isCounted = async () => {
    const answer = await fetch(`${url}/dataServiceRest/serviceInformation`, { signal: AbortSignal.timeout(5_000) });
    const { partCount, measurementCount } = await answer.json();
    return partCount > parts.length && measurementCount >= measurements;
  };
  await eventually(isCounted, { describe: 'the counts of the demo', timeoutMs: COUNTS_MS, intervalMs: 500 });
}

/** Opens a page in Chromium, whose clock stands still. */
async function withPage(url, use) {
  const { fixTimes, launchChromium, openWatchedPage } = await built('packages/testing/src/browser/index.ts');
  const browser = await launchChromium();
  try {
    const { page } = await openWatchedPage(browser, { origins: [url], locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' });
    await fixTimes(page);
    await use(page);
  } finally {
    await browser.close();
  }
}

async function takePages(url, world) {
  const { picturedPages } = await built('apps/sinebar/src/commands/demo/index.ts');
  const { contentShown } = await built('packages/testing/src/browser/index.ts');
  await withPage(url, (page) =>
    takePagePictures({ page, url, world, pages: picturedPages()[world], folder: FOLDER, sharp: findSharp(), contentShown }),
  );
}

function findSharp() {
  return createRequire(join(ROOT, 'apps/sinebar/package.json'))('sharp');
}

async function takePictures(url, pictures, wanted) {
  const { consolePicture } = await built('packages/testing/src/browser/index.ts');
  const sharp = findSharp();
  mkdirSync(FOLDER, { recursive: true });
  await withPage(url, async (page) => {
    for (const picture of pictures) {
      if (wanted.length > 0 && !wanted.includes(picture.name)) continue;
      const file = join(FOLDER, `${picture.name}.png`);
      // A palette makes a picture of few colours a third as large.
      await sharp(await consolePicture(page, url, picture))
        .png({ palette: true, quality: 90, effort: 10 })
        .toFile(file);
      const { size } = statSync(file);
      if (size > MAX_BYTES) throw new Error(`${file} has ${size} bytes; at most ${MAX_BYTES} are allowed`);
      console.log(`${file}: ${Math.round(size / 1000)} kB`);
    }
  });
}

async function startDemo(world) {
  const { startEmptyProduct } = await built('packages/testing/src/processes/product.ts');
  const product = await startEmptyProduct();
  const command = [process.execPath, join(ROOT, 'apps/sinebar/src/main.ts'), 'demo', '--server', product.url, '--world', world];
  const { code } = await run(command, { cwd: ROOT, stdio: 'inherit' });
  if (code === 0) return product;
  await product.stop();
  throw new Error('the demo could not be written');
}
