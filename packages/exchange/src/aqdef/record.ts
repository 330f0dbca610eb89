import type { Attributes, FileMeasurement } from '../content.ts';
import { TIME_FORMS } from '../date-forms.ts';
import { readNumberText } from '../number-text.ts';
import { shown, type Problems } from '../problems.ts';
import { cleaned } from '../texts.ts';
import type { TimeReader } from '../time-reader.ts';
import { EVENTS_KEY, fieldName, fieldOf, isNoValue, KEYS_OF_FIRST_VALUE, KEYS_OF_ONE_VALUE, NO_EVENT } from './k-fields.ts';

const [VALUE, VALUE_ATTRIBUTE, TIME, BATCH] = [1, 2, 4, 6] as const;
/** K0002 of an ordinary value. */
const VALID = '0';
const NO_VALUES: readonly string[] = [];
const SLASH_FORM = /^\d{1,2}\/\d{1,2}\//;

/** Settings for reading the fields of values. */
export interface RecordContext {
  clock: TimeReader;
  problems: Problems;
}

/** Collects the values of one measurement of one part. */
export class MeasurementDraft {
  readonly line: number;
  readonly part: number;
  private readonly context: RecordContext;
  private readonly characteristics: number[] = [];
  private readonly values: string[] = [];
  /** Fields of the whole measurement; the first value that has a field decides. */
  private readonly attributes = new Map<number, string>();
  private valueAttributes: Map<number, Map<number, string>> | undefined;
  /** Whether a value or field was unusable; the measurement is then left out. */
  hasError = false;

  constructor(part: number, line: number, context: RecordContext) {
    this.part = part;
    this.line = line;
    this.context = context;
  }

  /** Adds a measured value. */
  addValue(characteristic: number, written: string, line: number): void {
    const value = readNumberText(written);
    if (value === undefined) {
      this.refuse(line, VALUE, `${shown(written.trim())} is no number. Write a value such as 20.012, or K0002 255 where there is none.`);
      return;
    }
    this.characteristics.push(characteristic);
    this.values.push(value);
  }

  get(key: number): string | undefined {
    return this.attributes.get(key);
  }

  /** Reads the text of a field as it would be added. */
  read(key: number, written: string): string | undefined {
    return this.textOf(key, written, this.line);
  }

  /**
   * Adds a field of one value, or of all with `undefined`.
   * @returns whether the measurement now has this very text, so that the same field of its next values changes nothing
   */
  addField(characteristic: number | undefined, key: number, written: string, line: number): boolean {
    const text = this.textOf(key, written, line);
    if (text === undefined) return false;
    if (KEYS_OF_ONE_VALUE.has(key)) {
      if (characteristic === undefined) this.values.forEach((_, index) => this.setOfValue(index, key, text));
      else this.setOfCharacteristic(characteristic, key, text);
      return false;
    }
    if (key === EVENTS_KEY && characteristic !== undefined) {
      if (text === NO_EVENT) return true;
      if (this.setOfCharacteristic(characteristic, key, text)) return false;
    }
    const known = this.attributes.get(key);
    if (known === undefined) this.attributes.set(key, text);
    else if (known !== text && characteristic !== undefined) this.addOther(characteristic, key, text, line);
    return known === undefined || known === text;
  }

  private addOther(characteristic: number, key: number, text: string, line: number): void {
    if (!KEYS_OF_FIRST_VALUE.has(key)) {
      this.setOfCharacteristic(characteristic, key, text);
      return;
    }
    this.context.problems.warnOnce(
      'fields of the first value',
      line,
      fieldName(key),
      'Values of one measurement differ in time, operator or gage. A measurement has one of each: those of its first value are kept.',
    );
  }

  private refuse(line: number, key: number, message: string): void {
    this.hasError = true;
    this.context.problems.error(line, fieldName(key), message);
  }

  /** @param before measurement of the same part before it, whose list of characteristics is shared when it is equal */
  finish(before: FileMeasurement | undefined): FileMeasurement {
    const attributes: Record<string, string> = {};
    for (const [key, text] of this.attributes) attributes[key] = text;
    return {
      part: this.part,
      line: this.line,
      attributes,
      characteristics: before && isEqual(before.characteristics, this.characteristics) ? before.characteristics : this.characteristics,
      values: this.values.length === 0 ? NO_VALUES : this.values,
      valueAttributes:
        this.valueAttributes &&
        new Map([...this.valueAttributes].map(([index, fields]) => [index, Object.fromEntries(fields) as Attributes])),
    };
  }

  /** @returns whether the characteristic has a value */
  private setOfCharacteristic(characteristic: number, key: number, text: string): boolean {
    const last = this.characteristics.length - 1;
    const index = this.characteristics[last] === characteristic ? last : this.characteristics.indexOf(characteristic);
    if (index >= 0) this.setOfValue(index, key, text);
    return index >= 0;
  }

  private setOfValue(index: number, key: number, text: string): void {
    this.valueAttributes ??= new Map();
    const fields = this.valueAttributes.get(index);
    if (fields) fields.set(key, text);
    else this.valueAttributes.set(index, new Map([[key, text]]));
  }

  private textOf(key: number, written: string, line: number): string | undefined {
    if (written.length === 0) return undefined;
    if (key === TIME) return this.timeOf(written, line);
    const text = cleaned(written);
    if (text.length === 0) return undefined;
    if (key === VALUE_ATTRIBUTE && (text === VALID || isNoValue(text))) return undefined;
    if (key === BATCH && text.startsWith('#')) return text.slice(1).trim() || undefined;
    const { kind, length } = fieldOf(key);
    if (kind === 'number' || kind === 'numbers') {
      const parts = kind === 'number' ? [text] : text.split(',');
      const numbers = parts.map((part) => readNumberText(part));
      if (!numbers.includes(undefined)) return kind === 'number' ? numbers[0] : text;
      const name = fieldName(key);
      this.context.problems.warn(line, name, `${shown(text)} is no number, so that ${name} is left out.`);
      return undefined;
    }
    if (length !== undefined && text.length > length) {
      const name = fieldName(key);
      this.context.problems.warnOnce(
        `long ${name}`,
        line,
        name,
        `The text of ${name} has ${text.length} characters, AQDEF allows ${length}. It is kept.`,
      );
    }
    return text;
  }

  private timeOf(written: string, line: number): string | undefined {
    const time = this.context.clock.read(written);
    const text = cleaned(written);
    if (time !== undefined || text.length === 0) return time;
    const order = SLASH_FORM.test(text) ? ' A date with slashes has its month first; name another order with dateOrder.' : '';
    this.refuse(line, TIME, `${shown(text)} is no date that is known. Write ${TIME_FORMS}.${order}`);
    return undefined;
  }
}

function isEqual(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false;
  return true;
}
