import { parseTime, shownOrder, TIME_FORMS } from '../date-forms.ts';
import type { Attributes, ByteSource, FileContent, FileMeasurement, FilePart, FileReader } from '../content.ts';
import { refuseForeign } from '../foreign-files.ts';
import { nameSiblings } from '../names.ts';
import { readNumberText } from '../number-text.ts';
import { Problems, shown, UnreadableFileError } from '../problems.ts';
import { readBlocks, type BlockReader } from '../read-blocks.ts';
import type { ReadOptions } from '../read-options.ts';
import { textBlocks, type TextBlock } from '../text-lines.ts';
import { cleaned } from '../texts.ts';
import { TimeReader } from '../time-reader.ts';

/** Columns that a table of characteristics must have. */
const [ID, ACTUAL] = ['id', 'actual'] as const;
/** A column that only the header table has. */
const DATE = 'date';
const [PLAN, PART_NUMBER] = ['planid', 'partnb'] as const;
const END_OF_TABLE = 'END';

/** Columns of numbers that describe a characteristic, by the key of their attribute. */
const NUMBERS: readonly (readonly [column: string, key: string])[] = [
  ['nominal', '2101'],
  ['lowertol', '2112'],
  ['uppertol', '2113'],
  ['decimalplaces', '2022'],
];
/** Columns of kinds of limits by the key of their attribute. */
const BOUNDARIES: readonly (readonly [column: string, key: string])[] = [
  ['natlowertolid', '2120'],
  ['natuppertolid', '2121'],
];
/** Kind of a limit that no value can pass, in the columns and in the attributes. */
const NATURAL = '2';
/** Columns that tables of characteristics have and tables of features do not. */
const OF_CHARACTERISTICS = ['nominal', 'uppertol', 'lowertol'];
const TEXTS: readonly (readonly [column: string, key: string])[] = [
  ['unit', '2142'],
  ['comment', '2900'],
];
/** Columns of the header table by the key of their attribute. */
const HEADER: readonly (readonly [column: string, key: string])[] = [
  ['operator', '8'],
  ['operid', '8'],
  ['partsn', '14'],
  ['partnb', '14'],
  ['order', '53'],
];

/** Limits of one file, so that a damaged one takes no memory. */
const MAX_CHARACTERISTICS = 200_000;
const MAX_COLUMNS = 1000;

interface CharacteristicDraft {
  index: number;
  line: number;
  attributes: Record<string, string>;
}

interface PartDraft {
  index: number;
  line: number;
  number: string;
  characteristics: Map<string, CharacteristicDraft>;
}

/**
 * Reads tables of CALYPSO: a table of characteristics (`…_chr.txt`), with the header table (`…_hdr.txt`) before it when there is one.
 * Rows with the same part number in a row are one measurement.
 */
export function readCalypso(source: ByteSource, options: ReadOptions = {}): FileReader {
  const problems = new Problems();
  const reader = new CalypsoReader(problems, options);
  return readBlocks(textBlocks(refuseForeign(source, 'calypso'), options.encoding, problems), reader, problems);
}

class CalypsoReader implements BlockReader<TextBlock> {
  private readonly problems: Problems;
  private readonly options: ReadOptions;
  private columns: readonly string[] | undefined;
  /** The attributes that the header table gives to the measurements. */
  private header: Record<string, string> = {};
  private readonly parts = new Map<string, PartDraft>();
  private characteristicCount = 0;
  private current:
    { part: PartDraft; number: string; line: number; characteristics: number[]; values: string[]; isBad: boolean } | undefined;
  private ready: FileMeasurement[] = [];
  private measurements = 0;
  private values = 0;

  constructor(problems: Problems, options: ReadOptions) {
    this.problems = problems;
    this.options = options;
  }

  read({ text, firstLine }: TextBlock): void {
    let line = firstLine;
    for (const row of text.split('\n')) this.readLine(row.replace(/\r$/, ''), line++);
  }

  private readLine(text: string, line: number): void {
    const first = text.trim();
    if (first.length === 0 || first === END_OF_TABLE) return;
    const cells = text.split('\t').map(cleaned);
    const names = cells.map((cell) => cell.toLowerCase());
    if (names.includes(PLAN) && (names.includes(ACTUAL) || names.includes(DATE))) {
      if (names.length > MAX_COLUMNS) throw new UnreadableFileError({ line, message: `The table has more than ${MAX_COLUMNS} columns.` });
      this.close();
      if (names.includes(ACTUAL) && !OF_CHARACTERISTICS.some((name) => names.includes(name))) throw ofFeatures(line);
      this.columns = names;
      return;
    }
    if (!this.columns) {
      const message =
        `Line ${line} (${shown(text)}) is no header row. ` +
        'A table of CALYPSO begins with the names of its columns, such as planid, partnb, id and actual, separated by tabs.';
      throw new UnreadableFileError({ line, message });
    }
    const cell = (column: string) => cells[this.columns?.indexOf(column) ?? -1] ?? '';
    if (this.columns.includes(ACTUAL)) this.readValue(cell, line);
    else this.readHeader(cell, line);
  }

  take(): FileMeasurement[] {
    const taken = this.ready;
    this.ready = [];
    return taken;
  }

  end(): void {
    this.close();
    if (this.columns === undefined) this.problems.error(undefined, undefined, 'The file is empty. Export it again.');
    else if (this.parts.size === 0) {
      const message = 'The file has no row with a characteristic. Give the table of characteristics, whose name ends with _chr.txt.';
      this.problems.error(undefined, ACTUAL, message);
    }
  }

