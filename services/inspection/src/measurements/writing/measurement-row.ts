import { invalidField } from '@sinebar/contracts';
import { parseDateTime, toPostgresTimestamp } from '@sinebar/query-language';
import { checkAttributes, checkEachAttribute, type OutdatedValue, type RawAttributes } from '../../configuration/attribute-values.ts';
import { MEASURED_VALUE_KEY, TIME_KEY, type Configuration } from '../../configuration/configuration.ts';
import { CANONICAL, encodeExactText, IN_EXTRAS } from '../codec/exact-text.ts';
import { pointerTo, type IndexedMeasurement, type SentCharacteristics } from '../codec/sent-measurement.ts';
import { uuidOfWords, WORDS_PER_UUID } from '../codec/uuid-words.ts';
import type { CharacteristicSet, PartCharacteristics } from '../sets/characteristic-sets.ts';

/** A measurement that has attribute 99 is an aggregation measurement (spec: decisions.md 5.5). */
const AGGREGATION_KEY = '99';
/** A position of a set without a measured value; no measured value is NaN. */
const ABSENT = NaN;
/** Rows of one statement. */
export const MAX_ROWS = 1000;
/** Values of one statement: some megabytes. */
const MAX_VALUES = 200_000;

/** Measured values as they are stored, by position of their set. */
export interface ValueRow {
  set: CharacteristicSet;
  /** {@link ABSENT} at positions without a value. */
  values: Float64Array;
  isFull: boolean;
  /** A byte for each position (`exact-text.ts`); `null` when every text is the canonical one. */
  digits: Buffer | null;
  /** Texts by characteristic id and attribute key; `null` when there is nothing but plain measured values. */
  extras: Readonly<Record<string, Readonly<Record<string, string>>>> | null;
}

/** A measurement without its values, as it is stored. */
export interface MeasurementHead {
  attributes: Readonly<Record<string, string>>;
  /** Timestamp as PostgreSQL reads it; `null` without the time attribute. */
  measuredAt: string | null;
  isAggregation: boolean;
}

/** @throws ServiceError 400 that names the attribute and its value */
export function headOf(
  measurement: IndexedMeasurement,
  configuration: Configuration,
  outdated?: (value: OutdatedValue) => void,
): MeasurementHead {
  const attributes = checkAttributes('measurement', measurement.attributes, configuration, pointerTo(measurement), { outdated });
  const time = attributes[TIME_KEY] === undefined ? undefined : parseDateTime(attributes[TIME_KEY]);
  return { attributes, measuredAt: time ? toPostgresTimestamp(time) : null, isAggregation: Object.hasOwn(attributes, AGGREGATION_KEY) };
}

/**
 * @param outdated called for each value that may be written only where it is stored already; without it such a value is refused
 * @throws ServiceError 400 that names measurement, characteristic, key and value
 */
export function checkValues(
  measurement: IndexedMeasurement,
  configuration: Configuration,
  outdated?: (characteristic: string, value: OutdatedValue) => void,
): void {
  if (!measurement.values) return;
  const { characteristics, raw } = measurement.values;
  for (const [index, attributes] of raw) {
    const note = outdated && ((value: OutdatedValue) => outdated(characteristicAt(characteristics, index), value));
    checkValue(measurement, characteristics, index, attributes, configuration, note);
  }
}

function checkValue(
  measurement: IndexedMeasurement,
  characteristics: SentCharacteristics,
  index: number,
  attributes: RawAttributes,
  configuration: Configuration,
  outdated?: (value: OutdatedValue) => void,
): Record<string, string> {
  const errorOf = (key: string, message: string) => {
    const where = `${pointerTo(measurement)}.characteristics.${characteristicAt(characteristics, index)}`;
    return invalidField(`${where}.${key}`, message, `${where}: ${message}`);
  };
  return checkEachAttribute('value', attributes, configuration, errorOf, outdated);
}

