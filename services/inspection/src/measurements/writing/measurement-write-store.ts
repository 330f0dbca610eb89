import type { WriteSession } from '@sinebar/database';
import { batchConflict, ServiceError } from '@sinebar/contracts';
import { canonicalText } from '../codec/exact-text.ts';
import type { MeasuredPart } from '../sets/measured-parts.ts';
import { MAX_ROWS, type CheckedValues, type MeasurementHead, type WithRow } from './measurement-row.ts';

export interface NewMeasurement extends MeasurementHead, CheckedValues {
  part: MeasuredPart;
  comment: string | null;
}

/** A measurement whose row is locked for a change. */
export interface StoredMeasurement {
  id: string;
  uuid: string;
  partId: number;
  partUuid: string;
  /** Time of measurement as {@link MeasurementHead} has it; a time before the year 1 is `BC`. */
  measuredAt: string | null;
  isAggregation: boolean;
  valuesVersion: number;
  setId: number | null;
  /** Positions without a measured value, from 0; `null` when every position has one. */
  absent: readonly number[] | null;
  /** Ids of the characteristics with further attributes. */
  extraIds: readonly string[] | null;
}

export interface ChangedMeasurement extends MeasurementHead {
  before: StoredMeasurement;
  comment: string | null;
}

/** Measurements that are encoded for one INSERT. */
export interface InsertStatement {
  parameters: readonly unknown[];
  uuids: readonly string[];
  /** Measurements with values, which change the figures of their parts. */
  changes: readonly { partId: number; measuredAt: string | null }[];
  at: Date;
}

/** Attributes of a measurement, or of its value of a characteristic. */
interface StoredAttributeValues {
  id: string;
  characteristic: string | null;
  attributes: Readonly<Record<string, string>>;
}

const FLOAT8_OID = 701;

/** The time of measurement in the form of `toPostgresTimestamp`. */
const MEASURED_AT = `CASE WHEN m.measured_at < '0001-01-01T00:00:00Z' THEN 'BC'
  ELSE to_char(m.measured_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') END`;

/** Statements on measurements inside one transaction that writes them. */
export class MeasurementWriteStore {
  /** Changes of the statements in the figures of parts; stored with the transaction. */
  private readonly changes = new FigureChanges();
  private readonly session: WriteSession;

  constructor(session: WriteSession) {
    this.session = session;
    session.runLast(() => this.changes.statements());
  }

  /**
   * Locks measurements until the end of the transaction, ordered by uuid so that two writers cannot deadlock.
   * @param withValues whether to read which positions have values
   */
  async lockStored(uuids: readonly string[], withValues: boolean): Promise<StoredMeasurement[]> {
    const presence = withValues
      ? `CASE WHEN array_position("values", NULL) IS NOT NULL THEN
           (SELECT array_agg(position::int - 1)
            FROM unnest("values") WITH ORDINALITY AS item (value, position) WHERE value IS NULL) END AS absent,
         CASE WHEN extras IS NOT NULL THEN ARRAY(SELECT jsonb_object_keys(extras)) END AS "extraIds"`
      : `NULL AS absent, NULL AS "extraIds"`;
    return this.session.query<StoredMeasurement & Record<string, unknown>>(
      `SELECT m.id::text AS id, m.uuid, m.part_id AS "partId", p.uuid AS "partUuid", ${MEASURED_AT} AS "measuredAt",
         m.aggregation AS "isAggregation", m.values_version AS "valuesVersion", m.characteristic_set_id AS "setId", ${presence}
       FROM measurement AS m JOIN plan_item AS p ON p.id = m.part_id WHERE m.uuid = ANY($1::uuid[]) ORDER BY m.uuid FOR UPDATE OF m`,
      [uuids],
      { name: `measurement-lock-${withValues ? 'values' : 'heads'}` },
    );
  }

  /** Attributes of measurements, and of those of their values that have more than a measured value. */
  async findAttributes(ids: readonly string[]): Promise<StoredAttributeValues[]> {
    return this.session.query<StoredAttributeValues & Record<string, unknown>>(
      `SELECT id::text AS id, NULL AS characteristic, attributes FROM measurement WHERE id = ANY($1::bigint[])
       UNION ALL
       SELECT m.id::text, p.uuid, extra.value
       FROM measurement AS m CROSS JOIN LATERAL jsonb_each(m.extras) AS extra JOIN plan_item AS p ON p.id = extra.key::int
       WHERE m.id = ANY($1::bigint[])`,
      [ids],
    );
  }

