import type { Language } from '@sinebar/charts';
import { spreadsheetText } from './csv';

const NUMBERS = '[data-number]';
const BLOCKS = /^(TR|CAPTION|P|DIV|SECTION|H\d|[DOU]L|LI|D[DT])$/;

/**
 * Returns the text of a selection with all digits of numbers that are shown rounded, with tabs between cells. Such numbers stand in
 * elements with `data-number`.
 * @returns `undefined` where no such number is selected as a whole, and the browser copies what is shown
 */
export function selectedText(selection: Selection, language: Language): string | undefined {
  if (selection.rangeCount === 0 || selection.isCollapsed) return undefined;
  const range = selection.getRangeAt(0);
  const { commonAncestorContainer: common } = range;
  const inside = (common instanceof Element ? common : common.parentElement)?.closest(NUMBERS);
  if (inside) return range.toString().trim() === inside.textContent.trim() ? fullNumber(inside, language) : undefined;
  const selected = range.cloneContents();
  const numbers = selected.querySelectorAll(NUMBERS);
  if (numbers.length === 0) return undefined;
  for (const number of numbers) number.textContent = fullNumber(number, language);
  return textOf(selected)
    .replaceAll(/\n{2,}/g, '\n')
    .replaceAll(/^\n|\n$/g, '');
}

function fullNumber(element: Element, language: Language): string {
  return spreadsheetText(Number(element.getAttribute('data-number')), language);
}

function textOf(node: Node): string {
  if (node instanceof Text) return node.data;
  if (node instanceof SVGElement) return '';
  const children = [...node.childNodes];
  const areCells = children.some(({ nodeName }) => nodeName === 'TD' || nodeName === 'TH');
  const text = children.map(textOf).join(areCells ? '\t' : '');
  return BLOCKS.test(node.nodeName) ? `\n${text}\n` : text;
}
