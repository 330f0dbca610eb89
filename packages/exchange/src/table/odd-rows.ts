import { parseTime } from '../date-forms.ts';
import { readNumberText } from '../number-text.ts';

/** Names that people give to rows of limits between the header row and the measurements. */
const LIMIT_NAME =
  /^(?:[lu][st]l|[lu]cl|[ou]sg|[ou]gw|[ou]tg|nom(?:inal)?(?: value)?|target(?: value)?|nennwert|nennma(?:ß|ss)|soll(?:wert)?|(?:lower|upper|min|max)[ .]?(?:spec(?:ification)?|tol(?:erance)?|control)?[ .]?(?:limit|tol(?:erance)?)|tol(?:eran[cz]e?|eranz)?[ .]?[+-]?|[+-] ?tol(?:erance)?|(?:untere|obere)s? (?:grenze|abma(?:ß|ss)|toleranz|spezifikationsgrenze)|einheit|units?)$/i;
/** Whether a text is a name for limits or nominal values. */
export function isLimitName(text: string): boolean {
  return text.length > 1 && text.length < 40 && LIMIT_NAME.test(text.trim());
}

/** Whether a row holds numbers or dates only, and so no names of columns. */
export function isHeaderOfValues(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell.trim().length > 0);
  return filled.length > 0 && filled.every((cell) => readNumberText(cell) !== undefined || parseTime(cell) !== undefined);
}
