import { valueRowOf, type RowSource, type ValueRow } from './measurement-row.js';

/** Rows of one statement. */
export const MAX_ROWS = 1000;
/** Values of one statement: some megabytes. */
const MAX_VALUES = 200_000;

export interface WithSource {
  /** `undefined` for a measurement without values. */
  source: RowSource | undefined;
}

export interface WithRow {
  row: ValueRow | undefined;
}

/**
 * Makes the rows of one statement at a time, because all rows of a request together can be a thousand times as large as its body.
 */
export function* rowBatches<T extends WithSource>(measurements: readonly T[]): Generator<(T & WithRow)[]> {
  let batch: (T & WithRow)[] = [];
  let values = 0;
  for (const measurement of measurements) {
    const row = measurement.source && valueRowOf(measurement.source);
    const size = row?.values.length ?? 0;
    if (batch.length === MAX_ROWS || (batch.length > 0 && values + size > MAX_VALUES)) {
      yield batch;
      batch = [];
      values = 0;
    }
    batch.push({ ...measurement, row });
    values += size;
  }
  if (batch.length > 0) yield batch;
}
