import type { FileMeasurement } from '../content.ts';
import { shown } from '../problems.ts';
import { cleaned } from '../texts.ts';
import { parseTime } from '../date-forms.ts';
import { readNumberText } from '../number-text.ts';
import { KeyedRun } from './keyed-values.ts';
import {
  ATTRIBUTIVE_LINE_KEYS,
  CHARACTERISTIC_SEPARATOR,
  FIELD_SEPARATOR,
  fieldName,
  isDeleted,
  isNoValue,
  MAX_LINE_FIELDS,
  OLD_ATTRIBUTIVE_LINE_KEYS,
  SIZE_FACTOR,
  VALUE_LINE_KEYS,
} from './k-fields.ts';
import type { PlanDraft } from './plan-draft.ts';
import { measurementsOf, type LaterField, type Position } from './position.ts';
import type { MeasurementDraft, RecordContext } from './record.ts';
import type { CharacteristicDraft } from './sections.ts';

const BLANK = 32;
const [VALUE, VALUE_ATTRIBUTE, TIME] = [1, 2, 4] as const;
/** Fields in which a date with a clock shows that the characteristics are not separated as they should be. */
const KEYS_WITHOUT_TIME: ReadonlySet<number> = new Set([6, 7, 8, 10, 12]);
const DATE_AND_CLOCK = /^\s*\d{1,4}([./-])\d{1,2}\1\d{2,4}[\s/.,T]+\d{1,2}:\d/;
/** Mark of a batch that is a text. */
const MARK = '#';
const NO_TEXTS: readonly string[] = [];

const ONCE = 'Write each field of a value once.';

/** The positions of the last value line that belong to one part. */
interface OpenRecord {
  part: number;
  positions: Position[];
  later: LaterField[];
  /** Whether a position cannot be read; the measurements are then left out. */
  isBad: boolean;
}

/** Reads the values of an AQDEF file in both notations. */
export class ValueReader {
  measurementCount = 0;
  valueCount = 0;
  hasTimes = false;
  private readonly plan: PlanDraft;
  private readonly context: RecordContext;
  private ready: FileMeasurement[] = [];
  private readonly lastOfPart = new Map<number, FileMeasurement>();
  /** The last value line by part; further fields may follow it. */
  private open = new Map<number, OpenRecord>();
  /** Positions of the last value line by their characteristic, where they were asked for. */
  private openPositions: Map<number, { position: Position; given: Set<number> }> | undefined;
  private openLine = 0;
  private valueLines = 0;
  private hasValuesOfSection = false;
  /** Fields behind the last value of the record. */
  private lastFields: { text: string; position: Position } | undefined;
  private readonly runs = new Map<number, KeyedRun>();

  constructor(plan: PlanDraft, context: RecordContext) {
    this.plan = plan;
    this.context = context;
  }

  /** Takes the measurements that are complete. */
  take(): FileMeasurement[] {
    const taken = this.ready;
    this.ready = [];
    return taken;
  }

  /** Reads one record: characteristics separated by 0x0F, their fields by 0x14. */
  readValueLine(text: string, line: number): void {
    this.endRuns();
    this.closeRecord();
    this.openLine = line;
    this.valueLines += 1;
    this.hasValuesOfSection = true;
    let index = 1;
    for (let start = 0; start <= text.length; index += 1) {
      const next = text.indexOf(CHARACTERISTIC_SEPARATOR, start);
      const end = next < 0 ? text.length : next;
      if (end > start) this.readPosition(index, text.slice(start, end), line);
      start = end + 1;
    }
  }

  /** Reads a field K0001 to K0099. @param valueIndex number of the value, from 1 */
  readField(key: number, index: number, valueIndex: number | undefined, text: string, line: number): void {
    if (key === TIME) this.hasTimes = true;
    this.hasValuesOfSection = true;
    if (valueIndex !== undefined) {
      this.readFieldOfValue(key, index, valueIndex, text, line);
      return;
    }
    if (this.isRecordOpen && this.addToRecord(key, index, text, line)) return;
    this.closeRecord();
    if (index === 0) {
      let added = false;
      for (const run of this.runs.values()) added = run.addToAll(key, text, line) || added;
      if (!added) this.warnOfNoValue(key, line);
      return;
    }
    const characteristic = this.characteristicOf(index, text, line);
    if (!characteristic) return;
    const run = this.runOf(characteristic.part);
    run.add(characteristic.index, key, text, line);
    this.finishAll(run.takeComplete(() => this.countOf(characteristic.part)));
  }

