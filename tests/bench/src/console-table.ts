import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { createPart, send } from './rest-calls.ts';

const CHARACTERISTICS = 2_000;
const MEASUREMENTS = 30;
const FOUND = 'Point 1999';
/** Budgets, ms: of what the page does alone, and of what it asks the server for, a filter when the typing stops. */
const BUDGET_MS = { alone: 100, asking: 500 };

/**
 * Measures the table of a part with 2,000 characteristics after its first paint, each time in a new page.
 * @returns rows with name, budget and times, ms
 */
export async function measureTable(
  url: string,
  newPage: () => Promise<Page>,
  repeats: number,
): Promise<(readonly [name: string, budgetMs: number, measuredMs: number[]])[]> {
  const part = await widePart(url);
  const times: Record<string, number[]> = {};
  // The first page warms the server.
  for (let i = 0; i <= repeats; i += 1) {
    const page = await newPage();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${url}/console/parts/${part}`);
    await page.getByRole('grid').getByRole('rowheader').first().waitFor();
    await page.waitForLoadState('networkidle');
    for (const [name, script] of Object.entries(STEPS)) {
      const time = await page.evaluate<number>(script);
      if (i > 0) (times[name] ??= []).push(time);
    }
    await page.context().close();
  }
  const name = (step: string) => `table of ${CHARACTERISTICS.toLocaleString('en')} characteristics: ${step}`;
  return Object.entries(times).map(([step, measured]) => [name(step), ASKING.has(step) ? BUDGET_MS.asking : BUDGET_MS.alone, measured]);
}

/** Waits until a condition of the page holds, frame by frame. */
const UNTIL = `const until = async (holds) => { while (!holds()) await new Promise(requestAnimationFrame); };
  const first = () => document.querySelector('[role="grid"] tbody th a')?.textContent;`;

const ASKING = new Set(['order by name, to its first rows', 'filter, to its only row']);

const STEPS: Readonly<Record<string, string>> = {
  'longest frame while it is scrolled': `(async () => {
    const scroller = document.querySelector('[role="grid"]').parentElement;
    let longest = 0;
    let last = performance.now();
    for (let frame = 0; frame < 60; frame += 1) {
      scroller.scrollTop += 900;
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }
    scroller.scrollTop = 0;
    await new Promise(requestAnimationFrame);
    return longest;
  })()`,
  'order by name, to its first rows': `(async () => {
    ${UNTIL}
    await until(() => first() !== undefined);
    const before = first();
    const begun = performance.now();
    document.querySelector('[role="grid"] thead th:nth-child(2) button').click();
    await until(() => first() !== undefined && first() !== before);
    return performance.now() - begun;
  })()`,
  'copy, to the answer of its button': `(async () => {
    const button = [...document.querySelectorAll('main button')].find((each) => each.textContent === 'Copy table');
    const begun = performance.now();
    button.click();
    while (button.textContent === 'Copy table') await new Promise(requestAnimationFrame);
    return performance.now() - begun;
  })()`,
  'filter, to its only row': `(async () => {
    ${UNTIL}
    const field = document.querySelector('main input');
    const begun = performance.now();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, '${FOUND}');
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await until(() => first() === '${FOUND}');
    return performance.now() - begun;
  })()`,
};

async function widePart(url: string): Promise<string> {
  const part = await createPart(url, 'Wide');
  // The first one by name is neither the first by status nor the first of the plan, so that a new order shows.
  const characteristics = Array.from({ length: CHARACTERISTICS }, (_, i) => ({
    uuid: randomUUID(),
    path: `PC:/Wide/Point ${String(CHARACTERISTICS - i).padStart(4, '0')}/`,
    attributes: { 2101: '20', 2110: '19.9', 2111: '20.1' },
  }));
  await send(url, 'POST', 'characteristics', characteristics);
  for (let number = 0; number < MEASUREMENTS; number += 1) {
    const values = characteristics.map(({ uuid }, i): [string, object] => [
      uuid,
      { 1: (20 + 0.05 * Math.sin(i * 12.9898 + number * 78.233)).toFixed(3) },
    ]);
    const time = new Date(Date.UTC(2026, 0, 1) + number * 3_600_000).toISOString();
    await send(url, 'POST', 'values', [
      { uuid: randomUUID(), partUuid: part, attributes: { 4: time }, characteristics: Object.fromEntries(values) },
    ]);
  }
  return part;
}