  /** Ids of the characteristics of sets, by position. */
  async findSets(ids: readonly number[]): Promise<Map<number, readonly number[]>> {
    const rows = await this.session.query<{ id: number; ids: number[] }>(
      'SELECT id, characteristic_ids AS ids FROM characteristic_set WHERE id = ANY($1)',
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row.ids]));
  }

  /** Uuids of characteristics by id; those that were deleted are left out. */
  async findCharacteristics(ids: readonly number[]): Promise<Map<number, string>> {
    const rows = await this.session.query<{ id: number; uuid: string }>('SELECT id, uuid FROM plan_item WHERE id = ANY($1)', [ids]);
    return new Map(rows.map((row) => [row.id, row.uuid]));
  }

  /**
   * @param indexOf returns the index of a uuid in its request
   * @throws ServiceError 409 uuids exist, whose details name them
   */
  async insert({ parameters, uuids, changes, at }: InsertStatement, indexOf: (uuid: string) => number): Promise<void> {
    const inserted = await this.session.query<{ id: string }>(
      `INSERT INTO measurement (uuid, part_id, measured_at, last_modified, created, aggregation, attributes, comment, characteristic_set_id,
         "values", digits, extras)
       SELECT m.uuid, m.part_id, m.measured_at, $1, $1, m.aggregation, m.attributes, m.comment, m.set_id,
         ${VALUES_COLUMN}, m.digits, m.extras
       FROM unnest($3::timestamptz[], $4::bool[], $5::jsonb[], $6::text[], $7::int[], $8::int[], $9::int[], $10::text[], $11::bytea[],
         $12::jsonb[], $13::uuid[], $14::int[])
         AS m (measured_at, aggregation, attributes, comment, set_id, first_value, last_value, value_text, digits, extras, uuid, part_id)
       -- A violated constraint would be an ERROR in the log of the server.
       ON CONFLICT (uuid) DO NOTHING RETURNING id::text AS id`,
      parameters,
      { name: 'measurement-insert' },
    );
    if (inserted.length < uuids.length) throw await this.existsAlready(uuids, indexOf);
    // The first row has the smallest id.
    const [first] = inserted;
    if (first) for (const { partId, measuredAt } of changes) this.changes.add({ partId, measuredAt, id: first.id, at });
  }

  /** Finds the uuids that other transactions have stored. */
  private async existsAlready(uuids: readonly string[], indexOf: (uuid: string) => number): Promise<ServiceError> {
    const existing = await this.session.query<{ uuid: string }>(
      'SELECT uuid FROM measurement WHERE uuid = ANY($1::uuid[]) AND xmin <> pg_current_xact_id()::xid',
      [uuids],
    );
    const conflicts = existing
      .map(({ uuid }) => ({ uuid, index: indexOf(uuid) }))
      .sort((a, b) => a.index - b.index)
      .map(({ uuid, index }) => ({ field: `[${index}].uuid`, message: `There is already a measurement with the uuid ${uuid}.` }));
    const [first] = conflicts;
    // They may have been deleted since.
    if (!first) return new ServiceError('AlreadyExists', 'A measurement exists already.');
    return batchConflict('AlreadyExists', `${first.field}: ${first.message}`, conflicts);
  }

  /** Replaces everything but uuid, part and creation time, and increments the version of the values. @param batch one of `rowBatches` */
  async replace(batch: readonly (ChangedMeasurement & WithRow)[], at: Date): Promise<void> {
    await this.session.query(
      // Citus refuses the cast from text to an array in an UPDATE, since it is not immutable: the values are computed before.
      `WITH changed AS MATERIALIZED (
         SELECT m.*, ${VALUES_COLUMN} AS stored_values
         FROM unnest($3::timestamptz[], $4::bool[], $5::jsonb[], $6::text[], $7::int[], $8::int[], $9::int[], $10::text[], $11::bytea[],
           $12::jsonb[], $13::bigint[])
           AS m (measured_at, aggregation, attributes, comment, set_id, first_value, last_value, value_text, digits, extras, id)
       )
       UPDATE measurement SET measured_at = changed.measured_at, last_modified = $1, aggregation = changed.aggregation,
         attributes = changed.attributes, comment = changed.comment, characteristic_set_id = changed.set_id,
         "values" = changed.stored_values, digits = changed.digits, extras = changed.extras, values_version = values_version + 1
       FROM changed WHERE measurement.id = changed.id`,
      [at, ...columnsOf(batch), batch.map(({ before }) => before.id)],
      { name: 'measurement-replace' },
    );
    for (const measurement of batch) this.noteReplaced(measurement, at);
  }

  /** Replaces attributes and comment; the values stay. */
  async replaceHeads(measurements: readonly ChangedMeasurement[], at: Date): Promise<void> {
    for (let first = 0; first < measurements.length; first += MAX_ROWS) {
      const batch = measurements.slice(first, first + MAX_ROWS);
      await this.session.query(
        `UPDATE measurement SET measured_at = m.measured_at, last_modified = $1, aggregation = m.aggregation, attributes = m.attributes,
           comment = m.comment
         FROM unnest($2::timestamptz[], $3::bool[], $4::jsonb[], $5::text[], $6::bigint[])
           AS m (measured_at, aggregation, attributes, comment, id)
         WHERE measurement.id = m.id`,
        [at, ...headColumnsOf(batch), batch.map(({ before }) => before.id)],
        { name: 'measurement-replace-heads' },
      );
    }
    for (const measurement of measurements) {
      const { before, measuredAt, isAggregation } = measurement;
      if (measuredAt !== before.measuredAt || isAggregation !== before.isAggregation) this.noteReplaced(measurement, at);
    }
  }

  private noteReplaced({ before: { id, partId, measuredAt, isAggregation }, ...after }: ChangedMeasurement, at: Date): void {
    if (isAggregation && after.isAggregation) return;
    this.changes.add({ partId, measuredAt, id, at });
    this.changes.add({ partId, measuredAt: after.measuredAt, id, at });
  }
}

