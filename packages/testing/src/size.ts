/** Whether tests take their long sizes: `LONG=1` (docs/long-runs.md). */
export const IS_LONG = process.env['LONG'] === '1';

/** Returns how much a test does in `npm test`, or where `LONG=1` allows it hours. */
export function size<T>({ short, long }: { short: T; long: T }): T {
  return IS_LONG ? long : short;
}
