import type { Attributes, FileContent, FileMeasurement, FileReader, FoundTable, TableForms } from '../content.ts';
import { cleaned } from '../texts.ts';
import { Problems, shown, UnreadableFileError } from '../problems.ts';
import { readBlocks, type BlockReader } from '../read-blocks.ts';
import type { ReadOptions } from '../read-options.ts';
import { isNameless } from './names-of.ts';
import { isHeaderOfValues, isLimitName } from './odd-rows.ts';
import { describeTable, noteExamples } from './found-table.ts';
import { AttributeNames, isKeyRow, type NamedAttribute } from './column-names.ts';
import { columnsOf, guessColumns, type TableColumns, type ValueColumn } from './table-columns.ts';
import type { TableMapping } from './table-mapping.ts';
import { isMissing as isMissingText, TableNumbers } from './table-numbers.ts';
import { TablePlan, type PartDraft } from './table-plan.ts';
import { TableTimes } from './table-times.ts';

export interface TableOptions extends ReadOptions {
  mapping?: TableMapping | undefined;
  /** What was found in the whole table when it was read before. */
  forms?: TableForms | undefined;
  /** Attributes of the server, by whose names columns are found. */
  attributes?: readonly NamedAttribute[] | undefined;
}

/** A row of a table with its number from 1. */
export interface TableRow {
  line: number;
  /** Texts of the cells; there may be gaps. */
  cells: readonly (string | undefined)[];
  /** Whether the cell at a position holds a number of the program that wrote it, and no text. */
  isNumber?: readonly boolean[];
  /** Why cells cannot be read, by their position. */
  problems?: ReadonlyMap<number, string>;
}

/** The file that a table stands in, as far as it is known when its first row is read. */
export interface TableSource {
  /** Between the fields of CSV. */
  separator?: string;
  /** Sheet of a workbook that is read because none was named, and the others. */
  sheets?: readonly string[];
}

const TIME = '4';
/** Beginning of a time of day. */
const CLOCK = /^\d{1,2}:/;
const HAS_TEXT = /[^\s\p{Cc}]/u;
/** Attributes of characteristics that are numbers: nominal values, limits and allowances. */
const NUMBER_KEYS: ReadonlySet<string> = new Set(['2100', '2101', '2110', '2111', '2112', '2113', '2114', '2115', '2130', '2131']);

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

/**
 * Reads the rows of a table. In long layout the rows of one measurement stand together.
 * @param rowsOf yields the rows, and fills in the source before the first one
 */
export function readTable(
  rowsOf: (source: TableSource, problems: Problems) => AsyncIterable<readonly TableRow[]>,
  options: TableOptions,
): FileReader {
  const problems = new Problems();
  const source: TableSource = {};
  const reader = new TableReader(problems, source, options);
  return readBlocks(rowsOf(source, problems), reader, problems);
}

class TableReader implements BlockReader<readonly TableRow[]> {
  private readonly problems: Problems;
  private readonly source: TableSource;
  private readonly mapping: TableMapping;
  private readonly forms: TableForms;
  private readonly times: TableTimes;
  private readonly hasZone: boolean;
  private readonly plan: TablePlan;
  private numbers: TableNumbers | undefined;
  private readonly attributes: AttributeNames;
  private columns: TableColumns | undefined;
  /** The first row, until the second one shows whether it is that of the keys. */
  private first: TableRow | undefined;
  private found: FoundTable | undefined;
  private current: OpenMeasurement | undefined;
  /** Where a date stands whose order was not known. */
  private undecided: { line: number; key: string; message: string } | undefined;
  /** Characteristics of the measurement before: equal lists share one array. */
  private lastList: readonly number[] = [];
  private ready: FileMeasurement[] = [];
  private measurements = 0;
  private values = 0;
  private empty = { count: 0, line: 0 };

  constructor(problems: Problems, source: TableSource, { zone, dateOrder, mapping = {}, forms = {}, attributes }: TableOptions) {
    this.attributes = new AttributeNames(attributes);
    this.problems = problems;
    this.source = source;
    this.mapping = mapping;
    this.forms = forms;
    this.times = new TableTimes(zone ?? 'UTC', mapping.dateOrder ?? dateOrder, forms.dateOrder);
    this.hasZone = zone !== undefined;
    this.plan = new TablePlan(problems);
  }

