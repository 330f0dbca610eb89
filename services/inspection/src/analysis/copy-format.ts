/** Signature, flags and length of the extension of PostgreSQL's binary COPY format. */
const SIGNATURE_BYTES = 11;
export const HEADER_BYTES = SIGNATURE_BYTES + 8;
export const FIELD_COUNT_BYTES = 2;
export const LENGTH_BYTES = 4;
export const NUMBER_BYTES = 8;
export const NULL_LENGTH = -1;
export const END_OF_ROWS = -1;
/** Dimensions, flags and type of an array, each of four bytes; then length and lower bound of its dimension. */
export const ARRAY_LENGTH_OFFSET = 12;
export const ARRAY_HEAD_BYTES = ARRAY_LENGTH_OFFSET + 8;

const MICROSECONDS_PER_MS = 1000;
/** 2000-01-01T00:00:00Z, from which PostgreSQL counts. */
export const POSTGRES_EPOCH_MS = 946_684_800_000;

/** How the eight bytes of a column are read; each is a number, NaN for NULL. */
export type ColumnType = 'float8' | 'int8' | 'timestamptz';

export function numberAt(bytes: DataView, at: number, type: ColumnType): number {
  if (type === 'float8') return bytes.getFloat64(at);
  const whole = bytes.getInt32(at) * 2 ** 32 + bytes.getUint32(at + 4);
  return type === 'int8' ? whole : POSTGRES_EPOCH_MS + whole / MICROSECONDS_PER_MS;
}
