import { readRows, type Session, type Sql, type TextRow } from '@sinebar/database';
import { decodeExactText } from '../../measurements/codec/exact-text.ts';
import { digitsExpression, StoredValues, valuesExpression } from '../../measurements/codec/stored-values.ts';
import type { ReadSet } from '../../measurements/codec/read-set.ts';
import { CharacteristicSetReader } from '../../measurements/sets/characteristic-set-reader.ts';

/** Columns for {@link readMeasurements}. */
export const EXPORT_COLUMNS = [
  'm.uuid',
  'p.id',
  'm.attributes',
  'm.characteristic_set_id',
  valuesExpression('m."values"'),
  digitsExpression('m.digits'),
  'm.extras',
].join(', ');

const SIZES = { firstRows: 2, batchRows: 50 };
const MEASURED_VALUE = '1';

/** A measurement as it is exported. */
export interface ExportedMeasurement {
  uuid: string;
  partId: number;
  attributes: Readonly<Record<string, string>>;
  /** Values by id of their characteristic; those without a number are left out. */
  values: { characteristic: number; value: string; attributes: Readonly<Record<string, string>> | undefined }[];
}

type Extras = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Reads the measurements of a statement, some at a time. @param wanted uuids of the characteristics; all when left out */
export async function* readMeasurements(
  session: Session,
  statement: Sql,
  wanted: readonly string[] | undefined,
): AsyncGenerator<ExportedMeasurement[]> {
  const sets = new CharacteristicSetReader(wanted);
  const stored = new StoredValues();
  for await (const rows of readRows(session, statement, SIZES)) {
    const ids = new Set(rows.flatMap((row) => (row[3] == null ? [] : [Number(row[3])])));
    const read = await sets.read(session, ids);
    yield rows.map((row) => measurementOf(row, read, stored));
  }
}

function measurementOf(row: TextRow, sets: ReadonlyMap<number, ReadSet>, stored: StoredValues): ExportedMeasurement {
  const [uuid, partId, attributes, set, values, digits, extrasText] = row;
  if (uuid == null || attributes == null) throw new Error('a column of a measurement is missing');
  stored.read(values ?? null, digits ?? null);
  const extras = extrasText == null ? undefined : (JSON.parse(extrasText) as Extras);
  const measured: ExportedMeasurement['values'] = [];
  const positions = (set == null ? undefined : sets.get(Number(set)))?.positions ?? [];
  const count = Math.min(positions.length, stored.count);
  for (let i = 0; i < count; i += 1) {
    const characteristic = positions[i];
    const number = stored.numbers[i] as number;
    if (characteristic === undefined || Number.isNaN(number)) continue;
    const own = extras?.[String(characteristic.id)];
    const value = decodeExactText(number, stored.digitsAt(i), own?.[MEASURED_VALUE]);
    measured.push({ characteristic: characteristic.id, value, attributes: own });
  }
  return { uuid, partId: Number(partId), attributes: JSON.parse(attributes) as Record<string, string>, values: measured };
}
