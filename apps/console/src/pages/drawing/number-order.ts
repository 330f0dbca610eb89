import type { BalloonRow } from './use-balloons';

const collator = new Intl.Collator('en', { numeric: true });

/** Characteristics with balloons in the order of their numbers, those without a number last. */
export function inNumberOrder(rows: readonly BalloonRow[]): BalloonRow[] {
  return rows
    .filter(({ stamp }) => stamp !== undefined)
    .sort((one, other) => Number(one.number === '') - Number(other.number === '') || collator.compare(one.number, other.number));
}