  /** Ends the values of a part, before the next part begins. */
  endPart(): void {
    this.closeRecord();
    this.endRuns();
  }

  /** Ends the values of the header before. */
  beginSection(): void {
    this.endPart();
    this.valueLines = 0;
    this.hasValuesOfSection = false;
  }

  /** Whether a value stands behind the last header. */
  get hasValues(): boolean {
    return this.hasValuesOfSection;
  }

  private get isRecordOpen(): boolean {
    return this.openLine > 0;
  }

  private readPosition(index: number, text: string, line: number): void {
    const fieldEnd = text.indexOf(FIELD_SEPARATOR);
    const characteristic = this.plan.measured(index, line);
    if (!characteristic) {
      if (!isBlank(text)) this.refuseUnknown(index, text, line);
      return;
    }
    const record = this.openRecord(characteristic.part);
    if (fieldEnd < 0) {
      if (text.trim().length > 0) record.positions.push(valuePosition(characteristic, line, text, NO_TEXTS));
      return;
    }
    const isAttributive = this.plan.isAttributive(characteristic);
    const fieldsText = text.slice(fieldEnd);
    const last = this.lastFields;
    // The values of a line mostly have the same time and batch.
    if (last?.text === fieldsText && last.position.keys === VALUE_LINE_KEYS && !isAttributive && text.charCodeAt(0) > BLANK) {
      record.positions.push(valuePosition(characteristic, line, text.slice(0, fieldEnd), last.position.texts));
      return;
    }
    const texts = text.split(FIELD_SEPARATOR);
    const keys = isAttributive ? (this.isOldForm(texts) ? OLD_ATTRIBUTIVE_LINE_KEYS : ATTRIBUTIVE_LINE_KEYS) : VALUE_LINE_KEYS;
    if (this.refuseFields(index, keys, texts, line)) {
      record.isBad = true;
      return;
    }
    const value = texts[isAttributive ? 1 : 0] ?? '';
    const attribute = texts[keys.indexOf(VALUE_ATTRIBUTE)];
    const isEmpty = value.trim().length === 0 || isNoValue(attribute);
    if (isAttributive) texts[0] = isEmpty ? '' : this.sizeOf(texts[0] ?? '', line);
    if (texts[keys.indexOf(TIME)]) this.hasTimes = true;
    const position: Position = {
      characteristic: characteristic.index,
      line,
      value: isEmpty ? undefined : value,
      isDeleted: isDeleted(attribute),
      keys,
      texts,
      lines: undefined,
    };
    this.lastFields = isEmpty ? undefined : { text: fieldsText, position };
    record.positions.push(position);
  }

  /** Reads the sample size of a value line, in parts. */
  private sizeOf(written: string, line: number): string {
    const size = Number(readNumberText(written) ?? Number.NaN) / SIZE_FACTOR;
    if (Number.isInteger(size)) return String(size);
    if (written.trim().length > 0) {
      const message =
        `The sample size ${shown(written.trim())} is not a whole number of parts × ${SIZE_FACTOR}, as a value line has it. ` +
        'It is kept as it is written.';
      this.context.problems.warnOnce('sample size', line, 'K0020', message);
    }
    return written;
  }

  /** Whether the third field of an attributive value is missing, as in earlier exports of this product. */
  private isOldForm(texts: readonly string[]): boolean {
    const [, , third = '', fourth, fifth, , seventh] = texts;
    if (fourth === undefined || this.isTime(fourth)) return true;
    return fourth.trim().length === 0 && third.trim().length > 0 && !this.isTime(fifth) && seventh?.startsWith(MARK) !== true;
  }

  private isTime(field: string | undefined): boolean {
    return field !== undefined && field.length > 5 && this.context.clock.read(field) !== undefined;
  }

