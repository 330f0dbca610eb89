import type { ImportAnswer, ImportRefusal } from '@sinebar/contracts';

export const MAPPING_EXAMPLE = '{"columns":{"Diameter":{"is":"value","attributes":{"2101":"20"}}},"part":"Shaft"}';

export const SMALL_FILE = 'K0100 1\nK1001/1 4711\nK2001/1 1\nK2002/1 Diameter\n20.012\nK0004/1 05.01.2026/08:30:00\n';

export const IMPORT_ANSWER: ImportAnswer = {
  attributes: { created: [2101, 2110, 2111] },
  parts: { created: 1, found: 0 },
  characteristics: { created: 2, found: 1 },
  filled: [{ kind: 'characteristic', uuid: '8c1d2e3f-4a5b-4c6d-8e7f-90a1b2c3d4e5', path: 'PC:/Shaft/Diameter/', keys: [2110, 2111] }],
  measurements: { created: 3, found: 0 },
  values: 9,
  firstMeasurements: ['2f6c1a34-5d0e-4b7f-9c21-8e3d4a5b6c7d'],
  warnings: [
    { line: 17, key: 'K2110', message: '"about 5" is no number, so that K2110 is left out. Write a number such as 19.95 or 19,95.' },
  ],
};

const PROBLEM = { line: 12, key: 'K0001', message: '"abc" is no number. Write a number such as 19.95 or 19,95.' };
const REFUSED = `The file has errors, so nothing was stored. Line ${PROBLEM.line}, ${PROBLEM.key}: ${PROBLEM.message}`;
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
