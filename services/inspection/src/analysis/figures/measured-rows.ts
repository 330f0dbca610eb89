import { type Session, type Sql } from '@sinebar/database';
import { readCopiedRows, type CopiedFields } from '../copied-rows.ts';
import { ARRAY_HEAD_BYTES, ARRAY_LENGTH_OFFSET, LENGTH_BYTES, NULL_LENGTH, NUMBER_BYTES, POSTGRES_EPOCH_MS } from '../copy-format.ts';

/** The select list that {@link readMeasuredRows} decodes. */
export const MEASURED_COLUMNS = 'm.measured_at, m.id, m.characteristic_set_id, m."values"';

const TIME_BYTES = 8;
const ELEMENT_BYTES = LENGTH_BYTES + NUMBER_BYTES;
const POSTGRES_EPOCH_MICROS = POSTGRES_EPOCH_MS * 1000;

/** A measurement with values; reused for the next one. */
export class MeasuredRow {
  /** Microseconds since 1970, -Infinity without a time. */
  micros = 0;
  id = 0;
  setId = 0;
  /** Number of elements. */
  length = 0;
  private timeOffset = 0;
  private bytes: Buffer | undefined;
  private view: DataView = new DataView(new ArrayBuffer(0));
  private first = 0;
  /** Offsets of the elements where some are NULL, which take less space. */
  private offsets: Int32Array | undefined;
  private memory = new Int32Array();

  /** Milliseconds since 1970, NaN without a time. */
  get time(): number {
    return this.micros === -Infinity ? NaN : this.micros / 1000;
  }

  /** The time as PostgreSQL stores it, exact at any date; null without a time. */
  get storedTime(): Buffer | null {
    return this.micros === -Infinity ? null : Buffer.from(this.bytes!.subarray(this.timeOffset, this.timeOffset + TIME_BYTES));
  }

  /** Returns the element at a position from 0, NaN for NULL. */
  valueAt(position: number): number {
    if (position >= this.length) return NaN;
    if (!this.offsets) return this.view.getFloat64(this.first + position * ELEMENT_BYTES + LENGTH_BYTES);
    const offset = this.offsets[position]!;
    return offset < 0 ? NaN : this.view.getFloat64(offset);
  }

  set(fields: CopiedFields): void {
    this.setHead(fields);
    const { offsets } = fields;
    this.setId = this.view.getInt32(offsets[2]!);
    const array = offsets[3]!;
    this.length = this.view.getInt32(array) === 0 ? 0 : this.view.getInt32(array + ARRAY_LENGTH_OFFSET);
    this.first = array + ARRAY_HEAD_BYTES;
    this.offsets = this.view.getInt32(array + 4) === 0 ? undefined : this.findOffsets();
  }

  /** Takes time and id of a measurement that may have no values. */
  setHead({ bytes, offsets, lengths }: CopiedFields): void {
    if (this.bytes !== bytes) {
      this.bytes = bytes;
      this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    this.timeOffset = offsets[0]!;
    this.micros = lengths[0] === NULL_LENGTH ? -Infinity : POSTGRES_EPOCH_MICROS + this.wholeAt(offsets[0]!);
    this.id = this.wholeAt(offsets[1]!);
  }

  private wholeAt(offset: number): number {
    return this.view.getInt32(offset) * 2 ** 32 + this.view.getUint32(offset + 4);
  }

  private findOffsets(): Int32Array {
    if (this.memory.length < this.length) this.memory = new Int32Array(this.length);
    const offsets = this.memory;
    let at = this.first;
    for (let i = 0; i < this.length; i += 1) {
      const isNull = this.view.getInt32(at) === NULL_LENGTH;
      at += LENGTH_BYTES;
      offsets[i] = isNull ? -1 : at;
      if (!isNull) at += NUMBER_BYTES;
    }
    return offsets;
  }
}

/** Reads measurements, leaving out those without values. @param statement with the columns {@link MEASURED_COLUMNS} */
export async function readMeasuredRows(session: Session, statement: Sql, onRow: (row: MeasuredRow) => void): Promise<void> {
  const row = new MeasuredRow();
  await readCopiedRows(session, statement, 4, (fields) => {
    if (fields.lengths[2] === NULL_LENGTH || fields.lengths[3] === NULL_LENGTH) return;
    row.set(fields);
    onRow(row);
  });
}
