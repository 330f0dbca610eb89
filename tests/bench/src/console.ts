import { randomUUID } from 'node:crypto';
import { contentShown, launchChromium } from '@sinebar/testing/browser';
import type { Browser, Page } from 'playwright-core';
import { median, table } from './figures.js';
import type { Product } from './product.js';
import { createCharacteristics, createPart, send } from './rest-calls.js';

const CHARACTERISTICS = 100_000;
const IN_ONE_REQUEST = 5_000;
const VALUES = 100_000;
const MEASUREMENTS_IN_ONE_REQUEST = 2_000;
const REPEATS = 5;
const LONG_MS = 120_000;
const DESK = { width: 1440, height: 900 };

/** Measures the console in Chromium beside the server: what its reader waits for, against the budget of each. */
export async function measureConsole(product: Product): Promise<string> {
  const large = await largePart(product.url);
  const measured = await measuredCharacteristic(product.url);
  const browser = await launchChromium();
  try {
    const rows = [
      ['first content of the start page', 1_000, await repeated(browser, (page) => open(page, `${product.url}/console/`, 'main h1'))],
      [
        `characteristic with ${VALUES.toLocaleString('en')} values: address to drawn chart`,
        1_500,
        await repeated(browser, (page) => open(page, `${product.url}/console/${measured.path}`, '[role="application"] svg')),
      ],
      ['zoom step of this chart', 100, await zoomSteps(browser, `${product.url}/console/${measured.path}`)],
      [
        `tree of ${CHARACTERISTICS.toLocaleString('en')} characteristics in one part: open to first rows`,
        1_000,
        await repeated(browser, (page) => openedTree(page, product.url, large)),
      ],
      ['new measurement written to its point', 1_000, await liveValues(browser, product.url, measured)],
    ] as const;
    return table(
      ['console', 'median ms', 'longest ms', 'budget ms'],
      rows.map(([name, budget, times]) => [name, median(times), Math.max(...times), budget]),
    );
  } finally {
    await browser.close();
  }
}

/** Repeats in new contexts, whose caches are empty, after one that warms the server. */
async function repeated(browser: Browser, measure: (page: Page) => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i <= REPEATS; i += 1) {
    const page = await newPage(browser);
    const time = await measure(page);
    if (i > 0) times.push(time);
    await page.context().close();
  }
  return times;
}

async function newPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: DESK, locale: 'en-GB' });
  const page = await context.newPage();
  page.setDefaultTimeout(LONG_MS);
  return page;
}

async function open(page: Page, address: string, content: string): Promise<number> {
  const begun = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator(content).first().waitFor();
  return performance.now() - begun;
}

async function openedTree(page: Page, url: string, part: string): Promise<number> {
  await page.goto(`${url}/console/`);
  await contentShown(page);
  const row = page.getByRole('treeitem', { name: new RegExp(part) });
  await row.waitFor();
  const begun = performance.now();
  // The twist at the left of the row opens it without leaving the page.
  await row.locator('span').first().click();
  await page.getByRole('treeitem', { name: 'characteristic 0', exact: false }).first().waitFor();
  return performance.now() - begun;
}

/** Times from the key to the changed drawing. */
async function zoomSteps(browser: Browser, address: string): Promise<number[]> {
  const page = await newPage(browser);
  await open(page, address, '[role="application"] svg');
  await contentShown(page);
  const chart = page.getByRole('application').first();
  await chart.focus();
  const times: number[] = [];
  for (let i = 0; i < REPEATS; i += 1) {
    const before = await chart.innerHTML();
    const begun = performance.now();
    await page.keyboard.press('+');
    while ((await chart.innerHTML()) === before) await page.evaluate('new Promise(requestAnimationFrame)');
    times.push(performance.now() - begun);
  }
  await page.context().close();
  return times;
}

interface Measured {
  part: string;
  characteristic: string;
  path: string;
}

async function liveValues(browser: Browser, url: string, { part, characteristic, path }: Measured): Promise<number[]> {
  const page = await newPage(browser);
  await open(page, `${url}/console/${path}?follow=true`, '[role="application"] svg');
  await page.getByRole('button', { name: /^live/ }).waitFor();
  const times: number[] = [];
  for (let i = 1; i <= REPEATS; i += 1) {
    const count = (VALUES + i).toLocaleString('en').replace(',', '.');
    const begun = performance.now();
    await send(url, 'POST', 'values', [value(part, characteristic, VALUES + i)]);
    await page
      .getByText(new RegExp(`^${count}$`))
      .first()
      .waitFor();
    times.push(performance.now() - begun);
  }
  await page.context().close();
  return times;
}

async function largePart(url: string): Promise<string> {
  const name = 'Large';
  await createPart(url, name);
  for (let first = 0; first < CHARACTERISTICS; first += IN_ONE_REQUEST) await createCharacteristics(url, name, first, IN_ONE_REQUEST);
  return name;
}

async function measuredCharacteristic(url: string): Promise<Measured> {
  const part = await createPart(url, 'Measured');
  const characteristic = randomUUID();
  const definitions = [2101, 2110, 2111].map((key) => ({
    key,
    description: String(key),
    type: 'Float',
    definitionType: 'AttributeDefinition',
  }));
  await send(url, 'POST', 'configuration/characteristic', definitions);
  const attributes = { 2101: '20', 2110: '19.95', 2111: '20.05' };
  await send(url, 'POST', 'characteristics', [{ uuid: characteristic, path: 'PC:/Measured/Diameter/', attributes }]);
  for (let first = 0; first < VALUES; first += MEASUREMENTS_IN_ONE_REQUEST) {
    const numbers = Array.from({ length: MEASUREMENTS_IN_ONE_REQUEST }, (_, i) => first + i);
    await send(
      url,
      'POST',
      'values',
      numbers.map((number) => value(part, characteristic, number)),
    );
  }
  return { part, characteristic, path: `parts/${part}/characteristics/${characteristic}` };
}

/** A measurement each minute, with a value near 20. */
function value(part: string, characteristic: string, number: number): object {
  const time = new Date(Date.UTC(2025, 0, 1) + number * 60_000).toISOString();
  const measured = (20 + 0.012 * (Math.sin(number * 12.9898) + Math.sin(number * 78.233))).toFixed(3);
  return { uuid: randomUUID(), partUuid: part, attributes: { 4: time }, characteristics: { [characteristic]: { 1: measured } } };
}