  /** Refuses a position that holds the values of several characteristics. @returns whether it did */
  private refuseFields(index: number, keys: readonly number[], texts: readonly string[], line: number): boolean {
    for (let i = 1; i < texts.length && i < keys.length; i += 1) {
      const key = keys[i] as number;
      const text = texts[i] as string;
      const mayBeTime = text.length > 9 && KEYS_WITHOUT_TIME.has(key) && text.includes(':') && !text.startsWith(MARK);
      if (!mayBeTime || !DATE_AND_CLOCK.test(text) || parseTime(text) === undefined) continue;
      this.context.problems.error(
        line,
        fieldName(key),
        `The value of characteristic ${index} has a date (${shown(text.trim())}) at the place of ${fieldName(key)}. ` +
          'Separate the fields of a value by the character 0x14, and the characteristics by 0x0F.',
      );
      return true;
    }
    if (texts.length <= MAX_LINE_FIELDS) return false;
    const filled = texts.reduce((count, text) => (text.trim().length > 0 ? count + 1 : count), 0);
    if (filled > MAX_LINE_FIELDS) {
      this.context.problems.error(
        line,
        'K0001',
        `The value of characteristic ${index} has ${filled} filled fields, at most ${MAX_LINE_FIELDS} are known. ` +
          'Separate the fields of a value by the character 0x14, and the characteristics by 0x0F.',
      );
      return true;
    }
    const message =
      `The value of characteristic ${index} has ${texts.length} fields, a value line has ${keys.length} at most. ` +
      'The others are left out.';
    this.context.problems.warnOnce('fields', line, 'K0001', message);
    return false;
  }

  /** The position of a characteristic in the last value line, and the keys that the line and the fields after it give for it. */
  private openPositionOf({ index, part }: CharacteristicDraft): { position: Position; given: Set<number> } {
    if (this.openPositions === undefined) {
      this.openPositions = new Map();
      for (const { positions } of this.open.values())
        for (const position of positions) this.openPositions.set(position.characteristic, { position, given: givenKeys(position) });
    }
    const known = this.openPositions.get(index);
    if (known) return known;
    const keys: readonly number[] = [];
    const position = {
      characteristic: index,
      line: this.openLine,
      value: undefined,
      isDeleted: false,
      keys,
      texts: NO_TEXTS,
      lines: undefined,
    };
    this.openRecord(part).positions.push(position);
    const open = { position, given: new Set<number>() };
    this.openPositions.set(index, open);
    return open;
  }

  private openRecord(part: number): OpenRecord {
    let record = this.open.get(part);
    if (!record) this.open.set(part, (record = { part, positions: [], later: [], isBad: false }));
    return record;
  }

  /** Adds a field to the last value line. @returns false when the field begins the next value */
  private addToRecord(key: number, index: number, text: string, line: number): boolean {
    if (index === 0) {
      for (const { later } of this.open.values()) later.push({ position: undefined, key, text, line });
      return true;
    }
    const characteristic = this.plan.measured(index, line);
    if (!characteristic) return false;
    const { position, given } = this.openPositionOf(characteristic);
    if (given.has(key)) return false;
    given.add(key);
    if (key === VALUE) position.value = text;
    else if (key === VALUE_ATTRIBUTE && isNoValue(text)) {
      position.value = undefined;
      position.isDeleted = isDeleted(text);
    } else this.openRecord(characteristic.part).later.push({ position, key, text, line });
    return true;
  }