  content(): FileContent {
    const drafts = [...this.parts.values()];
    const names = nameSiblings(
      drafts.map(({ number, index, line }) => ({ wanted: number, number: String(index), fallback: `Part ${index}`, line, key: PLAN })),
      this.problems,
    );
    const parts = drafts.map(({ index, number, characteristics }, i): FilePart => {
      const items = [...characteristics.entries()];
      const own = nameSiblings(
        items.map(([id, draft]) => ({
          wanted: id,
          number: String(draft.index),
          fallback: `Characteristic ${draft.index}`,
          line: draft.line,
          key: ID,
        })),
        this.problems,
      );
      return {
        index,
        name: names[i] as string,
        attributes: number.length > 0 ? { 1001: number } : {},
        characteristics: items.map(([, draft], i) => ({
          index: draft.index,
          name: own[i] as string,
          attributes: draft.attributes,
          children: [],
        })),
      };
    });
    return { parts, catalogEntries: [], ...this.problems.summary(), measurements: this.measurements, values: this.values };
  }

  private readHeader(cell: (column: string) => string, line: number): void {
    this.header = {};
    for (const [column, key] of HEADER) {
      const text = cell(column);
      if (text.length > 0) this.header[key] ??= text;
    }
    const date = cell(DATE);
    if (date.length === 0) return;
    const written = `${date} ${cell('time')}`.trim();
    const { zone, dateOrder = shownOrder(date) } = this.options;
    const time = new TimeReader(zone ?? 'UTC', dateOrder).read(written);
    if (parseTime(written, dateOrder) === 'ambiguous')
      this.problems.error(line, DATE, `The day and the month of ${shown(written)} cannot be told apart. Say dateOrder: dmy or mdy.`);
    else if (time === undefined) this.problems.error(line, DATE, `${shown(written)} is no date that is known. Write ${TIME_FORMS}.`);
    else {
      this.header['4'] = time;
      if (zone === undefined) {
        this.problems.warnOnce(
          'zone',
          line,
          DATE,
          'The times of the file have no zone and are taken as UTC. Name the zone, for example Europe/Berlin.',
        );
      }
    }
  }

  private readValue(cell: (column: string) => string, line: number): void {
    const id = cell(ID);
    if (id.length === 0) {
      this.problems.error(line, ID, 'The row names no characteristic. Write its name into the column id.');
      return;
    }
    const part = this.partOf(cell(PLAN), line);
    const number = cell(PART_NUMBER);
    const index = this.characteristicOf(part, id, cell, line).index;
    if (this.current?.part !== part || this.current.number !== number || this.current.characteristics.includes(index)) {
      this.close();
      this.current = { part, number, line, characteristics: [], values: [], isBad: false };
    }
    const written = cell(ACTUAL);
    if (written.length === 0) return;
    const value = readNumberText(written);
    if (value === undefined) {
      this.current.isBad = true;
      this.problems.error(
        line,
        ACTUAL,
        `${shown(written)} is no number. Write a value such as 20.012, or leave the field empty where there is none.`,
      );
      return;
    }
    this.current.characteristics.push(index);
    this.current.values.push(value);
  }

  private partOf(number: string, line: number): PartDraft {
    let part = this.parts.get(number);
    if (!part) {
      part = { index: this.parts.size + 1, line, number, characteristics: new Map() };
      this.parts.set(number, part);
      if (number.length === 0)
        this.problems.warn(line, PLAN, `The row names no plan; its part is called "Part ${part.index}". Fill the column planid.`);
    }
    return part;
  }

  private characteristicOf(part: PartDraft, id: string, cell: (column: string) => string, line: number): CharacteristicDraft {
    const known = part.characteristics.get(id);
    if (known) return known;
    this.characteristicCount += 1;
    if (this.characteristicCount > MAX_CHARACTERISTICS) {
      throw new UnreadableFileError({
        line,
        message: `The file has more than ${MAX_CHARACTERISTICS} characteristics. Split it into several files.`,
      });
    }
    const attributes: Record<string, string> = { 2002: id };
    for (const [column, key] of NUMBERS) {
      const text = cell(column);
      const number = readNumberText(text);
      if (number !== undefined) attributes[key] = number;
      else if (text.length > 0)
        this.problems.warn(line, column, `${shown(text)} is no number, so that ${column} is left out. Write a number such as 19.95.`);
    }
    for (const [column, key] of TEXTS) {
      const text = cell(column);
      if (text.length > 0) attributes[key] = text;
    }
    for (const [column, key] of BOUNDARIES) if (cell(column) === NATURAL) attributes[key] = NATURAL;
    const draft = { index: this.characteristicCount, line, attributes };
    part.characteristics.set(id, draft);
    return draft;
  }

  private close(): void {
    const { current } = this;
    this.current = undefined;
    if (!current || current.isBad || current.values.length === 0) return;
    const attributes: Attributes = {
      ...this.header,
      ...(current.number.length > 0 && this.header['14'] === undefined && { 14: current.number }),
    };
    this.ready.push({
      part: current.part.index,
      line: current.line,
      attributes,
      characteristics: current.characteristics,
      values: current.values,
      valueAttributes: undefined,
    });
    this.measurements += 1;
    this.values += current.values.length;
  }
}

function ofFeatures(line: number): UnreadableFileError {
  const message =
    `The table in line ${line} has neither nominal values nor tolerances: it is a table of features of CALYPSO (_fet.txt). ` +
    'Import the table of characteristics, whose name ends with _chr.txt.';
  return new UnreadableFileError({ line, message });
}