  read(rows: readonly TableRow[]): void {
    for (const row of rows) this.readRow(row);
  }

  private readRow(row: TableRow): void {
    const { line, cells } = row;
    if (isEmpty(cells) && row.problems === undefined) return;
    if (!this.columns) {
      const { headerRow } = this.mapping;
      if (line < (headerRow ?? 1)) return;
      if (headerRow === undefined && !this.first) {
        this.first = row;
        return;
      }
      if (!this.first || isKeyRow(cells)) {
        this.columns = this.readHeader(cells, line);
        return;
      }
    }
    const columns = this.columns ?? this.readFirst();
    if (line < (this.mapping.dataRow ?? 0)) return;
    if (this.found) noteExamples(this.found, cells);
    if (cells.length > columns.names.length && !isEmpty(cells.slice(columns.names.length))) {
      this.refuse(
        line,
        undefined,
        `The row has ${cells.length} fields and the header row ${columns.names.length}. Quote fields that hold the separator.`,
      );
      return;
    }
    for (const [position, message] of row.problems ?? []) {
      if (columns.others.includes(position)) continue;
      this.refuse(line, columns.names[position], message);
      return;
    }
    const limit = columns.labels.find((position) => isLimitName(cells[position] ?? ''));
    if (limit !== undefined) this.refuseLimits(line, columns.names[limit], cells[limit] ?? '');
    else if (columns.characteristic.length === 0) this.readWide(row, columns);
    else this.readLong(row, columns, columns.values[0] as ValueColumn);
  }

  /** Takes the first row for the header row. */
  private readFirst(): TableColumns {
    const { cells, line } = this.first as TableRow;
    this.columns = this.readHeader(cells, line);
    return this.columns;
  }

  private readHeader(cells: TableRow['cells'], line: number): TableColumns {
    const header = Array.from(cells, (cell) => cell ?? '');
    const { decimal, headerRow, columns } = this.mapping;
    this.numbers = new TableNumbers({ decimal, isCommaSeparated: this.source.separator === ',', forms: this.forms });
    try {
      if (headerRow === undefined && columns === undefined && isHeaderOfValues(header)) {
        throw new UnreadableFileError({ line, message: 'The row has numbers or dates only, and is no header row with names of columns.' });
      }
      const guessed = guessColumns(header, this.mapping, this.attributes);
      this.found = describeTable(guessed, this.source, line);
      return columnsOf(guessed, this.mapping, line);
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      throw new UnreadableFileError({ ...error.problem, message: error.problem.message + this.hint() });
    }
  }

  take(): FileMeasurement[] {
    const taken = this.ready;
    this.ready = [];
    return taken;
  }

  end(): void {
    if (!this.columns && this.first) this.readFirst();
    this.close();
    if (!this.columns)
      this.problems.error(
        undefined,
        undefined,
        `The file has no header row with the names of its columns. Export it again, or set headerRow in the mapping.${this.hint()}`,
      );
    else if (this.measurements === 0 && this.problems.errorCount === 0)
      this.problems.error(undefined, undefined, `The file has no row with a value below its header row. Export it again.${this.hint()}`);
    if (this.undecided && this.times.foundOrder === 'undecided') {
      this.problems.error(this.undecided.line, this.undecided.key, this.undecided.message);
    }
    const { count, line } = this.empty;
    if (count > 0)
      this.problems.warn(
        line,
        undefined,
        `${count === 1 ? 'A row has no value and makes' : `${count} rows have no value and make`} no measurement; this is the first.`,
      );
  }

  content(): FileContent {
    const parts = this.plan.finish();
    const { foundOrder } = this.times;
    const numbers = this.numbers?.changedForms;
    return {
      parts,
      catalogEntries: [],
      ...this.problems.summary(),
      measurements: this.measurements,
      values: this.values,
      hasEntryKeys: this.columns?.hasEntryKeys === true,
      ...(this.found && { table: this.found }),
      ...((foundOrder !== undefined || numbers !== undefined) && {
        readAgainWith: { ...this.forms, ...numbers, ...(foundOrder && { dateOrder: foundOrder }) },
      }),
    };
  }

