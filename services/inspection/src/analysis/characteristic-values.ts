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
  { selection, readable, configuration, exclude, excluded: alsoExcluded, maxValues, hashedAttribute }: ReadingOptions,
  areIdsWanted: boolean,
): Promise<IdentifiedValues> {
  const areHashesRead = areIdsWanted && hashedAttribute !== undefined;
  if (characteristic.positions.size === 0) return { ...NO_VALUES, ...(areHashesRead && { hashes: new Float64Array() }) };
  const excluded = new Set([...alsoExcluded, ...(await findIds(session, exclude))]);
  const areIdsRead = areIdsWanted || excluded.size > 0;
  const [values, times, ids, hashes] = [new NumberList(), new NumberList(), new NumberList(), new NumberList()];
  const types = ['float8', 'timestamptz', ...(areIdsRead ? ['int8' as const] : []), ...(areHashesRead ? ['float8' as const] : [])] as const;
  const decoder = new CopiedNumbers(types, (row) => {
    if (row[0] === LACKING || (excluded.size > 0 && excluded.has(row[2]!))) return;
    values.push(row[0]!);
    times.push(row[1]!);
    if (areIdsWanted) ids.push(row[2]!);
    if (areHashesRead) hashes.push(row[3]!);
  });
  const columns = [
    valueColumn(characteristic.positions),
    'm.measured_at',
    ...(areIdsRead ? ['m.id'] : []),
    ...(areHashesRead ? [hashColumn(hashedAttribute)] : []),
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
    ...(areHashesRead && { hashes: hashes.takeReversed() }),
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

export async function findIds(session: Session, uuids: readonly string[]): Promise<ReadonlySet<number>> {
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