  private readFieldOfValue(key: number, index: number, valueIndex: number, text: string, line: number): void {
    const name = fieldName(key);
    if (this.isRecordOpen && valueIndex === this.valueLines) {
      const isAdded = this.addToRecord(key, index, text, line);
      if (!isAdded && this.plan.measured(index, line)) this.warnOfRepeated(name, `${name}/${index}/${valueIndex}`, line);
      return;
    }
    const runs = [...this.runs.values()];
    const outcomes = new Set<string>();
    for (const run of valueIndex > 0 ? runs : []) {
      const wanted = index === 0 ? [...run.characteristics] : [this.plan.measured(index, line)?.index ?? index];
      for (const characteristic of wanted) outcomes.add(run.addToValue(characteristic, valueIndex, key, text, line));
      if (outcomes.has('added') || outcomes.has('repeated')) break;
    }
    if (outcomes.has('repeated')) {
      const field = `${name}/${index}/${valueIndex}`;
      if (key === VALUE) this.context.problems.error(line, name, `${field} stands twice for one value (${shown(text)}). ${ONCE}`);
      else this.warnOfRepeated(name, field, line);
    }
    if (outcomes.has('added') || outcomes.has('repeated')) return;
    if (key === VALUE && valueIndex > 0 && index > 0) {
      this.readField(key, index, undefined, text, line);
      return;
    }
    const message =
      `${name}/${index}/${valueIndex} names value ${valueIndex}, which is not one of the values directly before. ` +
      'Write the field directly after its value.';
    this.context.problems.warn(line, name, message);
  }

  private warnOfRepeated(name: string, field: string, line: number): void {
    this.context.problems.warnOnce(`repeated ${name}`, line, name, `${field} stands twice for one value; the first text is kept. ${ONCE}`);
  }

  private characteristicOf(index: number, text: string, line: number): { part: number; index: number } | undefined {
    const characteristic = this.plan.measured(index, line);
    if (!characteristic) this.refuseUnknown(index, text, line);
    return characteristic;
  }

  private refuseUnknown(index: number, text: string, line: number): void {
    const count = this.plan.describedCount;
    const message =
      `There is a value (${shown(text)}) for characteristic ${index}, but the file describes ${count} characteristics. ` +
      `Describe it with K2001/${index} and count it in K0100.`;
    this.context.problems.error(line, 'K0001', message);
  }

  private warnOfNoValue(key: number, line: number): void {
    const name = fieldName(key);
    this.context.problems.warnOnce(
      `early ${name}`,
      line,
      name,
      `${name}/0 stands before the first value and is left out. Write it after the values that it belongs to.`,
    );
  }

  private runOf(part: number): KeyedRun {
    let run = this.runs.get(part);
    if (!run) this.runs.set(part, (run = new KeyedRun(part, this.context)));
    return run;
  }

  private countOf(part: number): number {
    let count = 0;
    for (const characteristic of this.plan.characteristics.values()) if (characteristic.part === part) count += 1;
    return count;
  }

  private endRuns(): void {
    if (this.runs.size === 0) return;
    const drafts = [...this.runs.values()].flatMap((run) => run.takeAll());
    this.runs.clear();
    this.finishAll(drafts.sort((a, b) => a.line - b.line));
  }

  private closeRecord(): void {
    if (!this.isRecordOpen) return;
    for (const { part, positions, later, isBad } of this.open.values())
      if (!isBad) this.finishAll(measurementsOf(part, this.openLine, { positions, later }, this.context));
    this.open.clear();
    this.openPositions = undefined;
    this.openLine = 0;
    this.lastFields = undefined;
  }

  private finishAll(drafts: readonly MeasurementDraft[]): void {
    for (const draft of drafts) {
      if (draft.hasError) continue;
      const measurement = draft.finish(this.lastOfPart.get(draft.part));
      if (measurement.values.length === 0 && Object.keys(measurement.attributes).length === 0) continue;
      this.lastOfPart.set(draft.part, measurement);
      this.ready.push(measurement);
      this.measurementCount += 1;
      this.valueCount += measurement.values.length;
    }
  }
}

function valuePosition({ index }: CharacteristicDraft, line: number, value: string, texts: readonly string[]): Position {
  return { characteristic: index, line, value, isDeleted: false, keys: VALUE_LINE_KEYS, texts, lines: undefined };
}

function givenKeys({ keys, texts, value }: Position): Set<number> {
  const given = new Set(texts.flatMap((text, i) => (text.trim().length > 0 ? (keys[i] ?? []) : [])));
  if (value !== undefined && keys === VALUE_LINE_KEYS) given.add(VALUE);
  return given;
}

function isBlank(text: string): boolean {
  return cleaned(text).length === 0;
}
