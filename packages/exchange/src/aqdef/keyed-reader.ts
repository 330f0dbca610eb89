import { shown } from '../problems.ts';
import { fieldName } from './k-fields.ts';
import { KeyedRun } from './keyed-values.ts';
import type { MeasurementQueue } from './measurement-queue.ts';
import type { PlanDraft } from './plan-draft.ts';
import type { RecordContext } from './record.ts';
import type { RecordReader } from './record-reader.ts';

const [VALUE, TIME] = [1, 4] as const;

const ONCE = 'Write each field of a value once.';

/** Reads values in keyed notation; fields that belong to the last value line go to its reader. */
export class KeyedReader {
  /** Whether a field is a time. */
  hasTimes = false;
  private readonly plan: PlanDraft;
  private readonly context: RecordContext;
  private readonly measurements: MeasurementQueue;
  private readonly record: RecordReader;
  /** Values that wait for the others of their measurement, by part. */
  private readonly runs = new Map<number, KeyedRun>();

  constructor(plan: PlanDraft, context: RecordContext, measurements: MeasurementQueue, record: RecordReader) {
    this.plan = plan;
    this.context = context;
    this.measurements = measurements;
    this.record = record;
  }

  /** Reads a field K0001 to K0099. @param valueIndex number of the value, from 1 */
  readField(key: number, index: number, valueIndex: number | undefined, text: string, line: number): void {
    if (key === TIME) this.hasTimes = true;
    if (valueIndex === undefined) this.readFieldOfNext(key, index, text, line);
    else this.readFieldOfValue(key, index, valueIndex, text, line);
  }

  /** Ends the values that wait. */
  end(): void {
    if (this.runs.size === 0) return;
    const drafts = [...this.runs.values()].flatMap((run) => run.takeAll());
    this.runs.clear();
    this.measurements.add(drafts.sort((a, b) => a.line - b.line));
  }

  /** Reads a field of the last value, or the first field of the next one. */
  private readFieldOfNext(key: number, index: number, text: string, line: number): void {
    if (this.record.addField(key, index, text, line)) return;
    this.record.close();
    if (index === 0) {
      let added = false;
      for (const run of this.runs.values()) added = run.addToAll(key, text, line) || added;
      if (!added) this.warnOfNoValue(key, line);
      return;
    }
    const characteristic = this.plan.measured(index, line);
    if (!characteristic) {
      this.plan.refuseValue(index, text, line);
      return;
    }
    const run = this.runOf(characteristic.part);
    run.add(characteristic.index, key, text, line);
    this.measurements.add(run.takeComplete(() => this.countOf(characteristic.part)));
  }

  private readFieldOfValue(key: number, index: number, valueIndex: number, text: string, line: number): void {
    const name = fieldName(key);
    if (this.record.isOpen && valueIndex === this.record.lineCount) {
      const isAdded = this.record.addField(key, index, text, line);
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
      this.readFieldOfNext(key, index, text, line);
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
}
