import type { FileMeasurement } from '../content.js';
import { shown } from '../problems.js';
import { KeyedRun } from './keyed-values.js';
import {
  ATTRIBUTIVE_LINE_KEYS,
  ATTRIBUTIVE_TYPES,
  CHARACTERISTIC_SEPARATOR,
  FIELD_SEPARATOR,
  NO_VALUE,
  VALUE_LINE_KEYS,
} from './k-fields.js';
import type { CharacteristicDraft, PlanDraft } from './plan-draft.js';
import { MeasurementDraft, type RecordContext } from './record.js';

const CHARACTERISTIC_TYPE = 2004;
const BLANK = 32;
const [VALUE, VALUE_ATTRIBUTE, TIME, SAMPLE_SIZE] = [1, 2, 4, 20] as const;

/** Places in the value of an attributive characteristic. */
const [UNNAMED_FIELD, ATTRIBUTIVE_TIME] = [2, 3] as const;

/** Reads the values of an AQDEF file in both notations. */
export class ValueReader {
  measurementCount = 0;
  valueCount = 0;
  hasTimes = false;
  private readonly plan: PlanDraft;
  private readonly context: RecordContext;
  private ready: FileMeasurement[] = [];
  private readonly lastOfPart = new Map<number, FileMeasurement>();
  /** Measurements of the last value line by part; further fields may follow it. */
  private open = new Map<number, MeasurementDraft>();
  /** The last value line, and its keys by characteristic where they were asked for. */
  private openText = '';
  private openKeys = new Map<number, Set<number>>();
  private openLine = 0;
  private valueLines = 0;
  /** Fields behind the last value of the record, when they say nothing more about a value of the same draft. */
  private sharedFields: { text: string; draft: MeasurementDraft } | undefined;
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
    this.openText = text;
    this.valueLines += 1;
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
    run.add(index, key, text, line);
    this.finishAll(run.takeComplete(() => this.countOf(characteristic.part)));
  }

  /** Ends the values of a part, before the next part begins. */
  endPart(): void {
    this.closeRecord();
    this.endRuns();
  }

  end(): void {
    this.endPart();
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
    const draft = this.openDraft(characteristic.part, line);
    if (fieldEnd < 0) {
      if (text.trim().length > 0) draft.addValue(index, text, line);
      return;
    }
    const keys = lineKeysOf(characteristic);
    const isAttributive = keys === ATTRIBUTIVE_LINE_KEYS;
    const fieldsText = text.slice(fieldEnd);
    // The values of a line mostly have the same time and batch.
    const shared = isAttributive ? undefined : this.sharedFields;
    if (shared?.draft === draft && shared.text === fieldsText && text.charCodeAt(0) > BLANK) {
      draft.addValue(index, text.slice(0, fieldEnd), line);
      return;
    }
    const fields = text.split(FIELD_SEPARATOR);
    if (isAttributive && this.hasUnnamedField(fields)) fields.splice(UNNAMED_FIELD, 1);
    const valueField = isAttributive ? 1 : 0;
    const value = fields[valueField] ?? '';
    const isEmpty = value.trim().length === 0 || NO_VALUE.has((fields[valueField + 1] ?? '').trim());
    if (!isEmpty) draft.addValue(index, value, line);
    let isShared = !isAttributive && !isEmpty && fields.length <= keys.length;
    for (let i = 0; i < fields.length && i < keys.length; i += 1) {
      const key = keys[i] as number;
      const field = fields[i] as string;
      if (i === valueField || field.length === 0 || (isEmpty && key === SAMPLE_SIZE)) continue;
      // The attribute of almost every value.
      if (key === VALUE_ATTRIBUTE && field === '0') continue;
      if (key === TIME) this.hasTimes = true;
      if (!draft.addField(index, key, field, line)) isShared = false;
    }
    this.sharedFields = isShared ? { text: fieldsText, draft } : undefined;
    if (fields.length > keys.length) {
      const message =
        `The value of characteristic ${index} has ${fields.length} fields, a value line has ${keys.length} at most. ` +
        'The others are left out.';
      this.context.problems.warnOnce('fields', line, 'K0001', message);
    }
  }

  /** Whether a field without a key stands behind the number of errors, as some programs write it: the time is then one place later. */
  private hasUnnamedField(fields: readonly string[]): boolean {
    const isTime = (field: string | undefined) => field !== undefined && field.length > 1 && this.context.clock.read(field) !== undefined;
    return !isTime(fields[ATTRIBUTIVE_TIME]) && isTime(fields[ATTRIBUTIVE_TIME + 1]);
  }

  /** Keys that the last value line, and the fields after it, give for a characteristic. */
  private openKeysOf(characteristic: CharacteristicDraft): Set<number> {
    const { index } = characteristic;
    const known = this.openKeys.get(index);
    if (known) return known;
    const fields = (this.openText.split(CHARACTERISTIC_SEPARATOR)[index - 1] ?? '').split(FIELD_SEPARATOR);
    const keys = lineKeysOf(characteristic);
    const given = new Set(fields.flatMap((field, i) => (field.trim().length > 0 ? (keys[i] ?? []) : [])));
    this.openKeys.set(index, given);
    return given;
  }

  private openDraft(part: number, line: number): MeasurementDraft {
    let draft = this.open.get(part);
    if (!draft) this.open.set(part, (draft = new MeasurementDraft(part, line, this.context)));
    return draft;
  }

  /** Adds a field to the last value line. @returns false when the field begins the next value */
  private addToRecord(key: number, index: number, text: string, line: number): boolean {
    if (index === 0) {
      for (const draft of this.open.values()) draft.addField(undefined, key, text, line);
      return true;
    }
    const characteristic = this.plan.measured(index, line);
    if (!characteristic || this.openKeysOf(characteristic).has(key)) return false;
    this.openKeysOf(characteristic).add(key);
    const draft = this.openDraft(characteristic.part, line);
    if (key === VALUE) draft.addValue(index, text, line);
    else draft.addField(index, key, text, line);
    return true;
  }

  private readFieldOfValue(key: number, index: number, valueIndex: number, text: string, line: number): void {
    const name = `K${String(key).padStart(4, '0')}`;
    if (this.isRecordOpen && valueIndex === this.valueLines) {
      this.addToRecord(key, index, text, line);
      return;
    }
    const runs = [...this.runs.values()];
    const added =
      valueIndex > 0 &&
      runs.some((run) => {
        const wanted = index === 0 ? [...run.characteristics] : [index];
        return wanted.map((characteristic) => run.addToValue(characteristic, valueIndex, key, text, line)).includes(true);
      });
    if (added) return;
    if (key === VALUE && valueIndex > 0 && index > 0) {
      this.readField(key, index, undefined, text, line);
      return;
    }
    const message =
      `${name}/${index}/${valueIndex} names value ${valueIndex}, which is not one of the values directly before. ` +
      'Write the field directly after its value.';
    this.context.problems.warn(line, name, message);
  }

  private characteristicOf(index: number, text: string, line: number): { part: number } | undefined {
    const characteristic = this.plan.measured(index, line);
    if (!characteristic) this.refuseUnknown(index, text, line);
    return characteristic;
  }

  private refuseUnknown(index: number, text: string, line: number): void {
    const count = this.plan.characteristics.size;
    const message =
      `There is a value (${shown(text)}) for characteristic ${index}, but the file describes ${count} characteristics. ` +
      `Describe it with K2001/${index} and count it in K0100.`;
    this.context.problems.error(line, 'K0001', message);
  }

  private warnOfNoValue(key: number, line: number): void {
    const name = `K${String(key).padStart(4, '0')}`;
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
    this.finishAll([...this.open.values()]);
    this.open = new Map();
    this.openKeys = new Map();
    this.openText = '';
    this.openLine = 0;
    this.sharedFields = undefined;
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

function lineKeysOf({ attributes }: CharacteristicDraft): readonly number[] {
  return ATTRIBUTIVE_TYPES.has(attributes.get(CHARACTERISTIC_TYPE) ?? '') ? ATTRIBUTIVE_LINE_KEYS : VALUE_LINE_KEYS;
}

function isBlank(text: string): boolean {
  return text.replaceAll(FIELD_SEPARATOR, '').trim().length === 0;
}
