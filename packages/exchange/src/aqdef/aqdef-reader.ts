import type { ByteSource, FileContent, FileMeasurement, FileReader } from '../content.ts';
import { refuseForeign } from '../foreign-files.ts';
import { Problems, shown, UnreadableFileError } from '../problems.ts';
import { readBlocks, type BlockReader } from '../read-blocks.ts';
import { cleaned } from '../texts.ts';
import { textBlocks, type TextBlock } from '../text-lines.ts';
import type { ReadOptions } from '../read-options.ts';
import { TimeReader } from '../time-reader.ts';
import { fieldName } from './k-fields.ts';
import { KeyedReader } from './keyed-reader.ts';
import { MeasurementQueue } from './measurement-queue.ts';
import { PlanDraft } from './plan-draft.ts';
import { RecordReader } from './record-reader.ts';

/** Order of dates with slashes, as AQDEF defines it. */
const DATE_ORDER = 'mdy';
const CHARACTERISTIC_COUNT = 100;
const VALUE_COUNT = 101;
/** Fields of one program only. */
const PROPRIETARY: ReadonlySet<number> = new Set([2999, 5080, 5098]);
/** Characters from this one on are neither blanks nor control characters. */
const FIRST_VISIBLE = 33;
const FIELD_LINE = /^[ \t]*[Kk](\d{4})(?:\/(\d{1,9})(?:\/(\d{1,9}))?)?(?:[ \t](.*)|[ \t]*)$/s;
const FIELD_START = /^[ \t]*[Kk]\d{4}/;

/**
 * Reads an AQDEF file: `.dfq`, or a `.dfd` followed by its `.dfx`.
 * Yields the measurements while it reads. Plan, catalogs and problems are the returned value.
 */
export function readAqdef(source: ByteSource, options: ReadOptions = {}): FileReader {
  const problems = new Problems();
  const reader = new AqdefReader(
    problems,
    new TimeReader(options.zone ?? 'UTC', options.dateOrder, options.dateOrder ?? DATE_ORDER),
    options.zone !== undefined,
  );
  return readBlocks(textBlocks(refuseForeign(source, 'aqdef'), options.encoding, problems), reader, problems);
}

class AqdefReader implements BlockReader<TextBlock> {
  private readonly problems: Problems;
  private readonly plan: PlanDraft;
  private readonly measurements = new MeasurementQueue();
  private readonly record: RecordReader;
  private readonly keyed: KeyedReader;
  private readonly hasZone: boolean;
  private hasFields = false;
  /** Whether a value stands behind the last header. */
  private hasValues = false;
  /** K0100 behind values, until it is known whether a header follows. */
  private nextCount: number | undefined;

  constructor(problems: Problems, clock: TimeReader, hasZone: boolean) {
    this.problems = problems;
    this.hasZone = hasZone;
    this.plan = new PlanDraft(problems);
    const context = { clock, problems };
    this.record = new RecordReader(this.plan, context, this.measurements);
    this.keyed = new KeyedReader(this.plan, context, this.measurements, this.record);
  }

  read({ text, firstLine }: TextBlock): void {
    let line = firstLine;
    for (let start = 0; start < text.length; line += 1) {
      const next = text.indexOf('\n', start);
      const end = next < 0 ? text.length : next;
      this.readLine(text.slice(start, end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end), line);
      start = end + 1;
    }
  }

  take(): FileMeasurement[] {
    return this.measurements.take();
  }

  end(): void {
    this.endPart();
    if (!this.hasFields) this.problems.error(undefined, undefined, 'The file is empty. Export it again.');
    else if (this.plan.parts.size === 0) {
      const message = 'The file describes no part. An AQDEF file has a field K1001 or K1002; a DFX file needs its DFD file before it.';
      this.problems.error(undefined, 'K1001', message);
    }
  }

  content(): FileContent {
    if (!this.hasZone && (this.record.hasTimes || this.keyed.hasTimes)) {
      this.problems.warn(
        undefined,
        'K0004',
        'The times of the file have no zone and are taken as UTC. Name the zone, for example Europe/Berlin.',
      );
    }
    const { parts, catalogEntries } = this.plan.finish();
    const { measurementCount, valueCount } = this.measurements;
    return { parts, catalogEntries, ...this.problems.summary(), measurements: measurementCount, values: valueCount };
  }

