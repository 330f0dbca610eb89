import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { contentShown, launchChromium } from '@sinebar/testing/browser';
import type { Browser, Page } from 'playwright-core';
import { median, table } from './figures.ts';
import type { Product } from './product.ts';
import { createCharacteristics, createPart, send } from './rest-calls.ts';
import { measureTable } from './console-table.ts';

const CHARACTERISTICS = 100_000;
const IN_ONE_REQUEST = 5_000;
const VALUES = 100_000;
const MEASUREMENTS_IN_ONE_REQUEST = 2_000;
const REPEATS = 5;
/** Events of an hour at 50 per second; they are sent faster, because the heap depends on their number. */
const EVENTS = 180_000;
const EVENTS_IN_ONE_REQUEST = 500;
const EVENTS_SETTLE_MS = 5_000;
const LONG_MS = 120_000;
const DESK = { width: 1440, height: 900 };
/** Parts of the start page, with one measured characteristic each. */
const PARTS = 300;
/** Latency of the network in which the tree is clicked, ms. */
const LATENCY_MS = 800;

/** Measures the console in Chromium beside the server: what its reader waits for, against the budget of each. */
export async function measureConsole(product: Product): Promise<string> {
  const browser = await launchChromium();
  try {
    const parts = await manyParts(product.url);
    // It is measured before the plan has the 100,000 characteristics of the large part.
    const startPage = await repeated(browser, (page) => open(page, `${product.url}/console/`, 'main table tbody tr'));
    const large = await largePart(product.url);
    const measured = await measuredCharacteristic(product.url);
    const rows = [
      [`start page of ${PARTS} parts: address to its table`, 1_000, startPage],
      ['first content of the start page', 1_000, await repeated(browser, (page) => open(page, `${product.url}/console/`, 'main h1'))],
      [
        `characteristic with ${VALUES.toLocaleString('en')} values: address to drawn chart`,
        1_500,
        await repeated(browser, (page) => open(page, `${product.url}/console/${measured.path}`, '[role="application"] svg')),
      ],
      [
        'chart page of this characteristic: address to drawn chart',
        2_000,
        await repeated(browser, (page) => open(page, `${product.url}/console/${measured.path}/chart`, '[role="application"] svg')),
      ],
      [
        `start page of ${PARTS} parts beside a part of ${CHARACTERISTICS.toLocaleString('en')} characteristics`,
        2_000,
        await repeated(browser, (page) => open(page, `${product.url}/console/`, 'main table tbody tr')),
      ],
      [
        `click in the tree with a latency of ${LATENCY_MS} ms: to the frame of the page`,
        100,
        await repeated(browser, (page) => clickedInTree(page, `${product.url}/console/parts/${parts[0]}`)),
      ],
      ...(await measureTable(product.url, () => newPage(browser), REPEATS)),
      ['zoom step of this chart', 100, await zoomSteps(browser, `${product.url}/console/${measured.path}`)],
      [
        `tree of ${CHARACTERISTICS.toLocaleString('en')} characteristics in one part: open to first rows`,
        1_000,
        await repeated(browser, (page) => openedTree(page, product.url, large)),
      ],
      ['longest task while this tree is scrolled', 50, await scrollTasks(browser, product.url, large)],
      ['new measurement written to its point', 1_000, await liveValues(browser, product.url, measured)],
    ] as const;
    const times = table(
      ['console', 'shortest ms', 'median ms', 'longest ms', 'budget ms'],
      rows.map(([name, budget, measuredMs]) => [name, Math.min(...measuredMs), median(measuredMs), Math.max(...measuredMs), budget]),
    );
    const grownMb = await heapGrowth(browser, product.url);
    const heap = table(
      ['heap of the page', 'growth MB', 'budget MB'],
      [[`after ${EVENTS.toLocaleString('en')} live events, an hour at 50 per second`, grownMb.toFixed(1), 50]],
    );
    return `${times}\n\n${heap}`;
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

/** Time from a click on another part to the moment at which the page shows something of it. */
async function clickedInTree(page: Page, address: string): Promise<number> {
  await page.goto(address);
  await contentShown(page);
  await page.getByRole('treeitem', { selected: true }).waitFor();
  const devTools = await page.context().newCDPSession(page);
  const network = { offline: false, latency: LATENCY_MS, downloadThroughput: -1, uploadThroughput: -1 };
  await devTools.send('Network.emulateNetworkConditions', network);
  return page.evaluate<number>(CLICK_IN_TREE);
}

const CLICK_IN_TREE = `(async () => {
  const other = document.querySelector('[role="treeitem"][aria-selected="false"]');
  const main = document.querySelector('main');
  const before = main.innerText;
  const begun = performance.now();
  other.click();
  while (main.innerText === before) await new Promise(requestAnimationFrame);
  return performance.now() - begun;
})()`;

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

/** Longest tasks of the page, one for each scroll through the loaded tree; 0 without one above 50 ms, which is what browsers report. */
async function scrollTasks(browser: Browser, url: string, part: string): Promise<number[]> {
  const page = await newPage(browser);
  await openedTree(page, url, part);
  await page.locator(`[role="treeitem"][aria-setsize="${CHARACTERISTICS}"]`).first().waitFor();
  const times: number[] = [];
  for (let i = 0; i < REPEATS; i += 1) times.push(await page.evaluate<number>(SCROLL));
  await page.context().close();
  return times;
}

/** Scrolls the tree by 1,500 pixels in each of 120 frames, from its top on. */
const SCROLL = `(async () => {
  const durations = [0];
  const observer = new PerformanceObserver((list) => durations.push(...list.getEntries().map((entry) => entry.duration)));
  observer.observe({ type: 'longtask' });
  const tree = document.querySelector('[role="tree"]');
  tree.scrollTop = 0;
  for (let frame = 0; frame < 120; frame += 1) {
    tree.scrollTop += 1500;
    await new Promise(requestAnimationFrame);
  }
  await new Promise((done) => setTimeout(done, 100));
  observer.disconnect();
  return Math.max(...durations);
})()`;

/** Megabytes by which the heap of the page of live events has grown, after a collection, when {@link EVENTS} have come. */
async function heapGrowth(browser: Browser, url: string): Promise<number> {
  const part = await createPart(url, 'Busy');
  const page = await newPage(browser);
  await page.goto(`${url}/console/live`);
  await page.getByRole('button', { name: /^live/ }).waitFor();
  const devTools = await page.context().newCDPSession(page);
  const usedBytes = async () => {
    await devTools.send('HeapProfiler.collectGarbage');
    return (await devTools.send('Runtime.getHeapUsage')).usedSize;
  };
  /** Writes measurements, each of which is an event, and waits until the page has had time for them. */
  const write = async (count: number) => {
    for (let sent = 0; sent < count; sent += EVENTS_IN_ONE_REQUEST) {
      const measurements = Array.from({ length: EVENTS_IN_ONE_REQUEST }, () => ({ uuid: randomUUID(), partUuid: part, attributes: {} }));
      await send(url, 'POST', 'measurements', measurements);
    }
    await pause(EVENTS_SETTLE_MS);
  };
  // The first events fill what the page keeps of them.
  await write(EVENTS / 10);
  const before = await usedBytes();
  await write(EVENTS);
  const grown = (await usedBytes()) - before;
  await page.context().close();
  return grown / 1e6;
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

/** Parts below the root, with one characteristic and 20 values each. */
async function manyParts(url: string): Promise<string[]> {
  await defineLimits(url);
  const parts = Array.from({ length: PARTS }, (_, i) => ({ uuid: randomUUID(), path: `P:/Part ${i + 1}/` }));
  const characteristics = parts.map(({ path }) => ({ uuid: randomUUID(), path: `PC:${path.slice(2)}Diameter/`, attributes: LIMITS }));
  await send(url, 'POST', 'parts', parts);
  await send(url, 'POST', 'characteristics', characteristics);
  const values = parts.flatMap(({ uuid }, i) =>
    Array.from({ length: 20 }, (_, number) => value(uuid, characteristics[i]?.uuid ?? '', number)),
  );
  await send(url, 'POST', 'values', values);
  return parts.map(({ uuid }) => uuid);
}

async function largePart(url: string): Promise<string> {
  const name = 'Large';
  await createPart(url, name);
  for (let first = 0; first < CHARACTERISTICS; first += IN_ONE_REQUEST) await createCharacteristics(url, name, first, IN_ONE_REQUEST);
  return name;
}

/** Nominal value and tolerance of each measured characteristic. */
const LIMITS = { 2101: '20', 2110: '19.95', 2111: '20.05' };

async function defineLimits(url: string): Promise<void> {
  const definitions = Object.keys(LIMITS).map((key) => ({
    key: Number(key),
    description: key,
    type: 'Float',
    definitionType: 'AttributeDefinition',
  }));
  await send(url, 'POST', 'configuration/characteristic', definitions);
}

async function measuredCharacteristic(url: string): Promise<Measured> {
  const part = await createPart(url, 'Measured');
  const characteristic = randomUUID();
  await send(url, 'POST', 'characteristics', [{ uuid: characteristic, path: 'PC:/Measured/Diameter/', attributes: LIMITS }]);
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
