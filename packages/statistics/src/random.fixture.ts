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
