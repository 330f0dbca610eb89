import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { copyEmptyDatabase, describeWithChromium, eventually, type RunningProcess, startProcess } from '@sinebar/testing';
import { launchChromium, openWatchedPage, type WatchedPage } from '@sinebar/testing/browser';
import type { Browser } from 'playwright-core';

const BUILT = join(import.meta.dirname, '../../../services/standalone/dist/main.js');
const READY = /^Sinebar is ready at (http:\/\/\S+)$/m;
/** Time limit for a browser and a database that start on a loaded machine. */
const LIMIT_MS = 120_000;

/** One call of each document that needs only the address. */
const CALLS = [
  { document: 'Inspection plan and measurements', path: '/dataServiceRest/serviceInformation', answer: /"serverName"/ },
  { document: 'Files', path: '/rawDataServiceRest/serviceInformation', answer: /"version"/ },
  { document: 'Events', path: '/eventServiceRest/changes', answer: /"next"/ },
];

describeWithChromium('the page at /docs', () => {
  let folder: string;
  let product: RunningProcess;
  let url: string;
  let browser: Browser;
  /** Shared by the tests, because it draws all requests, which takes seconds. */
  let watched: WatchedPage;

  beforeAll(async () => {
    if (!existsSync(BUILT)) throw new Error(`build services/standalone first: ${BUILT} is missing`);
    folder = await mkdtemp(join(tmpdir(), 'sinebar-docs-'));
    // The database runs as another user when this process is root.
    await chmod(folder, 0o755);
    const env = { SINEBAR_PORT: '0', SINEBAR_DATA_DIR: join(folder, 'data') };
    await copyEmptyDatabase(env.SINEBAR_DATA_DIR);
    product = await startProcess(process.execPath, [BUILT], { env, ready: READY, timeoutMs: LIMIT_MS });
    url = READY.exec(product.output())?.[1] as string;
    browser = await launchChromium();
    watched = await openWatchedPage(browser, { origins: [url] });
    watched.page.setDefaultTimeout(LIMIT_MS / 2);
    await watched.page.goto(`${url}/docs`);
  }, 2 * LIMIT_MS);
  afterAll(async () => {
    await browser?.close();
    await product?.stop(20_000);
    await rm(folder, { recursive: true, force: true });
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
