import { ServiceError } from '@sinebar/contracts';
import type { PathScope } from '@sinebar/access-control';
import { copyRows, sql, type Session } from '@sinebar/database';
import type { Configuration } from '../configuration/configuration.ts';
import { selectionStatement, type MeasurementSelection } from '../measurements/selection/measurement-selection.ts';
import type { AnalysedCharacteristic } from './analysed-characteristic.ts';
import { CopiedNumbers } from './copied-numbers.ts';
import { NumberList } from './number-list.ts';

/** Values of one characteristic, oldest first; measurements without a time come before all others. */
export interface CharacteristicValues {
  /** NaN for a value without a number. */
  readonly values: Float64Array;
  /** Milliseconds since 1970, NaN for a measurement without a time. */
  readonly times: Float64Array;
}

export interface IdentifiedValues extends CharacteristicValues {
  /** Ids of the measurements. */
  readonly ids: Float64Array;
  /** Hashes of an attribute by which values are grouped, NaN without it; present where they were asked for. */
  readonly hashes?: Float64Array;
  /** Sizes of samples, NaN without one and −1 for a text that is no number; present where they were asked for. */
  readonly sizes?: Float64Array;
}

export interface ReadingOptions {
  selection: MeasurementSelection;
  readable: PathScope;
  configuration: Configuration;
  /** Uuids of measurements to leave out. */
  exclude: readonly string[];
  /** Ids of further ones. */
  excluded: ReadonlySet<number>;
  /** Most values that are read. */
  maxValues: number;
  /** Key of a measurement attribute whose hashes are read, with the ids. */
  hashedAttribute?: number | undefined;
  /** Whether the sizes of samples are read, with the ids. */
  areSizesRead?: boolean;
}

const NO_VALUES = { values: new Float64Array(), times: new Float64Array(), ids: new Float64Array() };

/** Stands for the value of a measurement whose set lacks the characteristic; values themselves are finite. */
export const LACKING = Infinity;

/**
 * Reads the values of a characteristic in one pass, its own elements only.
 * @throws ServiceError 400 for more than `maxValues`
 */
export function readValues(
  session: Session,
  characteristic: AnalysedCharacteristic,
  options: ReadingOptions,
): Promise<CharacteristicValues> {
  return read(session, characteristic, options, false);
}

/** Reads the ids of the measurements, too, which takes about a tenth longer. @throws ServiceError as {@link readValues} does */
export function readIdentifiedValues(
  session: Session,
  characteristic: AnalysedCharacteristic,
  options: ReadingOptions,
): Promise<IdentifiedValues> {
  return read(session, characteristic, options, true);
}

async function read(
  session: Session,
  characteristic: AnalysedCharacteristic,
  { selection, readable, configuration, exclude, excluded: alsoExcluded, maxValues, hashedAttribute, areSizesRead = false }: ReadingOptions,
  areIdsWanted: boolean,
): Promise<IdentifiedValues> {
  const areHashesRead = areIdsWanted && hashedAttribute !== undefined;
  if (characteristic.positions.size === 0) {
    return { ...NO_VALUES, ...(areHashesRead && { hashes: new Float64Array() }), ...(areSizesRead && { sizes: new Float64Array() }) };
  }
  const excluded = new Set([...alsoExcluded, ...(await findIds(session, exclude))]);
  const areIdsRead = areIdsWanted || excluded.size > 0;
  const [values, times, ids] = [new NumberList(), new NumberList(), new NumberList()];
  const hashes = areHashesRead ? new NumberList() : undefined;
  const sizes = areSizesRead ? new NumberList() : undefined;
  const further = [...(hashes ? [hashes] : []), ...(sizes ? [sizes] : [])];
  const types = ['float8', 'timestamptz', ...(areIdsRead ? ['int8' as const] : []), ...further.map(() => 'float8' as const)] as const;
  const decoder = new CopiedNumbers(types, (row) => {
    if (row[0] === LACKING || (excluded.size > 0 && excluded.has(row[2]!))) return;
    values.push(row[0]!);
    times.push(row[1]!);
    if (areIdsWanted) ids.push(row[2]!);
    for (let i = 0; i < further.length; i += 1) further[i]!.push(row[3 + i]!);
  });
  const columns = [
    valueColumn(characteristic.positions),
    'm.measured_at',
    ...(areIdsRead ? ['m.id'] : []),
    ...(areHashesRead ? [hashColumn(hashedAttribute)] : []),
    ...(areSizesRead ? [sizeColumn(characteristic.id)] : []),
  ].join(', ');
  const statement = selectionStatement(selection, readable, configuration, columns, {
    partIds: [characteristic.part.id],
    areColumnsOfMeasurement: true,
  });
  for await (const chunk of copyRows(session, statement)) {
    decoder.write(chunk);
    if (values.length > maxValues) throw new ServiceError('InvalidRequest', tooManyValues(maxValues));
  }
  decoder.end();
  if (values.length > maxValues) throw new ServiceError('InvalidRequest', tooManyValues(maxValues));
  return {
    values: values.takeReversed(),
    times: times.takeReversed(),
    ids: ids.takeReversed(),
    ...(hashes && { hashes: hashes.takeReversed() }),
    ...(sizes && { sizes: sizes.takeReversed() }),
  };
}

