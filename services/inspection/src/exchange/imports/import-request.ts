import type { FileProblem, ImportAnswer, ReadTable } from '@sinebar/contracts';
import type { WorkOptions } from '@sinebar/database';
import type { DateOrder, TableMapping } from '@sinebar/exchange';
import type { PlanOptions } from './plan/import-draft.ts';

export type ImportFormat = 'aqdef' | 'calypso' | 'csv' | 'xlsx';

/** How the bytes of a file are read. */
export interface ReadingOptions {
  /** Zone of the times in the file. */
  zone: string | undefined;
  /** Order of dates with slashes: that of the request, else that of the server; that of the format when left out. */
  dateOrder: DateOrder | undefined;
  /** Order that the request names, which belongs to the identity of the import. */
  requestedDateOrder: DateOrder | undefined;
  /** Encoding of a text file, a label of `TextDecoder`; found when left out. */
  encoding: string | undefined;
  /** Contents of the columns of a table. */
  mapping: TableMapping | undefined;
}

/** How a file is imported. */
export interface ImportJob extends WorkOptions, PlanOptions {
  format: ImportFormat;
  reading: ReadingOptions;
  isDryRun: boolean;
  /** Leaves out measurements with errors instead of refusing the file. */
  skipBad: boolean;
}

export interface ImportBody {
  bytes: AsyncIterable<Buffer>;
  /** Size as sent; 0 for a chunked body. */
  announcedBytes: number;
}

export interface ImportRequest extends ImportJob {
  body: ImportBody;
}

/** Outcome of the import of a file. */
export type ImportOutcome =
  | { kind: 'refused'; errors: readonly FileProblem[]; errorCount: number; warnings: readonly FileProblem[]; table?: ReadTable | undefined }
  | { kind: 'stored' | 'dryRun' | 'known'; answer: ImportAnswer };
