export { readAqdef } from './aqdef/aqdef-reader.ts';
export { writeAqdef, type AqdefContent } from './aqdef/aqdef-writer.ts';
export { readCalypso } from './calypso/calypso-reader.ts';
export { readCsv } from './csv/csv-reader.ts';
export { csvField, hasInnerFormula, writeCsvRow } from './csv/csv-row.ts';
export { readXlsx } from './excel/xlsx-reader.ts';
export { MAX_XLSX_COLUMNS, MAX_XLSX_ROWS, writeXlsx } from './excel/xlsx-writer.ts';
export type { OutputColumn, OutputRow, OutputTable } from './table/output-table.ts';
export { columnName } from './table/table-columns.ts';
export { tableMappingSchema, type TableMapping } from './table/table-mapping.ts';
export type { TableOptions } from './table/table-reader.ts';
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
} from './content.ts';
export { DATE_ORDERS, type DateOrder } from './date-forms.ts';
export { foreignKindOf } from './foreign-files.ts';
export type { ReadOptions } from './read-options.ts';
export { isTimeZone } from './local-time.ts';
export { cleaned } from './texts.ts';
export { addWarnings, MAX_LISTED } from './problems.ts';
export { isEncoding, MAX_LINE_BYTES } from './text-lines.ts';
