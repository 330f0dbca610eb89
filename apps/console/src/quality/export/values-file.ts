import type { Language } from '@sinebar/charts';
import type { SinebarClient, ValuesFile } from '@sinebar/client';
import { CSV_MARKS } from '../../design/export/csv';

/** Kinds of files that the server writes values to. */
export const VALUE_FORMATS = {
  xlsx: { name: 'Excel', ending: 'xlsx' },
  csv: { name: 'CSV', ending: 'csv' },
  aqdef: { name: 'AQDEF', ending: 'dfq' },
  parquet: { name: 'Parquet', ending: 'parquet' },
} as const satisfies Record<ValuesFile['format'], { name: string; ending: string }>;

/** Form of a file with measured values. */
export interface ValuesForm {
  format: ValuesFile['format'];
  layout: 'long' | 'wide';
  /** Whether the keys of attributes stand below their names. */
  hasKeys: boolean;
}

export const USUAL_FORM: ValuesForm = { format: 'xlsx', layout: 'long', hasKeys: false };

const SEPARATORS = { ',': 'comma', ';': 'semicolon' } as const;
const DECIMALS = { '.': 'point', ',': 'comma' } as const;
/** Excel takes a file without it for Windows-1252. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Reads measured values as a file, with names and marks in the reader's language. @throws SinebarError */
export async function valuesBlob(
  server: SinebarClient,
  selection: Omit<ValuesFile, 'format'>,
  { format, layout, hasKeys }: ValuesForm,
  language: Language,
): Promise<Blob> {
  const { separator, decimal } = CSV_MARKS[language];
  const stream = await server.exchange.readValues({
    ...selection,
    format,
    ...(format !== 'aqdef' && { layout, language, header: hasKeys && format !== 'parquet' ? 'both' : 'names' }),
    ...(format === 'csv' && { separator: SEPARATORS[separator], decimal: DECIMALS[decimal] }),
  });
  const blob = await new Response(stream).blob();
  return format === 'csv' ? new Blob([BYTE_ORDER_MARK, blob], { type: 'text/csv;charset=utf-8' }) : blob;
}
