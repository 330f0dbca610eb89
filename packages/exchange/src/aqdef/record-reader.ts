import { parseTime } from '../date-forms.ts';
import { readNumberText } from '../number-text.ts';
import { shown } from '../problems.ts';
import { cleaned } from '../texts.ts';
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
import type { MeasurementQueue } from './measurement-queue.ts';
import type { PlanDraft } from './plan-draft.ts';
import { measurementsOf, type LaterField, type Position } from './position.ts';
import type { RecordContext } from './record.ts';
import type { CharacteristicDraft } from './sections.ts';

const BLANK = 32;
const [VALUE, VALUE_ATTRIBUTE, TIME] = [1, 2, 4] as const;
/** Fields in which a date with a clock shows that the characteristics are not separated as they should be. */
const KEYS_WITHOUT_TIME: ReadonlySet<number> = new Set([6, 7, 8, 10, 12]);
const DATE_AND_CLOCK = /^\s*\d{1,4}([./-])\d{1,2}\1\d{2,4}[\s/.,T]+\d{1,2}:\d/;
/** Mark of a batch that is a text. */
const MARK = '#';
const NO_TEXTS: readonly string[] = [];

/** The positions of a value line that belong to one part. */
interface PartRecord {
  positions: Position[];
  later: LaterField[];
  /** Whether a position cannot be read; the measurements are then left out. */
  isBad: boolean;
}

/** A position and the keys that the line and the fields after it give for it. */
interface GivenPosition {
  position: Position;
  given: Set<number>;
}

/** The last value line; further fields may follow it. */
interface OpenLine {
  line: number;
  parts: Map<number, PartRecord>;
  /** Positions by their characteristic, once a field follows. */
  positions: Map<number, GivenPosition> | undefined;
  /** Fields behind the last value of the line. */
  lastFields: { text: string; position: Position } | undefined;
}

/** Reads value lines, and the fields after a line that belong to it. */
export class RecordReader {
  /** Whether a line has a time. */
  hasTimes = false;
  /** Number of value lines of the header. */
  lineCount = 0;
  private readonly plan: PlanDraft;
  private readonly context: RecordContext;
  private readonly measurements: MeasurementQueue;
  private open: OpenLine | undefined;

  constructor(plan: PlanDraft, context: RecordContext, measurements: MeasurementQueue) {
    this.plan = plan;
    this.context = context;
    this.measurements = measurements;
  }

  get isOpen(): boolean {
    return this.open !== undefined;
  }

  /** Reads one record: characteristics separated by 0x0F, their fields by 0x14. */
  readLine(text: string, line: number): void {
    this.close();
    const open: OpenLine = { line, parts: new Map(), positions: undefined, lastFields: undefined };
    this.open = open;
    this.lineCount += 1;
    let index = 1;
    for (let start = 0; start <= text.length; index += 1) {
      const next = text.indexOf(CHARACTERISTIC_SEPARATOR, start);
      const end = next < 0 ? text.length : next;
      if (end > start) this.readPosition(open, index, text.slice(start, end));
      start = end + 1;
    }
  }

  /** Adds a field to the open line. @returns false when no line is open, or the field begins the next value */
  addField(key: number, index: number, text: string, line: number): boolean {
    const { open } = this;
    if (!open) return false;
    if (index === 0) {
      for (const { later } of open.parts.values()) later.push({ position: undefined, key, text, line });
      return true;
    }
    const characteristic = this.plan.measured(index, line);
    if (!characteristic) return false;
    const { position, given } = givenPosition(open, characteristic);
    if (given.has(key)) return false;
    given.add(key);
    if (key === VALUE) position.value = text;
    else if (key === VALUE_ATTRIBUTE && isNoValue(text)) {
      position.value = undefined;
      position.isDeleted = isDeleted(text);
    } else recordOf(open, characteristic.part).later.push({ position, key, text, line });
    return true;
  }

  /** Ends the open line: no field can follow it any more. */
  close(): void {
    const { open } = this;
    if (!open) return;
    for (const [part, { positions, later, isBad }] of open.parts)
      if (!isBad) this.measurements.add(measurementsOf(part, open.line, { positions, later }, this.context));
    this.open = undefined;
  }

  /** Begins the values of another header. */
  beginSection(): void {
    this.close();
    this.lineCount = 0;
  }

  private readPosition(open: OpenLine, index: number, text: string): void {
    const { line } = open;
    const fieldEnd = text.indexOf(FIELD_SEPARATOR);
    const characteristic = this.plan.measured(index, line);
    if (!characteristic) {
      if (cleaned(text).length > 0) this.plan.refuseValue(index, text, line);
      return;
    }
    const record = recordOf(open, characteristic.part);
    if (fieldEnd < 0) {
      if (text.trim().length > 0) record.positions.push(valuePosition(characteristic, line, text, NO_TEXTS));
      return;
    }
    const isAttributive = this.plan.isAttributive(characteristic);
    const fieldsText = text.slice(fieldEnd);
    const last = open.lastFields;
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
    open.lastFields = isEmpty ? undefined : { text: fieldsText, position };
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
}

function recordOf({ parts }: OpenLine, part: number): PartRecord {
  let record = parts.get(part);
  if (!record) parts.set(part, (record = { positions: [], later: [], isBad: false }));
  return record;
}

/** Finds the position of a characteristic in the line, or adds one without a value. */
function givenPosition(open: OpenLine, { index, part }: CharacteristicDraft): GivenPosition {
  if (open.positions === undefined) {
    open.positions = new Map();
    for (const { positions } of open.parts.values())
      for (const position of positions) open.positions.set(position.characteristic, { position, given: givenKeys(position) });
  }
  const known = open.positions.get(index);
  if (known) return known;
  const keys: readonly number[] = [];
  const position = { characteristic: index, line: open.line, value: undefined, isDeleted: false, keys, texts: NO_TEXTS, lines: undefined };
  recordOf(open, part).positions.push(position);
  const added = { position, given: new Set<number>() };
  open.positions.set(index, added);
  return added;
}

function valuePosition({ index }: CharacteristicDraft, line: number, value: string, texts: readonly string[]): Position {
  return { characteristic: index, line, value, isDeleted: false, keys: VALUE_LINE_KEYS, texts, lines: undefined };
}

function givenKeys({ keys, texts, value }: Position): Set<number> {
  const given = new Set(texts.flatMap((text, i) => (text.trim().length > 0 ? (keys[i] ?? []) : [])));
  if (value !== undefined && keys === VALUE_LINE_KEYS) given.add(VALUE);
  return given;
}
