import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { describeWithChromium, eventually, reportFigures, startEmptyProduct } from '@sinebar/testing';
import { accessibilityProblems, contentShown, launchChromium, openWatchedPage, type WatchedPage } from '@sinebar/testing/browser';
import { readPdf } from '@sinebar/testing/pdf';
import type { Browser, Download, Locator, Page } from 'playwright-core';
import { named, START_LIMIT_MS, startDemoConsole, type DemoConsole } from './demo-console.fixture.ts';

const LIMIT_MS = 180_000;
const CONTENT_MS = 60_000;
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 800 };
const TITLE = 'First article inspection report: Pump housing';
/** A file of a machine: two characteristics with their limits, and a value of each. */
const MACHINE_FILE = [
  'K0100 2',
  'K1001/1 4711-0815',
  'K1002/1 Ring',
  'K2001/1 1',
  'K2002/1 Bore',
  'K2101/1 12',
  'K2110/1 11.9',
  'K2111/1 12.1',
  'K2142/1 mm',
  'K2001/2 2',
  'K2002/2 Width',
  'K2101/2 30',
  'K2110/2 29.8',
  'K2111/2 30.2',
  'K2142/2 mm',
  ['12.01', '0', '05.01.2026/08:30:00', '#B7', '0', '1', '23'].join('\u0014') +
    '\u000F' +
    ['30.35', '0', '05.01.2026/08:30:00', '#B7', '0', '1', '23'].join('\u0014'),
].join('\r\n');
const MAX_ACTIONS = 10;

async function readDownload(download: Download) {
  return readPdf(await readFile(await download.path()));
}

/** Notes the addresses that the page gives to files. A browser without a viewer of PDF shows none in its tab. */
const NOTE_FILES = `window.files = [];
  const make = URL.createObjectURL;
  URL.createObjectURL = (content) => { files.push(make.call(URL, content)); return files.at(-1); }`;

async function readFileOfPage(page: Page, index: number) {
  await eventually(async () => (await page.evaluate<number>('files.length')) > index, { timeoutMs: CONTENT_MS });
  const bytes = await page.evaluate<number[]>(`fetch(files[${index}]).then((file) => file.bytes()).then((bytes) => [...bytes])`);
  return readPdf(Uint8Array.from(bytes));
}

