import { decimalsOf, shownDecimals } from '@sinebar/charts';
import { CHARACTERISTIC_KEYS, type Characteristic } from '@sinebar/client';
import { nameOf, namesOf, ownerPathOf } from '../../server/queries/plan-path';
import { glyphOf, limitsFrom, middleOf, statusOf, type Limits, type ValueStatus } from '../../quality/values/limits';
import type { GlyphName } from '../../design/status/glyph';
import { readMeasured } from './measured-text';

/** Keys that the form needs of a characteristic. */
const KIND_KEY = 12_004;
export const FORM_KEYS: readonly number[] = [...Object.values(CHARACTERISTIC_KEYS), KIND_KEY];

/** Keys of the attributes of a value. */
const VALUE_KEY = 1;
export const SIZE_KEY = 20;

/** What a characteristic counts; attribute 12004 (K2004) is 1 for parts, 5 or 6 for errors. */
export type Counted = 'parts' | 'errors';

/** A characteristic as the form shows it. */
export interface MeasuredCharacteristic {
  uuid: string;
  name: string;
  /** Names between the part and the characteristic. */
  group: string;
  limits: Limits;
  decimals: number;
  /** Decimal places of the limits: as many as they need. */
  limitDecimals: number;
  unit: string;
  counted?: Counted;
}

/** Makes a row of the form of a characteristic. */
export function measuredCharacteristic({ uuid, path, attributes }: Characteristic): MeasuredCharacteristic {
  const limits = limitsFrom(attributes);
  const kind = Number(attributes[KIND_KEY]);
  const decimals = shownDecimals({ limits, values: [], places: attributes[CHARACTERISTIC_KEYS.decimalPlaces] });
  return {
    uuid,
    name: nameOf(path),
    group: namesOf(path)
      .slice(namesOf(ownerPathOf(path)).length, -1)
      .join(' / '),
    limits,
    decimals,
    limitDecimals: Math.min(decimals, decimalsOf(Object.values(limits))),
    unit: attributes[CHARACTERISTIC_KEYS.unit] ?? '',
    ...(kind === 1 && { counted: 'parts' }),
    ...((kind === 5 || kind === 6) && { counted: 'errors' }),
  };
}

/** What keeps a value from being saved. */
export type ValueProblem = 'noNumber' | 'noCount' | 'noSize' | 'moreThanSize';

/** What the form says of an entered value. */
export interface JudgedValue {
  problem?: ValueProblem;
  status?: ValueStatus;
  glyph?: GlyphName;
  /** Distance from nominal. */
  deviation?: number;
  /** Value attributes to save. */
  written?: Readonly<Record<number, string>>;
}

/** Judges what was entered for a characteristic. @param size text of the sample size, of characteristics that count */
export function judge({ limits, unit, counted }: MeasuredCharacteristic, text: string, size: string): JudgedValue {
  const read = readMeasured(text, unit);
  if (read.kind === 'empty') return {};
  if (read.kind === 'nonsense') return { problem: 'noNumber' };
  const { value } = read;
  const status = statusOf(value, limits);
  const middle = middleOf(limits);
  const judged = { status, glyph: glyphOf(status, limits), ...(middle !== undefined && { deviation: value - middle }) };
  if (counted === undefined) return { ...judged, written: { [VALUE_KEY]: read.text } };
  if (!Number.isInteger(value) || value < 0) return { problem: 'noCount' };
  const sample = readMeasured(size);
  if (sample.kind === 'empty') return { ...judged, written: { [VALUE_KEY]: read.text } };
  if (sample.kind === 'nonsense' || sample.value <= 0) return { problem: 'noSize' };
  if (counted === 'parts' && value > sample.value) return { problem: 'moreThanSize' };
  return { ...judged, written: { [VALUE_KEY]: read.text, [SIZE_KEY]: sample.text } };
}
