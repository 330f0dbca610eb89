import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Impacts that fail a test. */
const FAILING = ['serious', 'critical'];

/**
 * Checks a page by the rules of WCAG 2.2 AA.
 * @param within selector of the part of the page to check
 * @param rules names of the only rules to check; by default all
 * @returns a line for each rule that the page breaks seriously, with the elements
 */
export async function accessibilityProblems(page: Page, within: string, rules?: readonly string[]): Promise<string[]> {
  // The policy of the page does not concern what the test evaluates.
  await page.evaluate(`globalThis.axe === undefined && (() => { ${axe.source} })()`);
  // While a colour changes, as after the choice of another theme, it does not have its contrast yet.
  const transitions = 'document.getAnimations().filter((animation) => animation instanceof CSSTransition)';
  await page.evaluate(`Promise.allSettled(${transitions}.map(({ finished }) => finished))`);
  const runOnly = rules ? { type: 'rule', values: rules } : { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] };
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
  const { violations } = await page.evaluate<Pick<axe.AxeResults, 'violations'>>(`axe.run(${JSON.stringify(within)}, ${options})`);
  return violations
    .filter(({ impact }) => FAILING.includes(impact ?? ''))
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html, any }) => `${html} ${any[0]?.message ?? ''}`).join(' | ')}`);
}
