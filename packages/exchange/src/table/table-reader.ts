import { TIME_FORMS } from '../date-forms.js';
import type { Attributes, FileContent, FileMeasurement, FileReader } from '../content.js';
import { readNumberText } from '../number-text.js';
import { Problems, shown } from '../problems.js';
import { readBlocks, type BlockReader } from '../read-blocks.js';
import type { ReadOptions } from '../read-options.js';
import { TimeReader } from '../time-reader.js';
import { columnsOf, type TableColumns } from './table-columns.js';
import type { TableMapping } from './table-mapping.js';
import { namesOf, TablePlan, type PartDraft } from './table-plan.js';

export interface TableOptions extends ReadOptions {
  mapping?: TableMapping | undefined;
}

/** A row of a table with its number from 1. */
export interface TableRow {
  line: number;
  cells: readonly string[];
}

const TIME = '4';

interface OpenMeasurement {
  part: PartDraft;
  line: number;
  /** Text that equal rows of the measurement share. */
  identity: string;
  attributes: Attributes;
  characteristics: number[];
  values: string[];
  taken: Set<number>;
  isBad: boolean;
}

/** Reads the rows of a table. In long layout the rows of one measurement stand together. */
export function readTable(rows: AsyncIterable<readonly TableRow[]>, options: TableOptions, problems = new Problems()): FileReader {
  const reader = new TableReader(problems, options);
  return readBlocks(rows, reader, problems);
}

class TableReader implements BlockReader<readonly TableRow[]> {
  private readonly problems: Problems;
  private readonly mapping: TableMapping;
  private readonly clock: TimeReader;
  private readonly hasZone: boolean;
  private readonly plan: TablePlan;
  private columns: TableColumns | undefined;
  private current: OpenMeasurement | undefined;
  /** Characteristics of the measurement before: equal lists share one array. */
  private lastList: readonly number[] = [];
  private ready: FileMeasurement[] = [];
  private measurements = 0;
  private values = 0;

  constructor(problems: Problems, { zone, dateOrder, mapping = {} }: TableOptions) {
    this.problems = problems;
    this.mapping = mapping;
    this.clock = new TimeReader(zone ?? 'UTC', dateOrder ?? 'mdy');
    this.hasZone = zone !== undefined;
    this.plan = new TablePlan(problems);
  }

  read(rows: readonly TableRow[]): void {
    for (const row of rows) this.readRow(row);
  }

  private readRow({ line, cells }: TableRow): void {
    if (!this.columns) {
      if (line < (this.mapping.headerRow ?? 1) || isEmpty(cells)) return;
      this.columns = columnsOf(cells, this.mapping, line);
      return;
    }
    if (isEmpty(cells)) return;
    if (cells.length > this.columns.names.length && !isEmpty(cells.slice(this.columns.names.length))) {
      this.problems.error(
        line,
        undefined,
        `The row has ${cells.length} fields and the header row ${this.columns.names.length}. Quote fields that hold the separator.`,
      );
      return;
    }
    if (this.columns.characteristic === undefined) this.readWide(cells, line, this.columns);
    else this.readLong(cells, line, this.columns, this.columns.characteristic);
  }

  take(): FileMeasurement[] {
    const taken = this.ready;
    this.ready = [];
    return taken;
  }

  end(): void {
    this.close();
    if (!this.columns)
      this.problems.error(
        undefined,
        undefined,
        'The file has no header row with the names of its columns. Export it again, or set headerRow in the mapping.',
      );
    else if (this.measurements === 0 && this.problems.errorCount === 0) {
      this.problems.error(undefined, undefined, 'The file has no row with a value below its header row. Export it again.');
    }
  }

  content(): FileContent {
    const parts = this.plan.finish();
    return { parts, catalogEntries: [], ...this.problems.summary(), measurements: this.measurements, values: this.values };
  }

  private readWide(cells: readonly string[], line: number, columns: TableColumns): void {
    this.open(cells, line, columns, `row ${line}`);
    for (const { place, name, characteristic, attributes } of columns.values) {
      const written = cells[place] ?? '';
      if (written.trim().length === 0) continue;
      const part = this.current?.part as PartDraft;
      const isNew = !part.known.has(characteristic);
      const index = this.plan.characteristicOf(part, characteristic, { line, key: name });
      if (isNew) for (const key in attributes) this.plan.describe(index, key, attributes[key] as string);
      this.addValue(index, written, { line, key: name });
    }
    this.close();
  }