  private readWide(row: TableRow, columns: TableColumns): void {
    this.open(row.cells, row.line, columns, `row ${row.line}`);
    for (const column of columns.values) {
      const written = row.cells[column.position];
      if (written === undefined || written.length === 0) continue;
      const value = this.valueOf(row, column, written);
      if (value === undefined) continue;
      const part = this.current?.part as PartDraft;
      let index = part.known.get(column.characteristic);
      if (index === undefined) {
        index = this.plan.characteristicOf(part, column.characteristic, { line: row.line, key: column.name });
        for (const key in column.attributes) this.describe(index, key, column.attributes[key] as string, row.line, column.name);
      }
      this.addValue(index, value, { line: row.line, key: column.name });
    }
    this.close();
  }

  private readLong(row: TableRow, columns: TableColumns, column: ValueColumn): void {
    const { line, cells } = row;
    const key = columns.names[columns.characteristic[0] ?? -1] ?? '';
    const levels = columns.characteristic.map((position) => (cells[position] ?? '').trim());
    const name = levels.length === 1 ? (levels[0] as string) : levels.filter((level) => level.length > 0).join('/');
    if (isNameless(name)) {
      this.refuse(line, key, 'The row names no characteristic. Write its name into this column.');
      return;
    }
    const common = [columns.part, ...columns.time, ...columns.measurementAttributes.map((one) => one.position)];
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
    for (const { position, key: attribute } of columns.characteristicAttributes) {
      const text = (cells[position] ?? '').trim();
      if (text.length > 0) this.describe(index, attribute, text, line, columns.names[position] ?? '');
    }
    const value = this.valueOf(row, column, cells[column.position] ?? '');
    if (value !== undefined) this.addValue(index, value, { line, key: column.name });
  }

  /** Adds an attribute to a characteristic; a number gets a decimal point. */
  private describe(characteristic: number, key: string, text: string, line: number, column: string): void {
    let written: string | undefined = cleaned(text);
    if (NUMBER_KEYS.has(key)) {
      written = this.numbers?.read(text);
      if (written === undefined) this.refuse(line, column, this.numbers?.problem ?? '');
    }
    if (written !== undefined && written.length > 0) this.plan.describe(characteristic, key, written);
  }

  /** The number of an attribute with a decimal point; any other text as it is. */
  private pointed(text: string): string {
    const number = this.numbers?.read(text);
    return number === undefined || number === '' || this.numbers?.unit !== '' ? text : number;
  }

  private open(cells: TableRow['cells'], line: number, columns: TableColumns, identity: string): void {
    const written = cleaned(columns.part === undefined ? '' : (cells[columns.part] ?? ''));
    const partText = written.length > 0 ? written : (this.mapping.part ?? '');
    const key = columns.names[columns.part ?? -1] ?? 'part';
    const isHere = isNameless(partText);
    const isMissing = columns.part !== undefined && isHere;
    if (isMissing) this.refuse(line, key, 'The row names no part. Fill the column, or name the part of such rows in the mapping.');
    const part = this.plan.partOf(isHere ? '' : partText, { line, key });
    const attributes: Record<string, string> = {};
    for (const { position, key: attribute } of columns.partAttributes) {
      const text = cleaned(cells[position] ?? '');
      if (text.length > 0) part.attributes[attribute] ??= text;
    }
    for (const { position, key: attribute } of columns.measurementAttributes) {
      const text = cleaned(cells[position] ?? '');
      if (text.length > 0) attributes[attribute] = this.attributes.isNumber(attribute) ? this.pointed(text) : text;
    }
    this.current = { part, line, identity, attributes, characteristics: [], values: [], taken: new Set(), isBad: isMissing };
    if (columns.time.length > 0) this.readTime(cells, line, columns, attributes, this.current);
  }

