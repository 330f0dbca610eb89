import { copyRows, type Session, type Sql } from '@sinebar/database';
import { END_OF_ROWS, FIELD_COUNT_BYTES, HEADER_BYTES, LENGTH_BYTES, NULL_LENGTH } from './copy-format.ts';

/** One row; reused for the next one. */
export interface CopiedFields {
  bytes: Buffer;
  /** Offset of each field in `bytes`. */
  readonly offsets: Int32Array;
  /** Length of each field, -1 for NULL. */
  readonly lengths: Int32Array;
}

/** Reads the rows of a statement in PostgreSQL's binary COPY format. @param fieldCount columns of the statement */
export async function readCopiedRows(
  session: Session,
  statement: Sql,
  fieldCount: number,
  onRow: (fields: CopiedFields) => void,
): Promise<void> {
  const decoder = new CopiedRows(fieldCount, onRow);
  for await (const chunk of copyRows(session, statement)) decoder.write(chunk);
  decoder.end();
}

/** Divides chunks that end anywhere into rows. */
export class CopiedRows {
  private readonly fields: CopiedFields;
  private readonly onRow: (fields: CopiedFields) => void;
  private chunks: Buffer[] = [];
  private size = 0;
  /** Bytes that the next row needs, as far as it is known. */
  private needed = HEADER_BYTES;
  private isHeaderRead = false;
  private isComplete = false;

  constructor(fieldCount: number, onRow: (fields: CopiedFields) => void) {
    this.fields = { bytes: Buffer.alloc(0), offsets: new Int32Array(fieldCount), lengths: new Int32Array(fieldCount) };
    this.onRow = onRow;
  }

  write(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.size += chunk.length;
    // A row of many chunks is joined once.
    if (this.size < this.needed) return;
    const bytes = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks, this.size);
    let at = 0;
    if (!this.isHeaderRead) {
      this.isHeaderRead = true;
      at = HEADER_BYTES;
    }
    this.fields.bytes = bytes;
    while (!this.isComplete) {
      const end = this.decode(bytes, at);
      if (end === at) break;
      at = end;
    }
    this.size = bytes.length - at;
    this.chunks = this.size === 0 ? [] : [bytes.subarray(at)];
  }

  /** @throws Error when the rows were cut off */
  end(): void {
    if (!this.isComplete) throw new Error('the copied rows are incomplete');
  }

  /** @returns the end of the row, or its start where it is incomplete; then `needed` is set */
  private decode(bytes: Buffer, start: number): number {
    const { offsets, lengths } = this.fields;
    let at = start + FIELD_COUNT_BYTES;
    if (at > bytes.length) return this.wait(start, at);
    if (bytes.readInt16BE(start) === END_OF_ROWS) {
      this.isComplete = true;
      return at;
    }
    for (let field = 0; field < offsets.length; field += 1) {
      if (at + LENGTH_BYTES > bytes.length) return this.wait(start, at + LENGTH_BYTES);
      const length = bytes.readInt32BE(at);
      at += LENGTH_BYTES;
      offsets[field] = at;
      lengths[field] = length;
      if (length !== NULL_LENGTH) at += length;
      if (at > bytes.length) return this.wait(start, at);
    }
    this.onRow(this.fields);
    return at;
  }

  private wait(start: number, end: number): number {
    this.needed = end - start;
    return start;
  }
}
