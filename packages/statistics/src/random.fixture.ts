/** Repeatable random numbers: mulberry32, and normal ones by Box and Muller. */
export interface RandomNumbers {
  /** Between 0 and 1, both excluded. */
  readonly uniform: () => number;
  readonly normal: () => number;
  /** A whole number from `least` to `most`. */
  readonly whole: (least: number, most: number) => number;
}

export function randomNumbers(seed: number): RandomNumbers {
  let state = seed | 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
  return {
    uniform,
    normal: () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()),
    whole: (least, most) => least + Math.floor(uniform() * (most - least + 1)),
  };
}

/** The share of simulated cases in which something is met. */
export function share(runs: number, isMet: () => boolean): number {
  let met = 0;
  for (let run = 0; run < runs; run++) if (isMet()) met++;
  return met / runs;
}

/** The largest share that is found in `runs` cases of what holds in at most `most` of all: two standard deviations more. */
export function upTo(most: number, runs: number): number {
  return most + 2 * Math.sqrt((most * (1 - most)) / runs);
}