  private readLine(written: string, line: number): void {
    const first = written.charCodeAt(0);
    // Most lines are values: only K, blank and tab can begin a field.
    const mayBeField = first === 75 || first === 107 || first === 32 || first === 9;
    if (mayBeField && FIELD_START.test(written)) {
      this.hasFields = true;
      this.readField(written, line);
      return;
    }
    // `first` is no number in an empty line.
    if (!(first >= FIRST_VISIBLE) && cleaned(written).length === 0 && !written.includes('\u000f')) return;
    if (this.plan.characteristics.size === 0 && (this.plan.parts.size === 0 || this.plan.declaredCharacteristics === undefined)) {
      throw new UnreadableFileError({
        line,
        message:
          `Line ${line} (${shown(written)}) is no field such as "K1001/1 4711", and no characteristic is described before it. ` +
          'Check that this is an AQDEF file; a DFX file needs its DFD file of the same name before it.',
      });
    }
    this.continueSection();
    this.hasValues = true;
    this.keyed.end();
    this.record.readLine(written, line);
  }

  private readField(written: string, line: number): void {
    const match = FIELD_LINE.exec(written);
    if (!match) {
      const key = written.trim().slice(0, 5);
      this.problems.error(
        line,
        key,
        `The index of ${shown(written.trim())} cannot be read. Write ${key}/1, or ${key}/1/2 for the second value.`,
      );
      return;
    }
    const [, digits, index = '1', valueIndex, text = ''] = match;
    const key = Number(digits);
    const isValueField = key < CHARACTERISTIC_COUNT;
    if (valueIndex !== undefined && !isValueField) {
      const message = `K${digits} has an index of a value (${valueIndex}), which only K0001 to K0099 may have. Remove it.`;
      this.problems.error(line, `K${digits}`, message);
      return;
    }
    if (isValueField) {
      this.continueSection();
      this.hasValues = true;
      this.keyed.readField(key, Number(index), valueIndex === undefined ? undefined : Number(valueIndex), text, line);
    } else this.readPlanField(key, Number(index), text, line);
  }

  private readPlanField(key: number, index: number, text: string, line: number): void {
    if (key === CHARACTERISTIC_COUNT) return this.readCharacteristicCount(text, line);
    if (key === VALUE_COUNT || PROPRIETARY.has(key)) return;
    if (this.plan.declaredCharacteristics === undefined) {
      this.problems.warnOnce(
        'K0100',
        line,
        'K0100',
        'K0100 with the number of characteristics is not the first field. Write it on the first line.',
      );
    }
    if (this.nextCount !== undefined) this.beginSection(this.nextCount);
    const group = Math.floor(key / 1000);
    if (group === 1) {
      if (this.plan.readPartField(key, index, text, line)) this.endPart();
    } else if (group === 2 || group === 8) this.plan.readCharacteristicField(key, index, text, line);
    else if (group === 4) this.plan.readCatalogField(key, index, text, line);
    else if (group === 5) this.plan.readGroupField(key, index, text, line);
    else this.plan.warnOfUnknown(`field ${fieldName(key)}`, key, line);
  }

  private readCharacteristicCount(text: string, line: number): void {
    const count = text.trim();
    if (!/^\d{1,9}$/.test(count)) {
      this.problems.warn(line, 'K0100', `${shown(count)} is no number of characteristics. Write a whole number after K0100.`);
      return;
    }
    if (this.hasValues) this.nextCount = Number(count);
    else this.plan.declaredCharacteristics = Math.max(Number(count), this.plan.declaredCharacteristics ?? 0);
  }

  /** Ends the values of a part, before the next part or header begins. */
  private endPart(): void {
    this.record.close();
    this.keyed.end();
  }

  /** Begins a header behind values. */
  private beginSection(count: number): void {
    this.nextCount = undefined;
    this.record.beginSection();
    this.keyed.end();
    this.hasValues = false;
    this.plan.beginSection();
    this.plan.declaredCharacteristics = count;
  }

  /** K0100 behind values without a header counts the characteristics of the header before. */
  private continueSection(): void {
    if (this.nextCount === undefined) return;
    this.plan.declaredCharacteristics = Math.max(this.nextCount, this.plan.declaredCharacteristics ?? 0);
    this.nextCount = undefined;
  }
}
