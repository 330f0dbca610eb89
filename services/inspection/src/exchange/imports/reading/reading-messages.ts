import type { MessagePort } from 'node:worker_threads';
import type { FileContent, FileMeasurement, FilePart, NamedAttribute, TableForms } from '@sinebar/exchange';
import type { ImportFormat, ReadingOptions } from '../import-request.ts';

/** A file for a worker thread to read. */
export interface ReadingTask {
  path: string;
  format: ImportFormat;
  options: ReadingOptions & { forms?: TableForms | undefined; attributes?: readonly NamedAttribute[] | undefined };
  /** Whether the measured values are wanted, too. */
  areValuesWanted: boolean;
  /** Receives {@link ReadingMessage}s; each is answered before more than {@link WINDOW} others are sent. */
  port: MessagePort;
}

/** Messages that a worker sends without an answer. */
export const WINDOW = 3;

/** Number texts in the form in which they are stored; arrays are indexed by the position of a value. */
export interface NumberTexts {
  values: Float64Array;
  /** Bytes as in `measurement.digits`; `undefined` when every text is canonical. */
  digits: Uint8Array | undefined;
  /** Texts, by index, that value and digits cannot reproduce. */
  texts: ReadonlyMap<number, string>;
}

/** A measurement of a file whose values are numbers already. */
export interface ReadMeasurement extends Omit<FileMeasurement, 'values'> {
  values: NumberTexts;
}

/** Several measurements; their values stand one after the other. */
export interface MeasurementMessage extends NumberTexts {
  kind: 'measurements';
  parts: Int32Array;
  lines: Int32Array;
  /** Number of values of each measurement. */
  counts: Int32Array;
  /** Index in `lists` of each measurement. */
  listIndexes: Int32Array;
  /** Characteristics of measurements. The first list is the last one of the message before. */
  lists: (Int32Array | undefined)[];
  /** JSON of {@link PackedFields} of each measurement. */
  fields: string;
  readBytes: number;
}

/** Attributes of a measurement, and those of its values by index. */
export type PackedFields = [
  attributes: FileMeasurement['attributes'],
  ofValues?: [index: number, attributes: FileMeasurement['attributes']][],
];

/** A part without its characteristics, or a characteristic at a depth below it, in the order of the tree. */
export type PlanNode =
  { part: Omit<FilePart, 'characteristics'> } | { depth: number; characteristic: Omit<FilePart['characteristics'][number], 'children'> };

/** Messages of a worker about one file. */
export type ReadingMessage =
  | MeasurementMessage
  /** JSON of {@link PlanNode}s. */
  | { kind: 'plan'; nodes: string }
  /** JSON of the entries of catalogs. */
  | { kind: 'catalogs'; entries: string }
  /** The file is not on the disk any more. */
  | { kind: 'unreadable' }
  /** The last message. */
  | { kind: 'end'; content: Omit<FileContent, 'parts' | 'catalogEntries'>; readBytes: number };
