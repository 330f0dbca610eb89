import { UnreadableFileError } from '../problems.ts';
import { measurementsOf, positionOf } from './position.ts';
import type { MeasurementDraft, RecordContext } from './record.ts';

const [TIME, SUBGROUP, SUBGROUP_POSITION] = [4, 80, 81] as const;

/** Keyed values that wait for the others of their measurement, at most: about 150 bytes each. */
const MAX_WAITING = 400_000;
/** Waiting values from which complete measurements are looked for. */
const FIRST_CHECK = 10_000;

/** The fields of a value in keyed notation, in the order of the file. */
interface KeyedFields {
  line: number;
  fields: [key: number, text: string, line: number][];
}

/** Measurements of a run in the order of their first lines. */
interface Gathered {
  firstLine: number;
  lastLine: number;
  values: [characteristic: number, value: KeyedFields][];
}

/**
 * Values in keyed notation of one part, until their measurements are known to be complete.
 * The values of a measurement may stand far apart: files write all values of the first characteristic, then all of the second.
 */
export class KeyedRun {
  readonly part: number;
  private readonly context: RecordContext;
  private readonly waiting = new Map<number, KeyedFields[]>();
  private count = 0;
  private nextCheck = FIRST_CHECK;

  constructor(part: number, context: RecordContext) {
    this.part = part;
    this.context = context;
  }

  /** Adds a field; a key that the value of the characteristic has already begins its next value. */
  add(characteristic: number, key: number, text: string, line: number): void {
    let values = this.waiting.get(characteristic);
    if (!values) this.waiting.set(characteristic, (values = []));
    const current = values.at(-1);
    if (current && !current.fields.some(([field]) => field === key)) current.fields.push([key, text, line]);
    else {
      values.push({ line, fields: [[key, text, line]] });
      this.count += 1;
    }
  }

  /** Adds a field to the last value of every characteristic, where it is missing. @returns whether there is a value */
  addToAll(key: number, text: string, line: number): boolean {
    for (const values of this.waiting.values()) {
      const current = values.at(-1);
      if (current && !current.fields.some(([field]) => field === key)) current.fields.push([key, text, line]);
    }
    return this.count > 0;
  }

  /** Adds a field to the n-th waiting value of a characteristic, from 1. */
  addToValue(characteristic: number, position: number, key: number, text: string, line: number): 'added' | 'repeated' | 'none' {
    const value = this.waiting.get(characteristic)?.[position - 1];
    if (!value) return 'none';
    const known = value.fields.find(([field]) => field === key);
    if (!known) value.fields.push([key, text, line]);
    return known && known[1] !== text ? 'repeated' : 'added';
  }

  get characteristics(): Iterable<number> {
    return this.waiting.keys();
  }

  /**
   * Takes the measurements that are complete, when many values wait.
   * @param characteristics returns the number of characteristics of the part
   * @throws UnreadableFileError too many values wait
   */
  takeComplete(characteristics: () => number): MeasurementDraft[] {
    if (this.count < this.nextCheck) return [];
    const gathered = this.gather();
    const wanted = characteristics();
    const lastLine = this.lastLine();
    const lastComplete = gathered.findLast((one) => one.values.length >= wanted && one.lastLine < lastLine);
    // A measurement with fewer values is complete when all its lines stand before a later complete one.
    const done = lastComplete ? gathered.filter((one) => one === lastComplete || one.lastLine < lastComplete.firstLine) : [];
    const drafts = done.flatMap((one) => this.draftsOf(one));
    const taken = new Set(done.flatMap(({ values }) => values.map(([, value]) => value)));
    if (taken.size > 0) {
      for (const [characteristic, values] of this.waiting)
        this.waiting.set(
          characteristic,
          values.filter((value) => !taken.has(value)),
        );
      this.count -= taken.size;
    }
    if (this.count > MAX_WAITING) {
      throw new UnreadableFileError({
        line: this.lastLine(),
        key: 'K0001',
        message:
          `More than ${MAX_WAITING} values in keyed notation belong to measurements that are not complete. ` +
          'Split the file, or write one line for each measurement.',
      });
    }
    this.nextCheck = Math.max(FIRST_CHECK, 2 * this.count);
    return drafts;
  }

  /** Takes all measurements, at the end of the run. */
  takeAll(): MeasurementDraft[] {
    const drafts = this.gather().flatMap((one) => this.draftsOf(one));
    this.waiting.clear();
    this.count = 0;
    return drafts;
  }

  private lastLine(): number {
    let last = 0;
    for (const values of this.waiting.values()) last = Math.max(last, values.at(-1)?.line ?? 0);
    return last;
  }

  /** Gathers measurements: by K0080 and K0081, else by equal times, else by the order of the values. */
  private gather(): Gathered[] {
    const byKey = new Map<string, Gathered>();
    for (const [characteristic, values] of this.waiting) {
      const repeated = new Map<string, number>();
      values.forEach((value, ordinal) => {
        const base = keyOf(value, ordinal);
        const times = repeated.get(base) ?? 0;
        repeated.set(base, times + 1);
        const key = `${base}#${times}`;
        const last = value.fields.at(-1)?.[2] ?? value.line;
        const known = byKey.get(key);
        if (known) {
          known.values.push([characteristic, value]);
          known.firstLine = Math.min(known.firstLine, value.line);
          known.lastLine = Math.max(known.lastLine, last);
        } else byKey.set(key, { firstLine: value.line, lastLine: last, values: [[characteristic, value]] });
      });
    }
    return [...byKey.values()].sort((a, b) => a.firstLine - b.firstLine);
  }

  private draftsOf({ firstLine, values }: Gathered): MeasurementDraft[] {
    const ordered = values.sort((a, b) => a[0] - b[0]);
    const positions = ordered.map(([characteristic, { line, fields }]) => positionOf(characteristic, line, fields));
    return measurementsOf(this.part, firstLine, { positions }, this.context);
  }
}

function keyOf({ fields }: KeyedFields, ordinal: number): string {
  const textOf = (key: number) => fields.find(([field]) => field === key)?.[1].trim();
  const subgroup = textOf(SUBGROUP);
  if (subgroup) return `subgroup ${subgroup}/${textOf(SUBGROUP_POSITION) ?? ''}`;
  const time = textOf(TIME);
  return time ? `time ${time}` : `order ${ordinal}`;
}
