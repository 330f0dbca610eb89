import {
  END_OF_ROWS,
  FIELD_COUNT_BYTES,
  HEADER_BYTES,
  LENGTH_BYTES,
  NULL_LENGTH,
  NUMBER_BYTES,
  numberAt,
  type ColumnType,
} from './copy-format.ts';

/** Decodes rows of numbers in PostgreSQL's binary COPY format, whose chunks end anywhere. */
export class CopiedNumbers {
  private readonly types: readonly ColumnType[];
  private readonly onRow: (row: Float64Array) => void;
  /** One row at a time; reused. */
  private readonly row: Float64Array;
  private readonly mostRowBytes: number;
  private rest: Buffer = Buffer.alloc(0);
  private isHeaderRead = false;
  private isComplete = false;

  constructor(types: readonly ColumnType[], onRow: (row: Float64Array) => void) {
    this.types = types;
    this.onRow = onRow;
    this.row = new Float64Array(types.length);
    this.mostRowBytes = FIELD_COUNT_BYTES + types.length * (LENGTH_BYTES + NUMBER_BYTES);
  }

  write(chunk: Buffer): void {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    let at = 0;
    if (!this.isHeaderRead) {
      if (bytes.length < HEADER_BYTES) {
        this.rest = bytes;
        return;
      }
      at = HEADER_BYTES;
      this.isHeaderRead = true;
    }
    // A row that may be incomplete waits for the next chunk; `end` decodes the last ones.
    const view = viewOf(bytes);
    while (!this.isComplete && bytes.length - at >= this.mostRowBytes) at = this.decode(view, at);
    this.rest = bytes.subarray(at);
  }

  /** Decodes what is left after the last chunk. @throws Error when the rows were cut off */
  end(): void {
    const view = viewOf(this.rest);
    for (let at = 0; !this.isComplete;) {
      if (view.byteLength - at < FIELD_COUNT_BYTES) throw new Error('the copied rows are incomplete');
      at = this.decode(view, at);
    }
  }

  /** @returns the end of the row */
  private decode(bytes: DataView, start: number): number {
    let at = start + FIELD_COUNT_BYTES;
    const count = bytes.getInt16(start);
    if (count === END_OF_ROWS) {
      this.isComplete = true;
      return at;
    }
    for (let column = 0; column < count; column += 1) {
      const length = bytes.getInt32(at);
      at += LENGTH_BYTES;
      if (length === NULL_LENGTH) {
        this.row[column] = NaN;
        continue;
      }
      this.row[column] = numberAt(bytes, at, this.types[column]!);
      at += length;
    }
    this.onRow(this.row);
    return at;
  }
}

/** A view decodes numbers several times as fast as the methods of a buffer. */
function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
