import { expect } from '@jest/globals';
import { eventually } from '@sinebar/testing';
import type { Page } from 'playwright-core';

/** Content of A4 with the margins of the report, px. */
const A4 = { width: 703, height: 1000 };

/** Visible controls: names that are buttons of a table or list are text on paper. */
const CONTROLS = `[...document.querySelectorAll('button, select, [type=checkbox], [type=radio], [type=search], [role=tree], header nav')]
  .filter((e) => !e.matches('th button, li button, [data-paper]') && e.checkVisibility()).map((e) => e.outerHTML.slice(0, 160))`;
const TITLES = `[...document.querySelectorAll('h1')].filter((e) => e.checkVisibility() && e.getBoundingClientRect().width > 1)
  .map((e) => e.textContent)`;
/** What the right edge of the paper, or of a box that scrolls, cuts. */
const CUT = `[document.documentElement, ...document.querySelectorAll('main *')]
  .filter((e) => e.checkVisibility() && (e === document.documentElement || /auto|scroll/.test(getComputedStyle(e).overflowX)))
  .filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.outerHTML.slice(0, 160))`;
const COLOURS = `(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.documentElement))`;

/** Checks that a shown page has a title on paper, no controls, and nothing that is cut, in the dark theme too. It stays as on paper. */
export async function expectGoodPaper(page: Page, path: string): Promise<void> {
  await page.evaluate(`document.documentElement.dataset.theme = 'dark'`);
  // Charts take the width of the paper.
  await page.setViewportSize(A4);
  await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
  await page.emulateMedia({ media: 'print' });
  expect(await page.evaluate(TITLES)).toEqual([expect.stringMatching(/\S/)]);
  expect(await page.evaluate(CONTROLS)).toEqual([]);
  expect(await page.evaluate(CUT)).toEqual([]);
  expect(await page.evaluate(COLOURS)).toEqual(['rgb(20, 23, 26)', 'rgb(255, 255, 255)']);
  expect(await page.locator('footer svg').count()).toBe(/characteristics\/[^/]+(\/chart)?(\?|$)|compare\?/.test(path) ? 1 : 0);
}

/** Takes over from `print`: it notes the names of the rows on paper. */
const PRINT_AS_NAMES = `window.print = () => {
  dispatchEvent(new Event('beforeprint'));
  globalThis.printed = [...document.querySelectorAll('tbody th')].map((name) => name.textContent);
  dispatchEvent(new Event('afterprint'));
}`;

/** Prints a shown page by its keys. @returns the names of the rows on paper */
export async function printedNames(page: Page, timeoutMs: number): Promise<string[]> {
  // A window without a screen prints nothing; the page is drawn as for paper.
  await page.evaluate(PRINT_AS_NAMES);
  await page.keyboard.press('Control+p');
  await eventually(() => page.evaluate<boolean>('globalThis.printed !== undefined'), { timeoutMs });
  return page.evaluate<string[]>('globalThis.printed');
}