  private readLong(cells: readonly string[], line: number, columns: TableColumns, place: number): void {
    const key = columns.names[place] ?? '';
    const name = (cells[place] ?? '').trim();
    if (namesOf(name).length === 0) {
      this.problems.error(line, key, 'The row names no characteristic. Write its name into this column.');
      return;
    }
    const common = [columns.part, columns.time, ...columns.measurementAttributes.map((column) => column.place)];
    const identity =
      columns.measurement === undefined
        ? JSON.stringify(common.map((one) => (one === undefined ? '' : cells[one])))
        : `${cells[columns.part ?? -1] ?? ''}\n${cells[columns.measurement] ?? ''}`;
    const sameRow = this.current?.identity === identity;
    const known = sameRow ? this.current?.part.known.get(name) : undefined;
    if (!sameRow || (columns.measurement === undefined && known !== undefined && this.current?.taken.has(known) === true)) {
      this.close();
      this.open(cells, line, columns, identity);
    }
    const part = this.current?.part as PartDraft;
    const index = this.plan.characteristicOf(part, name, { line, key });
    for (const column of columns.characteristicAttributes) {
      const text = (cells[column.place] ?? '').trim();
      if (text.length > 0) this.plan.describe(index, column.key, text);
    }
    const valueColumn = columns.values[0] as { place: number; name: string };
    this.addValue(index, cells[valueColumn.place] ?? '', { line, key: valueColumn.name });
  }

  private open(cells: readonly string[], line: number, columns: TableColumns, identity: string): void {
    const partText = (columns.part === undefined ? '' : (cells[columns.part] ?? '')).trim() || (this.mapping.part ?? '');
    const part = this.plan.partOf(partText, { line, key: columns.names[columns.part ?? -1] ?? 'part' });
    const attributes: Record<string, string> = {};
    for (const { place, key } of columns.partAttributes) {
      const text = (cells[place] ?? '').trim();
      if (text.length > 0) part.attributes[key] ??= text;
    }
    for (const { place, key } of columns.measurementAttributes) {
      const text = (cells[place] ?? '').trim();
      if (text.length > 0) attributes[key] = text;
    }
    let isBad = false;
    const written = columns.time === undefined ? '' : (cells[columns.time] ?? '').trim();
    if (written.length > 0) {
      const key = columns.names[columns.time ?? -1];
      const time = this.clock.read(written);
      if (time === undefined) {
        isBad = true;
        this.problems.error(line, key, `${shown(written)} is no date that is known. Write ${TIME_FORMS}.`);
      } else attributes[TIME] = time;
      if (!this.hasZone && !/(?:Z|[+-]\d\d:\d\d)$/.test(written)) {
        this.problems.warnOnce(
          'zone',
          line,
          key,
          'The times of the file have no zone and are taken as UTC. Name the zone, for example Europe/Berlin.',
        );
      }
    }
    this.current = { part, line, identity, attributes, characteristics: [], values: [], taken: new Set(), isBad };
  }

  private addValue(index: number, written: string, { line, key }: { line: number; key: string }): void {
    const { current } = this;
    if (!current || written.trim().length === 0) return;
    const value = this.mapping.decimal === '.' && written.includes(',') ? undefined : this.numberOf(written);
    if (value === undefined) {
      current.isBad = true;
      this.problems.error(
        line,
        key,
        `${shown(written)} is no number. Write a value such as 20.012, or leave the field empty where there is none.`,
      );
    } else if (current.taken.has(index)) {
      current.isBad = true;
      this.problems.error(line, key, 'The measurement has two values of this characteristic. Give each measurement a text of its own.');
    } else {
      current.taken.add(index);
      current.characteristics.push(index);
      current.values.push(value);
    }
  }

  private numberOf(written: string): string | undefined {
    return this.mapping.decimal === ',' && written.includes('.') ? undefined : readNumberText(written);
  }

  private close(): void {
    const { current } = this;
    this.current = undefined;
    if (!current || current.isBad) return;
    const { part, line, attributes, characteristics, values } = current;
    const isKept = values.length > 0 || (this.columns?.characteristic === undefined && Object.keys(attributes).length > 0);
    if (!isKept) return;
    const isSame = characteristics.length === this.lastList.length && characteristics.every((one, i) => one === this.lastList[i]);
    this.lastList = isSame ? this.lastList : characteristics;
    this.ready.push({ part: part.index, line, attributes, characteristics: this.lastList, values, valueAttributes: undefined });
    this.measurements += 1;
    this.values += values.length;
  }
}

function isEmpty(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim().length === 0);
}
