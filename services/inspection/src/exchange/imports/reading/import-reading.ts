import { open } from 'node:fs/promises';
import { CAUSE_ATTRIBUTE } from '@sinebar/contracts';
import type { FileContent, NamedAttribute, TableForms } from '@sinebar/exchange';
import type { SpooledFile } from '@sinebar/runtime';
import type { Configuration } from '../../../configuration/configuration.ts';
import { namedAttributes } from '../../attribute-names.ts';
import type { ImportJob } from '../import-request.ts';
import { FileKeys } from '../plan/file-keys.ts';
import type { ImportedFileContent } from '../plan/import-draft.ts';
import { catalogAttributes } from '../plan/imported-catalogs.ts';
import { STANDARD_CATALOG_KEYS } from '../plan/standard-definitions.ts';
import type { ReadFunction, ThreadReader } from './file-readers.ts';
import type { ReadMeasurement } from './reading-messages.ts';

/** Measurements of a file, some at a time. */
export type MeasurementReader = AsyncIterable<readonly ReadMeasurement[]> | Iterable<readonly ReadMeasurement[]>;

const BYTE_ORDER_MARK = Buffer.from('\ufeff');
/** Most bytes and messages of a file that is read once: about 250,000 values. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;
const MAX_KEPT_MESSAGES = 16;

/**
 * Reads the file of one import: first what is not measured, then the measurements.
 * A file of up to {@link MAX_KEPT_BYTES} is read once, and its measurements are kept in memory.
 */
export class ImportReading {
  private readonly readFile: ReadFunction;
  private readonly spooled: SpooledFile;
  private readonly job: ImportJob;
  private readonly onRead: ((length: number) => void) | undefined;
  /** Forms of the cells of a table that had to be read before they were known. */
  private forms: TableForms | undefined;
  /** Attributes by whose names the columns of a table are found. */
  private attributes: readonly NamedAttribute[] = [];
  private kept: readonly (readonly ReadMeasurement[])[] | undefined;

  constructor(readFile: ReadFunction, spooled: SpooledFile, job: ImportJob, onRead?: (length: number) => void) {
    this.readFile = readFile;
    this.spooled = spooled;
    this.job = job;
    this.onRead = onRead;
  }

  /** Reads everything but the measurements. */
  async content(configuration: Configuration): Promise<ImportedFileContent> {
    this.attributes = namedAttributes(configuration);
    const file = await this.readContent(configuration, this.onRead);
    if (!file.content.readAgainWith) return file;
    this.forms = file.content.readAgainWith;
    // Not counted as progress, which ends after two readings.
    return this.readContent(configuration, undefined);
  }

  /** Reads the measurements from the first one on. */
  measurements(): MeasurementReader {
    return this.kept ?? this.read(true, this.onRead);
  }

  private async readContent(configuration: Configuration, onRead: ((length: number) => void) | undefined): Promise<ImportedFileContent> {
    const mayBeKept = this.spooled.sizeBytes <= MAX_KEPT_BYTES;
    const reader = this.read(mayBeKept, onRead);
    const keys = new FileKeys(
      [...catalogAttributes(configuration), ...STANDARD_CATALOG_KEYS, CAUSE_ATTRIBUTE],
      this.job.format === 'aqdef',
    );
    const messages: (readonly ReadMeasurement[])[] = [];
    for (;;) {
      const next = await reader.next();
      if (next.done === true) {
        this.kept = mayBeKept && messages.length <= MAX_KEPT_MESSAGES ? messages : undefined;
        await keys.notePlan(next.value);
        return { content: next.value, keys, hasEntryKeys: await this.mayHaveEntryKeys(next.value, keys) };
      }
      if (messages.length <= MAX_KEPT_MESSAGES) messages.push(next.value);
      for (const measurement of next.value) keys.noteMeasurement(measurement);
    }
  }

  private read(areValuesWanted: boolean, onRead: ((length: number) => void) | undefined): ThreadReader {
    const { format, reading } = this.job;
    const options = { ...reading, forms: this.forms, attributes: this.attributes };
    return this.readFile({ path: this.spooled.path, format, options, areValuesWanted, onRead });
  }

  /** Whether the file may be an earlier export of this product, in which entries of catalogs have their keys. */
  private async mayHaveEntryKeys(content: FileContent, { texts }: FileKeys): Promise<boolean> {
    const { format, reading } = this.job;
    if (format !== 'aqdef') return content.hasEntryKeys === true && reading.mapping === undefined;
    // Later exports describe the entries.
    if (content.catalogEntries.length > 0 || texts.isEmpty) return false;
    const file = await open(this.spooled.path);
    try {
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(BYTE_ORDER_MARK.length) });
      return bytesRead === BYTE_ORDER_MARK.length && BYTE_ORDER_MARK.equals(buffer);
    } finally {
      await file.close();
    }
  }
}
