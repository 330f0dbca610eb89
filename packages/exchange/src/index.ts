export { readAqdef, type AqdefOptions } from './aqdef/aqdef-reader.js';
export { writeAqdef, type AqdefContent } from './aqdef/aqdef-writer.js';
export { readCalypso, type CalypsoOptions } from './calypso/calypso-reader.js';
export { writeCsvRow } from './csv/csv-row.js';
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
} from './content.js';
export { isTimeZone } from './local-time.js';
export { MAX_LISTED } from './problems.js';
export { MAX_LINE_BYTES } from './text-lines.js';
