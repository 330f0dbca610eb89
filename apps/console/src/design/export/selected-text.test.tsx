import { afterEach, describe, expect, it } from '@jest/globals';
import { selectedText } from './selected-text';

const TABLE = `<h2>Door</h2><table><tbody>
  <tr><th>Gap</th><td><span data-number="125.41312457">125.413<span>mm</span></span></td><td data-number="-0.5">-0.50</td></tr>
  <tr><th>Flush</th><td></td><td data-number="1234567.5">1,234,567.5</td></tr>
</tbody></table>`.replaceAll(/>\s+</g, '><');

/** Selects from a text to another one. */
function select(from: string, to: string): Selection {
  document.body.innerHTML = TABLE;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (texts.nextNode() !== null) found.push(texts.currentNode as Text);
  const nodeOf = (wanted: string) => found.find(({ data }) => data.includes(wanted))!;
  const selection = getSelection()!;
  selection.setBaseAndExtent(nodeOf(from), nodeOf(from).data.indexOf(from), nodeOf(to), nodeOf(to).data.indexOf(to) + to.length);
  return selection;
}

describe('a selection that is copied', () => {
  afterEach(() => document.body.replaceChildren());

  it.each([
    ['en', '125.413', 'mm', '125.41312457'],
    ['de', '-0.50', '-0.50', '-0,5'],
    ['de', 'Gap', '1,234,567.5', 'Gap\t125,41312457\t-0,5\nFlush\t\t1234567,5'],
    ['en', 'Door', 'Flush', 'Door\nGap\t125.41312457\t-0.5\nFlush'],
    // A number of which a part is selected at the edge is copied as a whole.
    ['en', '5.413', 'Flush', '125.41312457\t-0.5\nFlush'],
  ] as const)('in %s has all digits of the numbers from %j to %j', (language, from, to, text) => {
    expect(selectedText(select(from, to), language)).toBe(text);
  });

  it.each([
    ['some digits of a number', '25.4', '25.4'],
    ['texts', 'Door', 'Gap'],
  ])('is left to the browser where it has only %s', (_what, from, to) => {
    expect(selectedText(select(from, to), 'en')).toBeUndefined();
  });
});
