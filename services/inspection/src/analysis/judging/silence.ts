import type { PlantClock } from '../../evaluation/settings/plant-clock.ts';

const MINUTE_MS = 60_000;
const UNITS_MS = { W: 7 * 86_400_000, D: 86_400_000, H: 3_600_000, M: MINUTE_MS, S: 1000 } as const;

/** Reads a duration such as `PT4H` or `P2DT30M`. @returns milliseconds */
export function millisecondsOf(duration: string): number {
  return [...duration.matchAll(/(\d+)([WDHMS])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS],
    0,
  );
}

/**
 * Measures the time that lies in shifts between two times, to the minute.
 * @param most at which the measuring ends
 * @returns milliseconds, at most a minute more than `most`
 */
export function elapsedInShifts(clock: PlantClock, fromMs: number, toMs: number, most: number): number {
  let elapsed = 0;
  for (let ms = fromMs; ms < toMs && elapsed < most; ms += MINUTE_MS) {
    if (!Number.isNaN(clock.numberAt('shift', ms))) elapsed += Math.min(MINUTE_MS, toMs - ms);
  }
  return elapsed;
}
