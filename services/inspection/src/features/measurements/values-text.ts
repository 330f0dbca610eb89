import type { JsonBuffer } from '@sinebar/service-kit';
import { MEASURED_VALUE_KEY } from '../configuration/configuration.js';
import { decodeExactText } from '../values/exact-text.js';
import type { ReadSet } from './characteristic-set-reader.js';
import { digitsAt, MeasuredValuesWriter } from './measured-values-writer.js';

export interface ValuesView {
  /** Which value attributes are shown; `undefined` for every stored one. */
  isShown: ((key: string) => boolean) | undefined;
  showsMeasuredValue: boolean;
}

type Extras = Readonly<Record<string, Readonly<Record<string, string>>>>;

const MEASURED_VALUE = String(MEASURED_VALUE_KEY);
const NO_EXTRAS: Extras = {};

/** Writes `characteristics` of a measurement as JSON. */
export class ValuesWriter {
  private readonly view: ValuesView;
  private readonly measuredValues = new MeasuredValuesWriter();

  constructor(view: ValuesView) {
    this.view = view;
  }

  /**
   * @param values the array as PostgreSQL writes it
   * @param digits as PostgreSQL writes a bytea: `\x` and two hexadecimal digits for each position
   * @param extras a JSON text
   */
  write(set: ReadSet, values: string, digits: string | null, extras: string | null, out: JsonBuffer): void {
    if (extras === null && this.view.showsMeasuredValue) this.measuredValues.write(set, values, digits, out);
    else out.text(this.allValues(set, elementsOf(values), digits, extras === null ? NO_EXTRAS : (JSON.parse(extras) as Extras)));
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
