import type { JsonBuffer } from '@sinebar/service-kit';
import { MEASURED_VALUE_KEY } from '../configuration/configuration.js';
import { decodeExactText } from '../values/exact-text.js';
import type { ReadSet } from './characteristic-set-reader.js';
import { MeasuredValuesWriter } from './measured-values-writer.js';
import type { StoredValues } from './stored-values.js';

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

  /** @param extras a JSON text */
  write(set: ReadSet, values: StoredValues, extras: string | null, out: JsonBuffer): void {
    if (extras === null && this.view.showsMeasuredValue) this.measuredValues.write(set, values, out);
    else out.text(this.allValues(set, values, extras === null ? NO_EXTRAS : (JSON.parse(extras) as Extras)));
  }

  private allValues({ positions }: ReadSet, values: StoredValues, extras: Extras): string {
    const written: string[] = [];
    positions.forEach((characteristic, i) => {
      if (characteristic === undefined) return;
      const value = i < values.count ? (values.numbers[i] as number) : NaN;
      const others = extras[String(characteristic.id)];
      // A characteristic that has a value is named, also where none of its attributes is shown.
      if (Number.isNaN(value) && others === undefined) return;
      const attributes: Record<string, string> = {};
      if (!Number.isNaN(value) && this.view.showsMeasuredValue) {
        attributes[MEASURED_VALUE] = decodeExactText(value, values.digitsAt(i), others?.[MEASURED_VALUE]);
      }
      for (const [key, text] of Object.entries(others ?? {})) {
        if (key !== MEASURED_VALUE && (this.view.isShown?.(key) ?? true)) attributes[key] = text;
      }
      written.push(`"${characteristic.uuid}":${JSON.stringify(attributes)}`);
    });
    return `{${written.join(',')}}`;
  }
}