/**
 * Reads the values of two characteristics from the measurements that have both, oldest first.
 * Both come from one pass over the measurements of their part, so that nothing has to be searched; different parts have none.
 * @throws ServiceError 400 for more than `maxValues` of one of them
 */
export async function readPairs(
  session: Session,
  [first, second]: readonly [AnalysedCharacteristic, AnalysedCharacteristic],
  { selection, readable, configuration, exclude, excluded: alsoExcluded, maxValues }: ReadingOptions,
): Promise<{ first: Float64Array; second: Float64Array }> {
  const pairs = [new NumberList(), new NumberList()] as const;
  const isOfOnePart = first.part.id === second.part.id;
  if (isOfOnePart && first.positions.size > 0 && second.positions.size > 0) {
    const excluded = new Set([...alsoExcluded, ...(await findIds(session, exclude))]);
    const counts = [0, 0] as [number, number];
    const decoder = new CopiedNumbers(['float8', 'float8', 'int8'], (row) => {
      const [x, y, id] = row as unknown as [number, number, number];
      if (excluded.has(id)) return;
      if (x !== LACKING) counts[0] += 1;
      if (y !== LACKING) counts[1] += 1;
      if (!Number.isFinite(x) || !Number.isFinite(y)) return;
      pairs[0].push(x);
      pairs[1].push(y);
    });
    const columns = `${valueColumn(first.positions)}, ${valueColumn(second.positions)}, m.id`;
    const statement = selectionStatement(selection, readable, configuration, columns, {
      partIds: [first.part.id],
      areColumnsOfMeasurement: true,
    });
    const refuseTooMany = () => {
      if (Math.max(...counts) > maxValues) throw new ServiceError('InvalidRequest', tooManyValues(maxValues));
    };
    for await (const chunk of copyRows(session, statement)) {
      decoder.write(chunk);
      refuseTooMany();
    }
    decoder.end();
    refuseTooMany();
  }
  return { first: pairs[0].takeReversed(), second: pairs[1].takeReversed() };
}

export function tooManyValues(maxValues: number): string {
  return `There are more than ${maxValues} values. Select fewer with from and to, limitResult or searchCondition.`;
}

/** The value of a characteristic; {@link LACKING} where the set of the measurement lacks it. */
export function valueColumn(positions: ReadonlyMap<number, number>): string {
  const cases = [...positions].map(([set, position]) => `WHEN ${set} THEN m."values"[${position}]`);
  return `CASE m.characteristic_set_id ${cases.join(' ')} ELSE '${LACKING}'::float8 END`;
}

/** A number for the text of a measurement attribute; 53 bits of a hash tell texts apart as exactly as a double can. */
export function hashColumn(attribute: number): string {
  return `(hashtextextended(m.attributes ->> '${attribute}', 0) >> 11)::float8`;
}

/** Value attribute with the size of a sample, in parts or units. */
export const SAMPLE_SIZE_KEY = 20;

function sizeColumn(characteristicId: number): string {
  const text = `m.extras -> '${characteristicId}' ->> '${SAMPLE_SIZE_KEY}'`;
  return `CASE WHEN ${text} IS NOT NULL THEN coalesce(limit_number(${text}), -1) END::float8`;
}

export async function findIds(session: Session, uuids: readonly string[]): Promise<ReadonlySet<number>> {
  if (uuids.length === 0) return new Set();
  const rows = await session.query<{ id: string }>(sql`SELECT id FROM measurement WHERE uuid = ANY(${uuids}::uuid[])`);
  return new Set(rows.map(({ id }) => Number(id)));
}

/** The first index with this time or a later one; measurements without a time come before all others. */
export function firstTimeFrom(times: Float64Array, ms: number): number {
  let [start, end] = [0, times.length];
  while (start < end) {
    const middle = (start + end) >>> 1;
    if (times[middle]! >= ms) end = middle;
    else start = middle + 1;
  }
  return start;
}

/** ISO 8601 in UTC; undefined for a measurement without a time. */
export function isoTimeOf(ms: number): string | undefined {
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** Finds the uuids of measurements by their ids. */
export async function measurementUuids(session: Session, ids: Iterable<number>): Promise<ReadonlyMap<number, string>> {
  const wanted = [...new Set(ids)].map(String);
  if (wanted.length === 0) return new Map();
  const rows = await session.queryTexts(sql`SELECT id, uuid FROM measurement WHERE id = ANY(${wanted}::bigint[])`);
  return new Map(rows.map(([id, uuid]) => [Number(id), uuid!]));
}