  private readTime(
    cells: TableRow['cells'],
    line: number,
    { time, names }: TableColumns,
    attributes: Record<string, string>,
    current: OpenMeasurement,
  ): void {
    const [first = '', second = ''] = time
      .map((position) => cleaned(cells[position] ?? ''))
      .map((text) => (isMissingText(text) ? '' : text));
    const written = (CLOCK.test(first) ? `${second} ${first}` : `${first} ${second}`).trim();
    if (written.length === 0) return;
    const key = names[time[0] ?? -1] ?? '';
    const read = this.times.read(written);
    if (read === undefined) {
      current.isBad = true;
      this.refuse(line, key, this.times.problem);
    } else attributes[TIME] = read;
    if (this.undecided === undefined && this.times.foundOrder !== undefined) this.undecided = { line, key, message: this.times.problem };
    if (!this.hasZone && !/(?:Z|[+-]\d\d:\d\d)$/.test(written)) {
      this.problems.warnOnce(
        'zone',
        line,
        key,
        'The times of the file have no zone and are taken as UTC. Name the zone, for example Europe/Berlin.',
      );
    }
  }

  /** @returns the number of a cell; `undefined` when it holds none */
  private valueOf({ line, isNumber }: TableRow, { position, name }: ValueColumn, written: string): string | undefined {
    const numbers = this.numbers as TableNumbers;
    const isExact = isNumber?.[position] === true;
    const value = isExact ? written : numbers.read(written);
    if (isExact) numbers.unit = '';
    if (value !== undefined) return value.length === 0 ? undefined : value;
    if (this.current) this.current.isBad = true;
    if (isLimitName(written)) this.refuseLimits(line, name, written);
    else this.refuse(line, name, numbers.problem);
    return undefined;
  }

  private addValue(index: number, value: string, { line, key }: { line: number; key: string }): void {
    const { current } = this;
    if (!current) return;
    const unit = this.numbers?.unit ?? '';
    const other = this.plan.noteUnit(index, unit);
    if (other !== undefined) {
      current.isBad = true;
      const [here, before] = [unit, other].map((one) => (one.length > 0 ? `the unit ${shown(one)}` : 'no unit'));
      this.refuse(line, key, `The value has ${here}, and the characteristic ${before}. Write all its values in one unit.`);
    } else if (current.taken.has(index)) {
      current.isBad = true;
      this.refuse(line, key, 'The measurement has two values of this characteristic. Give each measurement a text of its own.');
    } else {
      current.taken.add(index);
      current.characteristics.push(index);
      current.values.push(value);
    }
  }

  private close(): void {
    const { current } = this;
    this.current = undefined;
    if (!current || current.isBad) return;
    const { part, line, attributes, characteristics, values } = current;
    if (values.length === 0) {
      this.empty = { count: this.empty.count + 1, line: this.empty.line || line };
      return;
    }
    const isSame = characteristics.length === this.lastList.length && characteristics.every((one, i) => one === this.lastList[i]);
    this.lastList = isSame ? this.lastList : characteristics;
    this.ready.push({ part: part.index, line, attributes, characteristics: this.lastList, values, valueAttributes: undefined });
    this.measurements += 1;
    this.values += values.length;
  }

  private refuseLimits(line: number, key: string | undefined, text: string): void {
    this.refuse(
      line,
      key,
      `The row with ${shown(text)} holds limits or nominal values and no measurement. Remove it, and give them in the mapping as ` +
        '"attributes" of the values, or in columns of their own.',
    );
  }

  /** Notes an error; before the first measurement with a hint that another row or sheet may be meant. */
  private refuse(line: number, key: string | undefined, message: string): void {
    this.problems.error(line, key, this.measurements === 0 && this.problems.errorCount === 0 ? message + this.hint() : message);
  }

  private hint(): string {
    const { sheets = [] } = this.source;
    const isHeaderCertain = this.columns?.isCertain === true || this.mapping.headerRow !== undefined;
    const [read = '', ...others] = sheets.slice(0, 20).map(shown);
    return (
      (isHeaderCertain ? '' : ' If the names of the columns stand in another row, say headerRow in the mapping.') +
      (others.length > 0 ? ` The sheet ${read} was read; to read ${others.join(', ')}, say sheet in the mapping.` : '')
    );
  }
}

/** Whether no cell has a text. */
export function isEmpty(cells: TableRow['cells']): boolean {
  return cells.every((cell) => cell === undefined || cell.length === 0 || !HAS_TEXT.test(cell));
}
