import { CHARACTERISTIC_KEYS, type CharacteristicSeries, type CharacteristicSummary } from '@sinebar/client';
import type { GlyphName, Status } from '../../design/status/glyph';

/** Limits of a characteristic; all are absolute values. */
export type Limits = Omit<CharacteristicSummary['limits'], 'sources'>;

/** Value of the attributes 2120 and 2121 for a limit that values cannot pass by nature. */
const NATURAL_BOUNDARY = 2;

/** Reads the limits from the attributes of a characteristic, as the server does for its statistics. spec: decisions.md 5.4 */
export function limitsFrom(attributes: Readonly<Record<string, string>>): Limits {
  const number = (key: number) => numberFrom(attributes[key]);
  const nominal = number(CHARACTERISTIC_KEYS.nominal);
  const tolerance = (limit: number, deviation: number) => {
    const absolute = number(limit);
    const relative = number(deviation);
    if (absolute !== undefined) return absolute;
    return nominal === undefined || relative === undefined ? undefined : nominal + relative;
  };
  const isNatural = (key: number) => number(key) === NATURAL_BOUNDARY;
  const limits: { [Name in keyof Limits]?: number | undefined } = {
    nominal,
    target: number(CHARACTERISTIC_KEYS.target) ?? nominal,
    [isNatural(CHARACTERISTIC_KEYS.lowerLimitKind) ? 'lowerBoundary' : 'lowerTolerance']: tolerance(
      CHARACTERISTIC_KEYS.lowerTolerance,
      CHARACTERISTIC_KEYS.lowerDeviation,
    ),
    [isNatural(CHARACTERISTIC_KEYS.upperLimitKind) ? 'upperBoundary' : 'upperTolerance']: tolerance(
      CHARACTERISTIC_KEYS.upperTolerance,
      CHARACTERISTIC_KEYS.upperDeviation,
    ),
    lowerWarning: number(CHARACTERISTIC_KEYS.lowerWarning),
    upperWarning: number(CHARACTERISTIC_KEYS.upperWarning),
  };
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

function numberFrom(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Status of a single value, in the words of the server. */
export type ValueStatus = NonNullable<CharacteristicSeries['values']>[number]['status'];

/** Judges a value; a value without any limit is in limits. spec: decisions.md 5.4 */
export function statusOf(value: number, limits: Limits): ValueStatus {
  const lower = limits.lowerTolerance ?? limits.lowerBoundary;
  const upper = limits.upperTolerance ?? limits.upperBoundary;
  if (lower !== undefined && value < lower) return 'belowTolerance';
  if (upper !== undefined && value > upper) return 'aboveTolerance';
  const { lowerWarning, upperWarning } = limits;
  return (lowerWarning !== undefined && value < lowerWarning) || (upperWarning !== undefined && value > upperWarning)
    ? 'inWarning'
    : 'inLimits';
}

/** Status of a value, or of no value, as tables and totals show it; a value without limits is not judged. */
export function statusFrom(status: ValueStatus | undefined, limits: Limits): Status {
  if (status === undefined) return 'noData';
  if (!hasLimits(limits)) return 'noLimits';
  return status === 'belowTolerance' || status === 'aboveTolerance' ? 'outOfTolerance' : status;
}

/** Glyph of a value: what is below the tolerance points down. */
export function glyphOf(status: ValueStatus | undefined, limits: Limits): GlyphName {
  return status === 'belowTolerance' ? status : statusFrom(status, limits);
}

/** Whether a value can be outside of anything. */
function hasLimits({ lowerTolerance, upperTolerance, lowerBoundary, upperBoundary, lowerWarning, upperWarning }: Limits): boolean {
  return [lowerTolerance, upperTolerance, lowerBoundary, upperBoundary, lowerWarning, upperWarning].some((limit) => limit !== undefined);
}

/** Value that a deviation is counted from: nominal, else the middle of the tolerance, else the boundary. */
export function middleOf({ nominal, lowerTolerance, upperTolerance, lowerBoundary, upperBoundary }: Limits): number | undefined {
  if (nominal !== undefined) return nominal;
  const lower = lowerTolerance ?? lowerBoundary;
  const upper = upperTolerance ?? upperBoundary;
  if (lower !== undefined && upper !== undefined) return (lower + upper) / 2;
  return undefined;
}

/** Deviation from the middle in parts of the tolerance on its side: 1 and -1 are the limits; `undefined` without one. */
export function relativeDeviation(value: number, limits: Limits): number | undefined {
  const middle = middleOf(limits);
  if (middle === undefined) return undefined;
  const upper = limits.upperTolerance ?? limits.upperBoundary;
  const lower = limits.lowerTolerance ?? limits.lowerBoundary;
  const room =
    value >= middle
      ? (roomBetween(upper, middle) ?? roomBetween(middle, lower))
      : (roomBetween(middle, lower) ?? roomBetween(upper, middle));
  return room === undefined ? undefined : (value - middle) / room;
}

function roomBetween(above: number | undefined, below: number | undefined): number | undefined {
  if (above === undefined || below === undefined) return undefined;
  return above > below ? above - below : undefined;
}
