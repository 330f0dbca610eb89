import { MEASURED_VALUE_KEY } from '../configuration/configuration.js';
import { CANONICAL, decodeExactText } from '../values/exact-text.js';
import type { ReadSet } from './characteristic-set-reader.js';

export interface ValuesView {
  /** Which value attributes are shown; `undefined` for every stored one. */
  isShown: ((key: string) => boolean) | undefined;
  showsMeasuredValue: boolean;
}

type Extras = Readonly<Record<string, Readonly<Record<string, string>>>>;

const MEASURED_VALUE = String(MEASURED_VALUE_KEY);
const NO_EXTRAS: Extras = {};

/** Writes `characteristics` of a measurement as JSON text, without an object for each value. */
export class ValuesWriter {
  private readonly view: ValuesView;

  constructor(view: ValuesView) {
    this.view = view;
  }

  /**
   * @param values the array as PostgreSQL writes it
   * @param digits as PostgreSQL writes a bytea: `\x` and two hexadecimal digits for each position
   * @param extras a JSON text
   */
  text(set: ReadSet, values: string, digits: string | null, extras: string | null): string {
    if (extras === null && this.view.showsMeasuredValue)
      return digits === null ? canonicalValues(set, values) : exactValues(set, elementsOf(values), digits);
    return this.allValues(set, elementsOf(values), digits, extras === null ? NO_EXTRAS : (JSON.parse(extras) as Extras));
  }

  private allValues({ positions }: ReadSet, elements: readonly string[], digits: string | null, extras: Extras): string {
    const written: string[] = [];
    positions.forEach((characteristic, i) => {
      if (characteristic === undefined) return;
      const element = elements[i] ?? 'NULL';
      const others = extras[String(characteristic.id)];
      // A characteristic that has a value is named, also where none of its attributes is shown.
      if (element === 'NULL' && others === undefined) return;
      const attributes: Record<string, string> = {};
      if (element !== 'NULL' && this.view.showsMeasuredValue) {
        attributes[MEASURED_VALUE] = decodeExactText(element, digitsAt(digits, i), others?.[MEASURED_VALUE]);
      }
      for (const [key, text] of Object.entries(others ?? {})) {
        if (key !== MEASURED_VALUE && (this.view.isShown?.(key) ?? true)) attributes[key] = text;
      }
      written.push(`"${characteristic.uuid}":${JSON.stringify(attributes)}`);
    });
    return `{${written.join(',')}}`;
  }
}

/** The elements of an array of numbers as PostgreSQL writes it. */
export function elementsOf(array: string): string[] {
  return array.length <= 2 ? [] : array.slice(1, -1).split(',');
}

/** Goes through the text of the array, since parting it first takes as long as everything else. */
function canonicalValues({ positions }: ReadSet, array: string): string {
  const isPlain = !array.includes('e') && !array.includes('N');
  let text = '{';
  let separator = '';
  let start = 1;
  for (let i = 0; start < array.length - 1; i += 1) {
    const comma = array.indexOf(',', start);
    const end = comma < 0 ? array.length - 1 : comma;
    const characteristic = positions[i];
    const element = characteristic === undefined ? 'NULL' : array.slice(start, end);
    start = end + 1;
    if (characteristic === undefined || (!isPlain && element === 'NULL')) continue;
    text += `${separator}${characteristic.prefix}${isPlain ? element : decodeExactText(element)}"}`;
    separator = ',';
  }
  return `${text}}`;
}

function exactValues({ positions }: ReadSet, elements: readonly string[], digits: string): string {
  let text = '{';
  let separator = '';
  for (let i = 0; i < elements.length; i += 1) {
    const characteristic = positions[i];
    const element = elements[i] as string;
    if (characteristic === undefined || element === 'NULL') continue;
    text += `${separator}${characteristic.prefix}${decodeExactText(element, digitsAt(digits, i))}"}`;
    separator = ',';
  }
  return `${text}}`;
}

function digitsAt(digits: string | null, position: number): number {
  if (digits === null) return CANONICAL;
  const start = 2 + 2 * position;
  return parseInt(digits.slice(start, start + 2), 16);
}
