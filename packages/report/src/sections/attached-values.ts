import type { ReportCharacteristic } from '../report-content.ts';

/** Columns of the attached file with the text of each, as the interface has it: no rounding, points as decimal signs. */
const COLUMNS: readonly (readonly [name: string, value: (row: ReportCharacteristic) => string | number | undefined])[] = [
  ['uuid', ({ uuid }) => uuid],
  ['number', ({ attributes }) => attributes[2001]],
  ['name', ({ name }) => name],
  ['nominal', ({ limits }) => limits.nominal],
  ['lower', ({ limits }) => limits.lowerTolerance ?? limits.lowerBoundary],
  ['upper', ({ limits }) => limits.upperTolerance ?? limits.upperBoundary],
  ['unit', ({ attributes }) => attributes[2142]],
  ['count', ({ count }) => count],
  ['value', ({ value, last }) => value ?? last?.value],
  ['mean', ({ mean }) => mean],
  ['standardDeviation', ({ standardDeviation }) => standardDeviation],
  ['model', ({ model, overall }) => (overall?.pk === undefined ? undefined : (model ?? 'normal'))],
  ['pp', ({ overall }) => overall?.p],
  ['ppk', ({ overall }) => overall?.pk],
  ['cp', ({ within }) => within?.p],
  ['cpk', ({ within }) => within?.pk],
  ['now', ({ now }) => now],
  ['process', ({ process }) => process],
];

export function csvHead(): string {
  return `${COLUMNS.map(([name]) => name).join(',')}\r\n`;
}

export function csvLine(row: ReportCharacteristic): string {
  return `${COLUMNS.map(([, value]) => quoted(value(row))).join(',')}\r\n`;
}

/** Quotes what a table program would read otherwise, also as a formula. */
function quoted(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
