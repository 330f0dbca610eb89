import type { ImportAnswer, OperationState, TableMappingList } from '@sinebar/contracts';
import { segment } from '../http/query-text.ts';
import type { RequestContent, RequestOptions, RestConnection, RestRequest } from '../http/rest-connection.ts';
import type { ValueSelection } from './analysis.ts';

/** What the columns of a table hold, in the form of the schema `TableMapping`. */
export type TableMapping = Readonly<Record<string, unknown>>;

export interface ImportOptions extends RequestOptions {
  /** Default aqdef; calypso for a table `_chr.txt`, after its `_hdr.txt` where there is one; csv or xlsx for tables. */
  format?: 'aqdef' | 'calypso' | 'csv' | 'xlsx';
  /** The part below which the parts of the file stand, and the part of a table that names none: `/Line/Pump`; the root when left out. */
  partPath?: string;
  /** Zone of the times in the file, such as `Europe/Berlin`; UTC when left out. */
  zone?: string;
  /** Order of day, month and year in dates with slashes; that of the server or of the format when left out. */
  dateOrder?: 'dmy' | 'mdy' | 'ymd';
  /** Encoding of a text file, a label of `TextDecoder`; found when left out. */
  encoding?: string;
  /**
   * Mapping of the columns of a table, in the form of the schema `TableMapping`, or `@name` for one that is kept on the server; columns are
   * found by their names when it is left out.
   */
  mapping?: TableMapping | `@${string}`;
  /** Stores nothing; the answer says what would be stored. */
  dryRun?: boolean;
  /** Leaves out measurements with errors instead of refusing the file. */
  skipBad?: boolean;
  /** Defines no attribute, and leaves out what the server has none for: limits, units, types and times, too. */
  ignoreUndefined?: boolean;
  /** Whether parts and characteristics that are there get the attributes that they lack; default true. */
  fill?: boolean;
  /** What happens to attributes that differ from those of the file: keep them (default), update them, or refuse the file (409). */
  onDifference?: 'keep' | 'update' | 'refuse';
}

export interface ValuesFile extends Omit<ValueSelection, 'exclude'> {
  format: 'csv' | 'parquet' | 'aqdef' | 'xlsx';
  /** Layout of tables: one row for each value (long, default) or for each measurement (wide). */
  layout?: 'long' | 'wide';
  /** Names of the columns of attributes in tables: keys (default), names, or both in two rows. */
  header?: 'keys' | 'names' | 'both';
  /** Language of the names that the server knows; default en. */
  language?: 'en' | 'de';
  /** Between the fields of CSV; default comma. */
  separator?: 'comma' | 'semicolon' | 'tab';
  /** Decimal separator of CSV; default point. */
  decimal?: 'point' | 'comma';
  partUuids?: readonly string[];
  partPath?: string;
  /** Includes the parts below. */
  deep?: boolean;
  characteristicUuids?: readonly string[];
  measurementUuids?: readonly string[];
  modifiedAfter?: Date | string;
  /** Attribute keys with a direction: `4 asc`. */
  order?: string;
  /** Zone of the times in an AQDEF file. */
  zone?: string;
}

const MAPPINGS = '/exchangeServiceRest/mappings';

/** Files in and out. */
export class Exchange {
  private readonly connection: RestConnection;

  constructor(connection: RestConnection) {
    this.connection = connection;
  }

  /**
   * Imports a file with all measurements or none. The same content below the same part is stored once; then its plan is filled.
   * @throws SinebarError 400 with the errors of the file in `details`
   */
  importFile(content: RequestContent, options: ImportOptions = {}): Promise<ImportAnswer> {
    return this.connection.json(importRequest(content, options, false));
  }

  /** Sends a file that is imported in the background. @returns the uuid of the operation, see {@link importState} */
  async startImport(content: RequestContent, options: ImportOptions = {}): Promise<string> {
    const response = await this.connection.answer(importRequest(content, options, true));
    return response.headers.get('Location')?.split('/').at(-1) ?? '';
  }

  /** Reads how far an import in the background is; waits up to ten seconds for its end. */
  importState(operation: string, { signal }: RequestOptions = {}): Promise<OperationState> {
    return this.connection.json({
      method: 'GET',
      path: `/dataServiceRest/pendingOperations/${segment(operation)}`,
      ...(signal && { signal }),
    });
  }

  /** Lists the mappings of tables that are kept, by name. */
  mappings({ signal }: RequestOptions = {}): Promise<TableMappingList> {
    return this.connection.json({ method: 'GET', path: MAPPINGS, ...(signal && { signal }) });
  }

  /** Reads a mapping that is kept. @throws SinebarError 404 */
  mapping(name: string, { signal }: RequestOptions = {}): Promise<TableMapping> {
    return this.connection.json({ method: 'GET', path: `${MAPPINGS}/${segment(name)}`, ...(signal && { signal }) });
  }

  /** Keeps a mapping, in the place of one with the name. @throws SinebarError 400 */
  putMapping(name: string, mapping: TableMapping, { signal }: RequestOptions = {}): Promise<void> {
    return this.connection.done({ method: 'PUT', path: `${MAPPINGS}/${segment(name)}`, json: mapping, ...(signal && { signal }) });
  }

  /** @throws SinebarError 404 */
  deleteMapping(name: string, { signal }: RequestOptions = {}): Promise<void> {
    return this.connection.done({ method: 'DELETE', path: `${MAPPINGS}/${segment(name)}`, ...(signal && { signal }) });
  }

  /** Reads measured values as a file. @returns its bytes while the server writes them */
  async readValues({ signal, ...query }: ValuesFile): Promise<ReadableStream<Uint8Array>> {
    const response = await this.connection.answer({ method: 'GET', path: '/exchangeServiceRest/values', query, ...(signal && { signal }) });
    return response.body ?? new Blob([]).stream();
  }
}

function importRequest(content: RequestContent, { signal, mapping, ...query }: ImportOptions, runAsync: boolean): RestRequest {
  return {
    method: 'POST',
    path: '/exchangeServiceRest/imports',
    query: {
      format: 'aqdef',
      ...query,
      ...(mapping && { mapping: typeof mapping === 'string' ? mapping : JSON.stringify(mapping) }),
      ...(runAsync && { runAsync }),
    },
    headers: { 'Content-Type': 'application/octet-stream' },
    body: content,
    ...(signal && { signal }),
  };
}
