import { copyRows, type Session, type Sql } from '@sinebar/database';
import { END_OF_ROWS, FIELD_COUNT_BYTES, HEADER_BYTES, LENGTH_BYTES, NULL_LENGTH } from './copy-format.ts';
import { Turns } from '../shared/turns.ts';

/** One row; reused for the next one. */
export interface CopiedFields {
  bytes: Buffer;
  /** Offset of each field in `bytes`. */
  readonly offsets: Int32Array;
  /** Length of each field, -1 for NULL. */
  readonly lengths: Int32Array;
}

/** Rows after which other requests may continue: one row can stand for thousands of values. */
const ROWS_PER_STEP = 4;

/**
 * Reads the rows of a statement in PostgreSQL's binary COPY format; other requests continue meanwhile.
 * @param fieldCount columns of the statement
 */
export async function readCopiedRows(
  session: Session,
  statement: Sql,
  fieldCount: number,
  onRow: (fields: CopiedFields) => void,
): Promise<void> {
  const decoder = new CopiedRows(fieldCount, onRow);
  const turns = new Turns();
  for await (const chunk of copyRows(session, statement)) {
    decoder.write(chunk);
    while (decoder.decodeSome()) if (turns.isOver) await turns.pass();
  }
  decoder.end();
}

/** Divides chunks that end anywhere into rows. */
export class CopiedRows {
  private readonly fields: CopiedFields;
  private readonly onRow: (fields: CopiedFields) => void;
  /** Chunks that are not yet joined, behind the rest of `bytes`. */
  private chunks: Buffer[] = [];
  private bytes: Buffer = Buffer.alloc(0);
  private at = 0;
  /** Bytes that are not decoded. */
  private size = 0;
  /** Bytes that the next row needs, as far as it is known. */
  private needed = HEADER_BYTES;
  private isHeaderRead = false;
  private isComplete = false;

  constructor(fieldCount: number, onRow: (fields: CopiedFields) => void) {
    this.fields = { bytes: this.bytes, offsets: new Int32Array(fieldCount), lengths: new Int32Array(fieldCount) };
    this.onRow = onRow;
  }

  write(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.size += chunk.length;
  }

  /** Decodes {@link ROWS_PER_STEP} rows. @returns whether to go on; false when a row is incomplete, or all are decoded */
  decodeSome(): boolean {
    // A row of many chunks is joined once.
    if (this.size < this.needed || this.isComplete) return false;
    if (this.chunks.length > 0) this.join();
    if (!this.isHeaderRead) {
      this.isHeaderRead = true;
      this.at = HEADER_BYTES;
    }
    for (let rows = 0; rows < ROWS_PER_STEP; rows += 1) {
      const end = this.decode(this.bytes, this.at);
      const isDecoded = end > this.at;
      this.at = end;
      this.size = this.bytes.length - end;
      if (!isDecoded || this.isComplete) return false;
    }
    this.needed = FIELD_COUNT_BYTES;
    return true;
  }

  private join(): void {
    const rest = this.bytes.subarray(this.at);
    this.bytes = rest.length === 0 && this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat([rest, ...this.chunks], this.size);
    this.at = 0;
    this.chunks = [];
    this.fields.bytes = this.bytes;
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
