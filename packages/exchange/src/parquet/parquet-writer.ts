import { ByteWriter, ParquetWriter, schemaFromColumnData, type ColumnSource } from 'hyparquet-writer';
import type { OutputColumn, OutputRow, OutputTable } from '../table/output-table.ts';

/** Cells of a row group: enough for the compression, few enough for memory and for the time of one step. */
const CELLS_PER_GROUP = 128 * 1024;
const [MIN_ROWS, MAX_ROWS] = [100, 16 * 1024] as const;
const TYPES = { text: 'STRING', number: 'DOUBLE', time: 'TIMESTAMP' } as const;

/** Collects the bytes of a Parquet file until they are taken. */
class TakenBytes extends ByteWriter {
  take(): Uint8Array {
    // A copy: the writer uses its memory again.
    const bytes = this.getBytes().slice();
    this.index = 0;
    return bytes;
  }
}

/** Writes a table as a Parquet file, one row group after the other. Numbers are DOUBLE, times TIMESTAMP in UTC to the millisecond. */
export async function* writeParquet({ columns, rows: batches }: OutputTable): AsyncGenerator<Uint8Array> {
  const writer = new TakenBytes();
  const schema = schemaFromColumnData({ columnData: columnData(columns, []) });
  const parquet = new ParquetWriter({ writer, schema, createdBy: 'sinebar' });
  const rowGroupSize = Math.min(MAX_ROWS, Math.max(MIN_ROWS, Math.floor(CELLS_PER_GROUP / columns.length)));
  let rows: OutputRow[] = [];
  for await (const batch of batches) {
    for (const row of batch) {
      rows.push(row);
      if (rows.length < rowGroupSize) continue;
      await parquet.write({ columnData: columnData(columns, rows), rowGroupSize });
      rows = [];
      yield writer.take();
    }
  }
  if (rows.length > 0) await parquet.write({ columnData: columnData(columns, rows), rowGroupSize });
  await parquet.finish();
  yield writer.take();
}

function columnData(columns: readonly OutputColumn[], rows: readonly OutputRow[]): ColumnSource[] {
  return columns.map(({ name, type }, i) => ({
    name,
    type: TYPES[type],
    nullable: true,
    // The page indexes of all row groups would stay in memory until the end.
    offsetIndex: false,
    data: rows.map((row) => cellOf(row[i], type)),
  }));
}

function cellOf(text: string | undefined, type: OutputColumn['type']): string | number | Date | null {
  if (text === undefined || text.length === 0) return null;
  if (type === 'text') return text;
  if (type === 'number') return Number(text);
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? null : time;
}
