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
   * @param elements of the array of values, as PostgreSQL writes them
   * @param digits as PostgreSQL writes a bytea: `\x` and two hexadecimal digits for each position
   * @param extras a JSON text
   */
  text(set: ReadSet, elements: readonly string[], digits: string | null, extras: string | null): string {
    if (extras === null && this.view.showsMeasuredValue)
      return digits === null ? canonicalValues(set, elements) : exactValues(set, elements, digits);
    return this.allValues(set, elements, digits, extras === null ? NO_EXTRAS : (JSON.parse(extras) as Extras));
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

function canonicalValues({ positions }: ReadSet, elements: readonly string[]): string {
  let text = '{';
  let separator = '';
  for (let i = 0; i < elements.length; i += 1) {
    const characteristic = positions[i];
    const element = elements[i] as string;
    if (characteristic === undefined || element === 'NULL') continue;
    text += `${separator}${characteristic.prefix}${element.includes('e') ? decodeExactText(element) : element}"}`;
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
