import type { ImportRefusal } from '@sinebar/contracts';
import { MEASUREMENT_PARAMETERS } from '../measurements/measurements-documentation.js';

export const EXCHANGE_TAG = 'Files';

const ZONE = { description: 'Zone of the times in the file; UTC when left out', example: 'Europe/Berlin' };
const MAPPING = '{"columns":{"Diameter":{"is":"value","attributes":{"2101":"20"}}},"part":"Shaft"}';

export const EXPORT_PARAMETERS = {
  ...MEASUREMENT_PARAMETERS,
  format: { description: 'csv, parquet, aqdef or xlsx, which has at most 1,048,576 rows', example: 'csv' },
  layout: { description: 'Of tables: long (one row for each value; default) or wide (one row for each measurement)', example: 'long' },
  zone: { description: 'Zone of the times in an AQDEF file; UTC when left out. Times of tables are in UTC', example: 'Europe/Berlin' },
  from: { description: 'Measured at this time or later', example: '2026-01-01T00:00:00Z' },
  to: { description: 'Measured before this time', example: '2027-01-01T00:00:00Z' },
  modifiedAfter: { description: 'Modified after this time', example: '2026-01-01T00:00:00Z' },
};

export const IMPORT_PARAMETERS = {
  format: {
    description:
      'aqdef: a DFQ file, or a DFD file followed by its DFX file; calypso: a table `_chr.txt`, after its `_hdr.txt` where there is one; csv, xlsx: a table',
    example: 'aqdef',
  },
  partPath: { description: 'The part below which the parts of the file stand; the root when left out', example: '/Line/Pump' },
  zone: ZONE,
  mapping: {
    description:
      'What the columns of a table hold, as JSON; its schema is `TableMapping`. Without it columns are found by the names that exports give them',
    example: MAPPING,
  },
  dryRun: { description: 'Whether nothing is stored; the answer then says what would be', example: 'true' },
  runAsync: {
    description: 'Whether the answer comes as soon as the file is received, and the import goes on in the background',
    example: 'false',
  },
  skipBad: { description: 'Whether measurements with errors are left out instead of the whole file', example: 'false' },
};

export const SMALL_FILE = 'K0100 1\nK1001/1 4711\nK2001/1 1\nK2002/1 Diameter\n20.012\nK0004/1 05.01.2026/08:30:00\n';

export const IMPORT_ANSWER = {
  parts: { created: 1, found: 0 },
  characteristics: { created: 3, found: 0 },
  measurements: { created: 3, found: 0 },
  values: 9,
  firstMeasurements: ['2f6c1a34-5d0e-4b7f-9c21-8e3d4a5b6c7d'],
  warnings: [
    { line: 17, key: 'K2110', message: '"about 5" is no number, so that K2110 is left out. Write a number such as 19.95 or 19,95.' },
  ],
};

const PROBLEM = { line: 12, key: 'K0001', message: '"abc" is no number. Write a number such as 19.95 or 19,95.' };
const REFUSED = `the file has errors and nothing was stored; line ${PROBLEM.line}, ${PROBLEM.key}: ${PROBLEM.message}`;
export const IMPORT_REFUSAL: ImportRefusal = {
  message: REFUSED,
  Message: REFUSED,
  ExceptionType: 'InvalidRequest',
  StackTrace: '',
  requestId: '1f0f6a3e-2f4c-4c55-8b9b-0a6c1f0e7d11',
  details: [{ field: `${PROBLEM.line} ${PROBLEM.key}`, message: PROBLEM.message }],
  errors: [PROBLEM],
  warnings: [],
};
