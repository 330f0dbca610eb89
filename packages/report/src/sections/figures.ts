import { decimalsOf, shownDecimals, modelTexts, textsIn, type Locale } from '@sinebar/charts';
import type { ReportCharacteristic } from '../report-content.ts';
import { wordsOf } from './written.ts';

const PLACES_KEY = 2022;
const NUMBER_KEY = 2001;
const UNIT_KEY = 2142;
const INDEX_DECIMALS = 2;
/** Digits of a sum of two numbers that people have written. */
const SUM_DIGITS = 12;

/** Columns of a table of characteristics that are numbers. */
const NUMBER_NAMES = [
  ...(['nominal', 'lower', 'upper', 'count', 'last', 'value', 'mean', 'deviation', 'difference', 'pp', 'ppk', 'cp', 'cpk'] as const),
] as const;
export type NumberName = (typeof NUMBER_NAMES)[number];

/** Columns of a table of characteristics. */
export type FigureName = NumberName | 'number' | 'name' | 'unit' | 'tolerance' | 'model' | 'now' | 'process' | 'sparkline' | 'bar';

/** A number with the digits after its decimal sign that are shown. */
export interface ShownNumber {
  readonly value: number;
  readonly decimals: number;
}

export function isNumberName(name: string): name is NumberName {
  return (NUMBER_NAMES as readonly string[]).includes(name);
}

/** Decimal places by row: each column of a row asks for them. */
const knownDecimals = new WeakMap<ReportCharacteristic, number>();

/** Decimal places of the figures of a characteristic, as its page has them. */
export function decimalsOfCharacteristic(row: ReportCharacteristic): number {
  const known = knownDecimals.get(row);
  if (known !== undefined) return known;
  const { limits, sparkline: values, attributes, last, value } = row;
  const decimals = shownDecimals({ limits, values: [...values, last?.value, value], places: attributes[PLACES_KEY] });
  knownDecimals.set(row, decimals);
  return decimals;
}

/** Digits after the decimal sign that limits were written with. A limit that is a sum, such as 4 - 2.3, has more of them by rounding. */
function writtenDecimals(limits: readonly (number | undefined)[]): number {
  return decimalsOf(limits.map((limit) => limit && Number(limit.toPrecision(SUM_DIGITS))));
}

/** Returns a number of a characteristic; `undefined` where it has none. */
export function shownNumber(name: NumberName, row: ReportCharacteristic): ShownNumber | undefined {
  const { limits } = row;
  const decimals = decimalsOfCharacteristic(row);
  const shown = (value: number | undefined, places = decimals) =>
    value === undefined || !Number.isFinite(value) ? undefined : { value, decimals: places };
  // Limits are demanded, so that no digit of them may get lost.
  const limit = (value: number | undefined) => shown(value, Math.max(decimals, writtenDecimals([value])));
  const measured = row.value === undefined ? undefined : Number(row.value);
  switch (name) {
    case 'nominal':
      return limit(limits.nominal);
    case 'lower':
      return limit(limits.lowerTolerance ?? limits.lowerBoundary);
    case 'upper':
      return limit(limits.upperTolerance ?? limits.upperBoundary);
    case 'count':
      return shown(row.count, 0);
    case 'last':
      return shown(row.last?.value);
    case 'value':
      return shown(measured);
    case 'mean':
      return shown(row.mean, decimals + 1);
    case 'deviation':
      return shown(row.standardDeviation, decimals + 1);
    case 'difference':
      return measured === undefined || limits.nominal === undefined ? undefined : shown(measured - limits.nominal);
    case 'pp':
      return shown(row.overall?.p, INDEX_DECIMALS);
    case 'ppk':
      return shown(row.overall?.pk, INDEX_DECIMALS);
    case 'cp':
      return shown(row.within?.p, INDEX_DECIMALS);
    case 'cpk':
      return shown(row.within?.pk, INDEX_DECIMALS);
  }
}

/** Text of a column of a table; the empty text where it is not defined. */
export function figureText(name: FigureName, row: ReportCharacteristic, locale: Locale): string {
  if (isNumberName(name)) {
    const shown = shownNumber(name, row);
    if (shown === undefined) return '';
    const { formats } = locale;
    return (name === 'difference' ? formats.signed : formats.number)(shown.value, shown.decimals);
  }
  switch (name) {
    case 'number':
      return row.attributes[NUMBER_KEY] ?? '';
    case 'name':
      return row.name;
    case 'unit':
      return row.attributes[UNIT_KEY] ?? '';
    case 'tolerance':
      return toleranceText(row, locale);
    case 'model':
      return row.overall?.pk === undefined ? '' : textsIn(modelTexts, locale.language)[`model_${row.model ?? 'normal'}`];
    case 'now':
      return wordsOf(locale)[row.now];
    case 'process':
      return wordsOf(locale)[row.process];
    case 'sparkline':
    case 'bar':
      return '';
  }
}

/** `±0.05`, or both deviations from nominal. */
function toleranceText(row: ReportCharacteristic, { formats }: Locale): string {
  const { nominal, lowerTolerance: lower, upperTolerance: upper } = row.limits;
  if (nominal === undefined) return '';
  const decimals = Math.max(decimalsOfCharacteristic(row), writtenDecimals([nominal, lower, upper]));
  const [below, above] = [lower, upper].map((limit) => (limit === undefined ? undefined : limit - nominal));
  if (below !== undefined && above !== undefined && Math.abs(below + above) < 10 ** -(decimals + 1)) {
    return `±${formats.number(above, decimals)}`;
  }
  return [above, below].flatMap((each) => (each === undefined ? [] : [formats.signed(each, decimals)])).join(' / ');
}
