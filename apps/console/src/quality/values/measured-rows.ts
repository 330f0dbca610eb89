import { shownDecimals } from '@sinebar/charts';
import type { Characteristic, MeasurementWithValues } from '@sinebar/client';
import type { Status } from '../../design/status/glyph';
import { CHARACTERISTIC_KEYS } from '@sinebar/client';
import { relativeDeviation, limitsFrom, middleOf, statusFrom, statusOf, type Limits, type ValueStatus } from './limits';
import { namesOf } from '../../server/queries/plan-path';
import { FILTER_STATUSES } from './filter-statuses';

/** Key of the measured value. spec: inspection-service.md, Values */
const MEASURED_VALUE = '1';

/** A characteristic with its value in one measurement, and in another that it is compared with. */
export interface MeasuredRow {
  uuid: string;
  name: string;
  /** Names of the parts and characteristics between the part and the characteristic. */
  group: string;
  unit: string;
  limits: Limits;
  status: Status;
  /** Status with its side; absent without a value. */
  valueStatus?: ValueStatus;
  /** Value as it was written; absent when there is none. */
  text?: string;
  value?: number;
  /** Digits after the decimal sign that all figures of the row have. */
  decimals: number;
  /** Value minus nominal. */
  deviation?: number;
  /** Deviation in parts of the tolerance. */
  relative?: number;
  before?: { text: string; value: number; status: Status };
  /** Value minus the one before, and the same in parts of the width from nominal to limit. */
  change?: number;
  relativeChange?: number;
}

/** Joins characteristics with their values, in the order of the characteristics. */
export function measuredRows(
  characteristics: readonly Characteristic[],
  measurement: MeasurementWithValues,
  before: MeasurementWithValues | undefined,
): MeasuredRow[] {
  return characteristics.map((characteristic) => {
    const limits = limitsFrom(characteristic.attributes);
    const read = (from: MeasurementWithValues | undefined) => numberOf(from?.characteristics[characteristic.uuid]?.[MEASURED_VALUE]);
    const current = read(measurement);
    const earlier = read(before);
    const names = namesOf(characteristic.path);
    const middle = middleOf(limits);
    const tolerance = halfTolerance(limits);
    const change = current && earlier ? current.value - earlier.value : undefined;
    const relative = current && relativeDeviation(current.value, limits);
    return {
      uuid: characteristic.uuid,
      name: names.at(-1) ?? '',
      group: names.slice(1, -1).join(' / '),
      unit: characteristic.attributes[CHARACTERISTIC_KEYS.unit] ?? '',
      limits,
      status: statusFrom(current && statusOf(current.value, limits), limits),
      ...(current && { text: current.text, value: current.value, valueStatus: statusOf(current.value, limits) }),
      decimals: shownDecimals({
        limits,
        values: [current?.text, earlier?.text],
        places: characteristic.attributes[CHARACTERISTIC_KEYS.decimalPlaces],
      }),
      ...(current && middle !== undefined && { deviation: current.value - middle }),
      ...(relative !== undefined && { relative }),
      ...(earlier && { before: { ...earlier, status: statusFrom(statusOf(earlier.value, limits), limits) } }),
      ...(change !== undefined && { change }),
      ...(change !== undefined && tolerance !== undefined && { relativeChange: change / tolerance }),
    };
  });
}

function numberOf(text: string | undefined): { text: string; value: number } | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? { text, value } : undefined;
}

/** Half the width of the tolerance, or the width of the only side. */
function halfTolerance(limits: Limits): number | undefined {
  const lower = limits.lowerTolerance ?? limits.lowerBoundary;
  const upper = limits.upperTolerance ?? limits.upperBoundary;
  if (lower !== undefined && upper !== undefined) return upper > lower ? (upper - lower) / 2 : undefined;
  const middle = limits.nominal;
  if (middle === undefined) return undefined;
  const width = upper !== undefined ? upper - middle : lower !== undefined ? middle - lower : 0;
  return width > 0 ? width : undefined;
}

export type RowOrder = 'worst' | 'plan' | 'name' | 'change';

/** Sorts rows; those without a value come last when sorted by how bad or how different they are. */
export function sortRows(
  rows: readonly MeasuredRow[],
  order: RowOrder,
  compareNames: (one: string, other: string) => number,
): MeasuredRow[] {
  const sorted = [...rows];
  const severity = ({ relative }: MeasuredRow) => Math.abs(relative ?? 0);
  const change = ({ relativeChange }: MeasuredRow) => (relativeChange === undefined ? -1 : Math.abs(relativeChange));
  if (order === 'worst') {
    const rank = ({ status }: MeasuredRow) => FILTER_STATUSES.indexOf(status);
    sorted.sort((one, other) => rank(one) - rank(other) || severity(other) - severity(one));
  }
  if (order === 'name') sorted.sort((one, other) => compareNames(one.name, other.name));
  if (order === 'change') sorted.sort((one, other) => change(other) - change(one));
  return sorted;
}

/** Changes of the statuses since the measurement before. */
export interface StatusChanges {
  newlyOut: string[];
  newlyInWarning: number;
  backInLimits: number;
}

/** Compares the statuses of rows that have a value in both measurements. */
export function statusChanges(rows: readonly MeasuredRow[]): StatusChanges {
  const compared = rows.filter(({ before, status }) => before !== undefined && status !== 'noData');
  return {
    newlyOut: compared
      .filter(({ status, before }) => status === 'outOfTolerance' && before?.status !== 'outOfTolerance')
      .map(({ name }) => name),
    newlyInWarning: compared.filter(({ status, before }) => status === 'inWarning' && before?.status === 'inLimits').length,
    backInLimits: compared.filter(({ status, before }) => status === 'inLimits' && before?.status !== 'inLimits').length,
  };
}

/** An attribute that differs between two measurements; a missing side has no text. */
export interface AttributeChange {
  key: number;
  before?: string;
  after?: string;
}

/** Lists the attributes that differ, by key, without those named. */
export function attributeChanges(
  after: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>>,
  without: readonly number[],
): AttributeChange[] {
  const keys = [...new Set([...Object.keys(after), ...Object.keys(before)])].map(Number).filter((key) => !without.includes(key));
  return keys
    .sort((one, other) => one - other)
    .filter((key) => after[key] !== before[key])
    .map((key) => ({
      key,
      ...(before[key] !== undefined && { before: before[key] }),
      ...(after[key] !== undefined && { after: after[key] }),
    }));
}