/** Sort key of a measurement among those of its part, which are ordered by time, those without a time first, and by id. */
interface SortKey {
  /** Text in the form of `toPostgresTimestamp`. */
  measuredAt: string | null;
  id: bigint;
}

/** Length of a time of the years 1 to 9999, which are compared as texts. */
const COMPARABLE_LENGTH = '2026-01-31T08:05:00.000000Z'.length;

interface WrittenValues {
  partId: number;
  measuredAt: string | null;
  /** Id of the measurement, or a smaller one. */
  id: string;
  /** The time that the transaction gives to what it writes. */
  at: Date;
}

/**
 * Changes of a transaction in the values of each part: the oldest measurement that was added, changed or moved.
 * Each transaction stores it with what it wrote, for the figures that are kept and for the judge of alarms
 * (docs/decisions/0037-kept-figures.md, 0071-alarms.md).
 */
class FigureChanges {
  private readonly oldest = new Map<number, SortKey>();
  private at: Date | undefined;

  add({ partId, measuredAt, id, at }: WrittenValues): void {
    this.at = at;
    const sortKey = { measuredAt: measuredAt?.length === COMPARABLE_LENGTH ? measuredAt : null, id: BigInt(id) };
    const known = this.oldest.get(partId);
    if (!known || isBefore(sortKey, known)) this.oldest.set(partId, sortKey);
  }

  /** @returns statements without parameters; `undefined` when nothing was changed */
  statements(): string | undefined {
    if (this.at === undefined) return undefined;
    const rows = [...this.oldest].map(
      ([partId, { measuredAt, id }]) => `${partId}, ${measuredAt === null ? 'NULL' : `'${measuredAt}'`}, ${id}`,
    );
    const at = `'${this.at.toISOString()}'`;
    return `INSERT INTO figure_change (part_id, measured_at, measurement_id) VALUES ${rows.map((row) => `(${row})`).join(', ')};
      INSERT INTO alarm_change (part_id, measured_at, measurement_id, changed_at) VALUES ${rows.map((row) => `(${row}, ${at})`).join(', ')}`;
  }
}

function isBefore(a: SortKey, b: SortKey): boolean {
  if (a.measuredAt === b.measuredAt) return a.id < b.id;
  return a.measuredAt === null || (b.measuredAt !== null && a.measuredAt < b.measuredAt);
}

/**
 * Expression for the values of a row. Full rows arrive concatenated in one binary array and are sliced here: PostgreSQL slices an array
 * without NULL in constant time. Rows with gaps arrive as array texts, those with long gaps at their ends without these: a file with a
 * measurement for each of thousands of characteristics has almost nothing else.
 */
const VALUES_COLUMN = `CASE WHEN m.first_value IS NULL THEN m.value_text::float8[]
  WHEN m.first_value <= 0 THEN array_fill(NULL::float8, ARRAY[-m.first_value]) || m.value_text::float8[]
    || array_fill(NULL::float8, ARRAY[m.last_value])
  ELSE ($2::float8[])[m.first_value:m.last_value] END`;
