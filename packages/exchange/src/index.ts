export { readAqdef } from './aqdef/aqdef-reader.js';
export { writeAqdef, type AqdefContent } from './aqdef/aqdef-writer.js';
export { readCalypso } from './calypso/calypso-reader.js';
export { readCsv } from './csv/csv-reader.js';
export { csvField, hasInnerFormula, writeCsvRow } from './csv/csv-row.js';
export { readXlsx } from './excel/xlsx-reader.js';
export { MAX_XLSX_COLUMNS, MAX_XLSX_ROWS, writeXlsx } from './excel/xlsx-writer.js';
export type { OutputColumn, OutputRow, OutputTable } from './table/output-table.js';
export { columnName } from './table/table-columns.js';
export { tableMappingSchema, type TableMapping } from './table/table-mapping.js';
export type { TableOptions } from './table/table-reader.js';
export type {
  Attributes,
  ByteSource,
  FileCatalogEntry,
  FileCharacteristic,
  FileContent,
  FileMeasurement,
  FilePart,
  FileReader,
  Problem,
  TableForms,
} from './content.js';
export { DATE_ORDERS, type DateOrder } from './date-forms.js';
export { foreignKindOf } from './foreign-files.js';
export type { ReadOptions } from './read-options.js';
export { isTimeZone } from './local-time.js';
export { cleaned } from './texts.js';
export { addWarnings, MAX_LISTED } from './problems.js';
export { isEncoding, MAX_LINE_BYTES } from './text-lines.js';
