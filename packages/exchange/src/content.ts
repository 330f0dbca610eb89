import type { DateOrder } from './date-forms.ts';

/** Attribute values by key. In AQDEF the key of K2101 is 2101. */
export type Attributes = Readonly<Record<string, string>>;

/** A characteristic of a file. */
export interface FileCharacteristic {
  /** Number that the values of the file refer to; `undefined` for a group, which has no values. */
  index: number | undefined;
  /** Name among its siblings. */
  name: string;
  attributes: Attributes;
  /** Unit behind each of its values, which is its attribute 2142, too. */
  valueUnit?: string;
  children: readonly FileCharacteristic[];
}

/** A part of a file with its characteristics. */
export interface FilePart {
  /** Number that the measurements of the file refer to. */
  index: number;
  /** Name among the parts of the file with the same parts above; empty for the part below which the file stands. */
  name: string;
  /** Names of the parts above it, from the outermost on; none when left out. */
  above?: readonly string[];
  attributes: Attributes;
  characteristics: readonly FileCharacteristic[];
}

/** A measurement with its values. Arrays are indexed by the position of a value. */
export interface FileMeasurement {
  /** `index` of its part. */
  part: number;
  /** Line or row on which it begins, from 1. */
  line: number;
  /** Attributes by key; the key 4 has the time as `2026-01-05T07:30:00Z`. */
  attributes: Attributes;
  /** `index` of the characteristics. Measurements with equal lists in a row may share one array. */
  characteristics: readonly number[];
  /** Measured values as number texts with a decimal point; for attributive characteristics the number of errors. */
  values: readonly string[];
  /** Further attributes of values, by the position of the value. */
  valueAttributes: ReadonlyMap<number, Attributes> | undefined;
}

/** An entry of a catalog that a file describes, for example a machine. */
export interface FileCatalogEntry {
  /** Attribute whose values refer to the catalog, for example 10 for machines. */
  attribute: number;
  /** The number that values refer to. */
  number: string;
  attributes: Attributes;
}

/** Content of a file without its measurements. */
export interface FileContent {
  parts: readonly FilePart[];
  catalogEntries: readonly FileCatalogEntry[];
  errors: readonly Problem[];
  warnings: readonly Problem[];
  /** Number of warnings at the end of the list that matter less than those of others. */
  minorWarnings: number;
  /** Number of all errors; the list of them is limited. */
  errorCount: number;
  warningCount: number;
  measurements: number;
  values: number;
  /** Whether attributes may have keys of entries of catalogs, as in tables of earlier exports of this product. */
  hasEntryKeys?: boolean;
  /** What the whole table shows about cells that were read before it was known: read the file again with these forms. */
  readAgainWith?: TableForms;
  /** How a table was read. */
  table?: FoundTable;
}

/** How a table was read, as the start of a mapping. */
export interface FoundTable {
  headerRow: number;
  /** Between the fields of CSV. */
  separator?: string;
  /** Sheets of a workbook, the one that was read first. */
  sheets?: string[];
  /** The first columns. */
  columns: FoundColumn[];
  columnCount: number;
}

export interface FoundColumn {
  name: string;
  /** What it was taken for, in the form of `columns` of a mapping. */
  holds: Readonly<Record<string, unknown>>;
  /** Texts of the first rows. */
  examples: string[];
}

/** What cells mean that only the whole of a table shows. */
export interface TableForms {
  dateOrder?: DateOrder | 'undecided';
  /** A comma before decimals, so that a lone `1.234` may be a thousand. */
  hasDecimalCommas?: boolean;
  /** A comma between thousands, so that a lone `1,234` may be a thousand. */
  hasCommaGroups?: boolean;
}

/** A problem in a file, with its position. */
export interface Problem {
  /** Line or row from 1; `undefined` for the file as a whole. */
  line?: number | undefined;
  /** Field or column, for example `K2110`. */
  key?: string | undefined;
  /** A sentence that says what was found and what to do. */
  message: string;
}

/** Yields the measurements of a file, some at a time, and returns the rest of its content. */
export type FileReader = AsyncGenerator<readonly FileMeasurement[], FileContent>;

/** Bytes of a file in their order. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