/** Positions of the gaps at the ends of a row from which they are left out of its text. */
const LONG_GAPS = 64;

/**
 * Encodes measurements for {@link MeasurementWriteStore.insert}.
 * @param batch one of `rowBatches`; their order becomes that of the ids
 */
export function insertStatement(batch: readonly (NewMeasurement & WithRow)[], at: Date): InsertStatement {
  const uuids = batch.map(({ sent }) => sent.uuid);
  const partIds = batch.map(({ part }) => part.id);
  return {
    parameters: [at, ...columnsOf(batch), uuids, partIds],
    uuids,
    changes: batch.flatMap(({ part, measuredAt, row, isAggregation }) => (row && !isAggregation ? [{ partId: part.id, measuredAt }] : [])),
    at,
  };
}

type Head = MeasurementHead & { comment: string | null };

function headColumnsOf(batch: readonly Head[]): unknown[] {
  return [
    batch.map(({ measuredAt }) => measuredAt),
    batch.map(({ isAggregation }) => isAggregation),
    jsonTexts(batch.map(({ attributes }) => attributes)),
    batch.map(({ comment }) => comment),
  ];
}

/** Parameters 2 to 12 of the statements. */
function columnsOf(batch: readonly (Head & WithRow)[]): unknown[] {
  const first: (number | null)[] = [];
  const last: (number | null)[] = [];
  const texts: (string | null)[] = [];
  let end = 0;
  for (const { row } of batch) {
    const isWhole = row?.isFull === true;
    const gaps = row && !isWhole ? gapsOf(row.values) : NO_GAPS;
    const areLong = gaps.before + gaps.after >= LONG_GAPS;
    const { before, after } = areLong ? gaps : NO_GAPS;
    first.push(isWhole ? end + 1 : areLong ? -before : null);
    if (isWhole) end += row.values.length;
    last.push(isWhole ? end : areLong ? after : null);
    texts.push(row && !isWhole ? arrayText(row.values.subarray(before, row.values.length - after)) : null);
  }
  return [
    binaryArray(
      batch.flatMap(({ row }) => (row?.isFull ? [row.values] : [])),
      end,
    ),
    ...headColumnsOf(batch),
    batch.map(({ row }) => row?.set.id ?? null),
    first,
    last,
    texts,
    batch.map(({ row }) => row?.digits ?? null),
    jsonTexts(batch.map(({ row }) => row?.extras ?? null)),
  ];
}

/** A `text[]` of JSON texts. `JSON.stringify` quotes array elements correctly too, and is faster than the driver's own quoting. */
function jsonTexts(values: readonly (object | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : JSON.stringify(JSON.stringify(value)))).join(',')}}`;
}

/** A `float8[]` in PostgreSQL's binary format; the driver sends a Buffer unchanged. */
function binaryArray(rows: readonly Float64Array[], count: number): Buffer {
  const dimensions = count === 0 ? 0 : 1;
  const buffer = Buffer.allocUnsafe(12 + dimensions * 8 + count * 12);
  let at = buffer.writeInt32BE(dimensions, 0);
  at = buffer.writeInt32BE(0, at);
  at = buffer.writeInt32BE(FLOAT8_OID, at);
  if (dimensions === 0) return buffer;
  at = buffer.writeInt32BE(count, at);
  at = buffer.writeInt32BE(1, at);
  const view = new DataView(buffer.buffer, buffer.byteOffset);
  for (const values of rows) {
    for (let i = 0; i < values.length; i += 1) {
      view.setInt32(at, 8);
      view.setFloat64(at + 4, values[i] as number);
      at += 12;
    }
  }
  return buffer;
}

const NO_GAPS = { before: 0, after: 0 };

/** Counts the positions without a value at both ends. */
function gapsOf(values: Float64Array): { before: number; after: number } {
  let before = 0;
  while (before < values.length && Number.isNaN(values[before])) before += 1;
  let after = 0;
  while (after < values.length - before && Number.isNaN(values[values.length - 1 - after])) after += 1;
  return { before, after };
}

function arrayText(values: Float64Array): string {
  if (values.length === 0) return '{}';
  let text = '{';
  let gap = 0;
  for (const value of values) {
    if (Number.isNaN(value)) {
      gap += 1;
      continue;
    }
    // Collects NULLs, because most values of a large part may be missing.
    text += `${'NULL,'.repeat(gap)}${canonicalText(value)},`;
    gap = 0;
  }
  return `${(text + 'NULL,'.repeat(gap)).slice(0, -1)}}`;
}
