import type { JsonBuffer } from '@sinebar/http';
import { MEASURED_VALUE_KEY } from '../../configuration/configuration.ts';
import { decodeExactText } from './exact-text.ts';
import type { ReadSet } from './read-set.ts';
import { MeasuredValuesWriter } from './measured-values-writer.ts';
import type { StoredValues } from './stored-values.ts';

export interface ValuesView {
  /** Selects the other value attributes by key; `undefined` shows all of them. */
  isShown: ((key: string) => boolean) | undefined;
}

type Extras = Readonly<Record<string, Readonly<Record<string, string>>>>;

const MEASURED_VALUE = String(MEASURED_VALUE_KEY);

/** Writes `characteristics` of a measurement as JSON. The measured value is always among their attributes. spec: decisions.md 5.10 */
export class ValuesWriter {
  private readonly view: ValuesView;
  private readonly measuredValues = new MeasuredValuesWriter();

  constructor(view: ValuesView) {
    this.view = view;
  }

  /** @param extras JSON text of `measurement.extras` */
  write(set: ReadSet, values: StoredValues, extras: string | null, out: JsonBuffer): void {
    if (extras === null) this.measuredValues.write(set, values, out);
    else out.text(this.allValues(set, values, JSON.parse(extras) as Extras));
  }

  private allValues({ positions }: ReadSet, values: StoredValues, extras: Extras): string {
    const written: string[] = [];
    positions.forEach((characteristic, i) => {
      if (characteristic === undefined) return;
      const value = i < values.count ? (values.numbers[i] as number) : NaN;
      const others = extras[String(characteristic.id)];
      if (Number.isNaN(value) && others === undefined) return;
      const attributes: Record<string, string> = {};
      if (!Number.isNaN(value)) {
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
