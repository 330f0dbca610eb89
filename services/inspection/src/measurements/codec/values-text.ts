import type { JsonBuffer } from '@sinebar/http';
import { MEASURED_VALUE_KEY } from '../../configuration/configuration.ts';
import { CANONICAL, decodeExactText, IN_EXTRAS } from './exact-text.ts';
import { MAX_NUMBER_TEXT_BYTES, NumberTextWriter } from './number-text.ts';
import type { ReadSet } from './read-set.ts';
import type { StoredValues } from './stored-values.ts';

/** Most bytes of a value after its prefix: text, point, quotation mark, brace, comma. */
const ROOM = MAX_NUMBER_TEXT_BYTES + 4;
/** {@link ROOM} with the most padding zeros that `exact-text.ts` keeps. */
const PADDED_ROOM = ROOM + 60;
const [COMMA, OPEN_BRACE, CLOSE_BRACE, QUOTE, POINT, ZERO] = Buffer.from(',{}".0') as unknown as [
  number,
  number,
  number,
  number,
  number,
  number,
];

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

/**
 * Writes `characteristics` of a measurement without further value attributes, byte by byte. Most answers consist of such values, and
 * concatenated strings take many times as long.
 */
class MeasuredValuesWriter {
  private readonly numbers = new NumberTextWriter();

  write({ positions }: ReadSet, values: StoredValues, out: JsonBuffer): void {
    const prefixes = positions.reduce((sum, characteristic) => sum + (characteristic?.prefix.length ?? 0), 2);
    out.append(prefixes + values.count * (values.isCanonical ? ROOM : PADDED_ROOM), (bytes, start) => {
      let at = start;
      bytes[at++] = OPEN_BRACE;
      for (let i = 0; i < values.count; i += 1) {
        const prefix = positions[i]?.prefix;
        const value = values.numbers[i] as number;
        if (prefix === undefined || Number.isNaN(value)) continue;
        if (at > start + 1) bytes[at++] = COMMA;
        bytes.set(prefix, at);
        at = this.numbers.write(values.numbers, i, bytes, at + prefix.length);
        if (!values.isCanonical) at = this.pad(value, values.digitsAt(i), bytes, at);
        bytes[at++] = QUOTE;
        bytes[at++] = CLOSE_BRACE;
      }
      bytes[at++] = CLOSE_BRACE;
      return at;
    });
  }

  /** Adds the trailing zeros with which the client wrote the value. @param at end of its canonical text */
  private pad(value: number, wanted: number, bytes: Uint8Array, at: number): number {
    // Throws, because without extras there is no stored text.
    if (wanted === IN_EXTRAS) decodeExactText(value, wanted);
    const written = this.numbers.fractionDigits;
    if (wanted === CANONICAL || written === undefined || wanted <= written) return at;
    let end = at;
    if (written === 0) bytes[end++] = POINT;
    for (let i = written; i < wanted; i += 1) bytes[end++] = ZERO;
    return end;
  }
}
