import { ServiceError } from '@sinebar/contracts';
import type { PathScope } from '@sinebar/access-control';
import { copyRows, sql, type Session } from '@sinebar/database';
import type { Configuration } from '../configuration/configuration.js';
import { selectionStatement, type MeasurementSelection } from '../measurements/selection/measurement-selection.js';
import type { AnalysedCharacteristic } from './analysed-characteristic.js';
import { CopiedNumbers } from './copied-numbers.js';
import { NumberList } from './number-list.js';

/** Values of one characteristic, oldest first; measurements without a time come before all others. */
export interface CharacteristicValues {
  /** NaN for a value without a number. */
  readonly values: Float64Array;
  /** Milliseconds since 1970, NaN for a measurement without a time. */
  readonly times: Float64Array;
  /** Ids of the measurements. */
  readonly ids: Float64Array;
}

export interface ReadingOptions {
  selection: MeasurementSelection;
  readable: PathScope;
  configuration: Configuration;
  /** Uuids of measurements to leave out. */
  exclude: readonly string[];
  /** Most values that are read. */
  maxValues: number;
}

const NO_VALUES = { values: new Float64Array(), times: new Float64Array(), ids: new Float64Array() };

/**
 * Reads the values of a characteristic in one pass, its own elements only.
 * @throws ServiceError 400 for more than `maxValues`
 */
export async function readValues(
  session: Session,
  characteristic: AnalysedCharacteristic,
  { selection, readable, configuration, exclude, maxValues }: ReadingOptions,
): Promise<CharacteristicValues> {
  if (characteristic.places.size === 0) return NO_VALUES;
  const excluded = await idsOf(session, exclude);
  const [values, times, ids] = [new NumberList(), new NumberList(), new NumberList()];
  const decoder = new CopiedNumbers(['float8', 'timestamptz', 'int8'], (row) => {
    const id = row[2]!;
    if (Number.isNaN(id) || (excluded.size > 0 && excluded.has(id))) return;
    values.push(row[0]!);
    times.push(row[1]!);
    ids.push(id);
  });
  const { value, id } = columnsOf(characteristic.places);
  const statement = selectionStatement(selection, readable, configuration, `${value}, m.measured_at, ${id}`, {
    partIds: [characteristic.part.id],
  });
  for await (const chunk of copyRows(session, statement)) {
    decoder.write(chunk);
    if (values.length > maxValues) throw new ServiceError('InvalidRequest', tooManyValues(maxValues));
  }
  decoder.end();
  if (values.length > maxValues) throw new ServiceError('InvalidRequest', tooManyValues(maxValues));
  return { values: values.takeReversed(), times: times.takeReversed(), ids: ids.takeReversed() };
}

export function tooManyValues(maxValues: number): string {
  return `there are more than ${maxValues} values; select fewer with from and to, limitResult or searchCondition`;
}

/** Columns for the value of a measurement and for its id, which is NULL where its set lacks the characteristic. */
function columnsOf(places: ReadonlyMap<number, number>): { value: string; id: string } {
  const cases = [...places].map(([set, place]) => `WHEN ${set} THEN m."values"[${place}]`);
  return {
    value: `CASE m.characteristic_set_id ${cases.join(' ')} END`,
    id: `CASE WHEN m.characteristic_set_id IN (${[...places.keys()].join(', ')}) THEN m.id END`,
  };
}

export async function idsOf(session: Session, uuids: readonly string[]): Promise<ReadonlySet<number>> {
  if (uuids.length === 0) return new Set();
  const rows = await session.query<{ id: string }>(sql`SELECT id FROM measurement WHERE uuid = ANY(${uuids}::uuid[])`);
  return new Set(rows.map(({ id }) => Number(id)));
}

/** Finds the uuids of measurements by their ids. */
export async function measurementUuids(session: Session, ids: Iterable<number>): Promise<ReadonlyMap<number, string>> {
  const wanted = [...new Set(ids)].map(String);
  if (wanted.length === 0) return new Map();
  const rows = await session.queryTexts(sql`SELECT id, uuid FROM measurement WHERE id = ANY(${wanted}::bigint[])`);
  return new Map(rows.map(([id, uuid]) => [Number(id), uuid!]));
}