function characteristicAt({ words }: SentCharacteristics, index: number): string {
  return uuidOfWords(words, index * WORDS_PER_UUID);
}

const ACCEPTED = (): void => undefined;

/** A measurement whose values {@link checkValues} has accepted. */
export interface CheckedValues {
  sent: IndexedMeasurement;
  /** Indexes of its characteristics in the list of the part; every one of them is in the set. */
  indexes: Int32Array | undefined;
  /** The characteristics of the part; `undefined` where no measurement of the part has values. */
  characteristics: PartCharacteristics | undefined;
}

export interface WithRow {
  row: ValueRow | undefined;
}

/** Makes the rows of one statement at a time, because all rows of a request together can be a thousand times as large as its body. */
export function* rowBatches<T extends CheckedValues>(measurements: readonly T[], configuration: Configuration): Generator<(T & WithRow)[]> {
  let batch: (T & WithRow)[] = [];
  let values = 0;
  for (const measurement of measurements) {
    const row = valueRowOf(measurement, configuration);
    const size = row?.values.length ?? 0;
    if (batch.length === MAX_ROWS || (batch.length > 0 && values + size > MAX_VALUES)) {
      yield batch;
      batch = [];
      values = 0;
    }
    batch.push({ ...measurement, row });
    values += size;
  }
  if (batch.length > 0) yield batch;
}

/**
 * Puts values to the positions of the part's set.
 * @returns `undefined` when no characteristic has any attribute
 * @throws ServiceError 400 that names measurement, characteristic, key and value
 */
function valueRowOf({ sent, indexes, characteristics: ofPart }: CheckedValues, configuration: Configuration): ValueRow | undefined {
  if (!sent.values || !indexes || !ofPart?.set || indexes.length === 0) return undefined;
  const { positions, set } = ofPart;
  const { characteristics, values: numbers, digits: sentDigits, texts, raw } = sent.values;
  const size = set.characteristicIds.length;
  const values = new Float64Array(size).fill(ABSENT);
  const mayHaveDigits = sentDigits !== undefined || raw.size > 0;
  const digits = Buffer.alloc(mayHaveDigits ? size : 0, CANONICAL);
  const extras: Record<string, Record<string, string>> = {};
  let [valueCount, extraCount, specialDigits] = [0, 0, 0];
  const put = (position: number, value: number, written: number): void => {
    values[position] = value;
    valueCount += 1;
    if (written === CANONICAL) return;
    digits[position] = written;
    specialDigits += 1;
  };
  const keep = (position: number, attributes: Record<string, string>): void => {
    extras[String(set.characteristicIds[position])] = attributes;
    extraCount += 1;
  };
  for (let i = 0; i < characteristics.count; i += 1) {
    const position = positions[indexes[i] as number] as number;
    const attributes = raw.size === 0 ? undefined : raw.get(i);
    if (!attributes) {
      const written = sentDigits?.[i] ?? CANONICAL;
      put(position, numbers[i] as number, written);
      if (written === IN_EXTRAS) keep(position, { [MEASURED_VALUE_KEY]: texts.get(i) as string });
      continue;
    }
    const { [MEASURED_VALUE_KEY]: text, ...others } = checkValue(sent, characteristics, i, attributes, configuration, ACCEPTED);
    if (text !== undefined) {
      const exact = encodeExactText(text);
      if (!exact) throw new Error(`a text that was checked is no number: ${text}`);
      put(position, exact.value, exact.digits);
      if (exact.digits === IN_EXTRAS) others[MEASURED_VALUE_KEY] = text;
    }
    if (Object.keys(others).length > 0) keep(position, others);
  }
  if (valueCount === 0 && extraCount === 0) return undefined;
  return {
    set,
    values,
    isFull: valueCount === size,
    digits: specialDigits > 0 ? digits : null,
    extras: extraCount > 0 ? extras : null,
  };
}
