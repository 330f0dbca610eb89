/** Units in which a time without measurements is given, with their seconds. */
export const DURATION_UNITS = { days: 86_400, hours: 3600, minutes: 60, seconds: 1 } as const;
export type DurationUnit = keyof typeof DURATION_UNITS;

/** A duration as a reader says it. */
export interface SaidDuration {
  readonly count: number;
  readonly unit: DurationUnit;
}

const DURATION = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const SECONDS = [7 * DURATION_UNITS.days, ...Object.values(DURATION_UNITS)];

/** Reads a duration of ISO 8601 as a count of the largest unit that it is whole in; undefined for other texts. */
export function readDuration(text: string): SaidDuration | undefined {
  const found = DURATION.exec(text);
  if (!found) return undefined;
  const seconds = found.slice(1).reduce((sum, digits, i) => sum + Number(digits ?? 0) * SECONDS[i]!, 0);
  if (seconds === 0) return undefined;
  const units = Object.keys(DURATION_UNITS) as DurationUnit[];
  const unit = units.find((each) => seconds % DURATION_UNITS[each] === 0) ?? 'seconds';
  return { count: seconds / DURATION_UNITS[unit], unit };
}

/** Writes a duration as ISO 8601: `PT4H`. */
export function writeDuration({ count, unit }: SaidDuration): string {
  const letter = unit[0]!.toUpperCase();
  return unit === 'days' ? `P${count}${letter}` : `PT${count}${letter}`;
}
