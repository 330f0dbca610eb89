import { median, timed } from '../figures.ts';

export type Row = [what: string, measured: string, goal: string];

export const ROUNDS = 5;

/** Returns the median of each work, measured in turn after one warm-up round. */
export async function inTurn<K extends string>(works: Record<K, () => Promise<unknown>>, rounds = ROUNDS): Promise<Record<K, number>> {
  const times = Object.fromEntries(Object.keys(works).map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of Object.keys(works) as K[]) {
      const ms = await timed(works[name]);
      if (round > 0) times[name].push(ms);
    }
  }
  return Object.fromEntries((Object.keys(works) as K[]).map((name) => [name, median(times[name])])) as Record<K, number>;
}

export function ratio(measured: number, base: number): string {
  return (measured / base).toFixed(2);
}