describeWithChromium('reports of the console', () => {
  let demo: DemoConsole;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    demo = await startDemoConsole();
  }, START_LIMIT_MS);
  afterAll(() => demo?.stop(), LIMIT_MS);
  beforeEach(async () => {
    watched = await demo.open({ viewport: DESK });
    ({ page } = watched);
    page.setDefaultTimeout(CONTENT_MS);
  }, LIMIT_MS);
  afterEach(async () => {
    await watched.close();
    expect(watched.problems).toEqual([]);
  });

  const openDialog = async () => {
    await page.goto(`${demo.url}/console/parts/${named('Pump housing').uuid}`);
    await contentShown(page);
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Report…' }).click();
    await page.getByRole('combobox', { name: 'Template' }).waitFor();
  };

  it(
    'are kept, done in the list, opened, saved and deleted; what is typed for the forms stands in them',
    async () => {
      await openDialog();
      expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
      await page.getByRole('combobox', { name: 'Template' }).selectOption({ label: 'First article inspection report' });
      await page.getByRole('button', { name: 'Fields of the forms…' }).click();
      const forms = page.getByRole('dialog', { name: 'Fields of the forms' });
      await forms.getByLabel('3. Serial number').fill('SN 4711');
      await forms.getByLabel('15. Part number of each component').fill('A-1\nA-2');
      expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
      await forms.getByRole('button', { name: 'Save' }).click();
      await forms.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Keep' }).click();
      await page.getByRole('link', { name: 'To the reports' }).click();

      await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor();
      const row = page.getByRole('row', { name: TITLE });
      await row.getByText(/^done$/).waitFor();
      await row.getByText(/^\d+ pages?, /).waitFor();
      expect(await accessibilityProblems(page, 'main')).toEqual([]);

      await page.evaluate(NOTE_FILES);
      const tab = page.waitForEvent('popup');
      await row.getByRole('button', { name: /^Open/ }).click();
      await tab;
      expect((await readFileOfPage(page, 0)).title).toBe(TITLE);

      const saving = page.waitForEvent('download');
      await row.getByRole('button', { name: /^Save/ }).click();
      const saved = await saving;
      expect(saved.suggestedFilename()).toMatch(/^First article inspection report Pump housing \d{4}-\d{2}-\d{2}\.pdf$/);
      const text = (await readDownload(saved)).pages.join(' ');
      expect(text).toContain('SN 4711');
      expect(text).toMatch(/A-1\s+A-2/);

      await page.setViewportSize(PHONE);
      await page.getByRole('button', { name: `Actions: ${TITLE}` }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No report is kept yet.').waitFor();
      expect(await demo.client.reports.list()).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'are repeated by a schedule, which the keyboard alone makes, and which makes one at once',
    async () => {
      const press = async (element: Locator) => {
        await element.focus();
        await page.keyboard.press('Enter');
      };
      await openDialog();
      await press(page.getByRole('button', { name: 'Repeat…' }));
      const dialog = page.getByRole('dialog', { name: 'Make this report again and again' });
      await dialog.getByLabel('Name', { exact: true }).fill('Every Monday');
      await dialog.getByRole('combobox', { name: 'How often' }).selectOption({ label: 'every week' });
      await dialog.getByLabel('Time', { exact: true }).fill('06:00');
      expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
      await press(dialog.getByRole('button', { name: 'Save' }));
      await press(page.getByRole('link', { name: 'To the schedules' }));

      const row = page.getByRole('row', { name: 'Every Monday' });
      await row.getByText(/^every Monday at 06:00$/).waitFor();
      await row.getByText('nobody; only kept').waitFor();
      expect(await accessibilityProblems(page, 'main')).toEqual([]);
      await press(row.getByRole('button', { name: 'Make the report of Every Monday now' }));
      await row.getByText(/: made$/).waitFor();
      const [kept] = await demo.client.reports.list();
      expect(kept).toMatchObject({ state: 'done', partUuid: named('Pump housing').uuid });

      await page.setViewportSize(PHONE);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      expect(await accessibilityProblems(page, 'main')).toEqual([]);
      const deletes = row.getByRole('button', { name: 'Delete Every Monday' });
      const { x, width } = (await deletes.boundingBox())!;
      expect(x + width).toBeLessThanOrEqual(PHONE.width);
      await press(deletes);
      await press(page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }));
      await page.getByText('No report is made by schedule yet.').waitFor();
      expect(await demo.client.reports.schedules()).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'of a comparison have a page of each characteristic',
    async () => {
      const names = ['Gap A-pillar 01', 'Hole diameter 02'];
      await page.goto(`${demo.url}/console/compare?characteristics=${names.map((name) => named(name).uuid).join(',')}`);
      await contentShown(page);
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: 'Report…' }).click();
      const saving = page.waitForEvent('download');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      const text = (await readDownload(await saving)).pages.join(' ');
      for (const name of names) expect(text).toContain(name);
    },
    LIMIT_MS,
  );
});

describeWithChromium('a first article', () => {
  let product: Awaited<ReturnType<typeof startEmptyProduct>>;
  let browser: Browser;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sinebar-first-article-'));
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
    `goes from an AQDEF file to a filled form 3 in at most ${MAX_ACTIONS} actions`,
    async () => {
      const { page, problems } = await openWatchedPage(browser, { origins: [product.url], locale: 'en-GB' });
      page.setDefaultTimeout(CONTENT_MS);
      await page.goto(`${product.url}/console/`);
      await contentShown(page);
      let actions = 0;
      const act = async (what: Locator, how: (found: Locator) => Promise<unknown> = (found) => found.click()) => {
        actions += 1;
        await how(what.first());
      };
      await act(page.getByRole('link', { name: 'Choose a file' }));
      const chooser = page.waitForEvent('filechooser');
      await act(page.getByRole('button', { name: /^Choose files/ }));
      await (await chooser).setFiles(join(folder, 'ring.dfq'));
      await act(page.getByRole('button', { name: 'Import 1 file' }));
      await act(page.locator('main').getByRole('link', { name: /^Show/ }));
      await act(page.getByRole('button', { name: 'Export' }));
      await act(page.getByRole('menuitem', { name: 'Report…' }));
      await act(page.getByRole('combobox', { name: 'Template' }), (choice) =>
        choice.selectOption({ label: 'First article inspection report' }),
      );
      const saving = page.waitForEvent('download');
      await act(page.getByRole('dialog').getByRole('button', { name: 'Save' }));
      const { pages } = await readDownload(await saving);
      const form3 = pages.find((text) => text.includes('Form 3')) ?? '';
      expect(form3).toContain('4711-0815');
      expect(form3).toMatch(/1 .*Bore.*12\.01/);
      expect(form3).toMatch(/2 .*Width.*30\.35 \(above tolerance\)/);
      reportFigures(`a first article from a file: ${actions} actions`);
      expect(actions).toBeLessThanOrEqual(MAX_ACTIONS);
      expect(problems).toEqual([]);
    },
    LIMIT_MS,
  );
});
