/** A second implementation of the verdict on single values: as the definition reads, with sums over all points for each cut. */

/** P(|T| > t) by the trapezoidal rule over the density, in ln of the distance. */
function slowStudent(t: number, freedom: number): number {
  const density = (x: number) => (1 + (x * x) / freedom) ** (-(freedom + 1) / 2);
  // The integrals from 0 and from t, with x = e^y.
  const integral = (from: number) => {
    let sum = 0;
    for (let y = from; y < 8; y += 0.005) sum += density(Math.exp(y)) * Math.exp(y) * 0.005;
    return sum - (density(Math.exp(from)) * Math.exp(from) * 0.005) / 2;
  };
  return integral(Math.log(t)) / integral(-20);
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

export interface SlowVerdict {
  readonly isOut: boolean;
  readonly isFar: boolean;
  readonly isStep: boolean;
  readonly tooManyBeyond: boolean;
  /** The best cut of a step and of a hinge, and the squares that are left. */
  readonly step: { readonly cut: number; readonly squares: number };
  readonly hinge: { readonly cut: number; readonly squares: number };
}

/** @param values without missing ones, at least 20 */
export function slowVerdict(values: readonly number[]): SlowVerdict {
  const count = values.length;
  const ranges = values.slice(1).map((value, i) => Math.abs(value - values[i]!));
  const most = 3.267 * mean(ranges);
  const sigma = mean(ranges.filter((range) => range <= most)) / 1.1005;
  let kept = [...values];
  for (let left = count >= 200 ? 3 : 1; left > 0; left--) {
    const center = mean(kept);
    const farthest = kept.reduce((far, value) => (Math.abs(value - center) > Math.abs(far - center) ? value : far));
    kept = kept.toSpliced(kept.indexOf(farthest), 1);
  }
  const z = values.map((value) => (value - mean(kept)) / sigma);
  const farthest = Math.max(...z.map(Math.abs), ...ranges.map((range) => range / sigma / Math.SQRT2));
  const isFar = slowStudent(farthest, 0.62 * (count - 1)) < 0.02 / (2 * count - 1);

  const clipped = z.map((zi) => Math.min(4, Math.max(-4, zi)));
  const steps: { cut: number; squares: number }[] = [];
  const squaresAround = (some: readonly number[]) => some.reduce((sum, value) => sum + (value - mean(some)) ** 2, 0);
  let largest = { significance: 0, height: 0 };
  for (let cut = 3; cut <= count - 3; cut++) {
    const [before, behind] = [z.slice(0, cut), z.slice(cut)];
    const [clippedBefore, clippedBehind] = [clipped.slice(0, cut), clipped.slice(cut)];
    const height = Math.abs(mean(clippedBehind) - mean(clippedBefore));
    const significance = height / Math.sqrt(1 / before.length + 1 / behind.length);
    if (significance > largest.significance) largest = { significance, height };
    steps.push({ cut, squares: squaresAround(before) + squaresAround(behind) });
  }
  const isStep = largest.significance > 4 && largest.height >= 1;

  const hinges: { cut: number; squares: number }[] = [];
  for (let cut = 0; cut <= count - 3; cut++) {
    const x = z.map((_, i) => Math.max(0, i - cut));
    const [mx, mz] = [mean(x), mean(z)];
    const slope = mean(x.map((xi, i) => (xi - mx) * (z[i]! - mz))) / mean(x.map((xi) => (xi - mx) ** 2));
    hinges.push({ cut, squares: z.reduce((sum, zi, i) => sum + (zi - mz - slope * (x[i]! - mx)) ** 2, 0) });
  }
  const best = (fits: { cut: number; squares: number }[]) => fits.reduce((a, b) => (b.squares < a.squares ? b : a));
  const beyond = z.filter((zi) => Math.abs(zi) > 3).length;
  const tooManyBeyond = chanceOfMore(beyond, count, 0.002699796) < 0.02;
  return { isOut: isFar || isStep || tooManyBeyond, isFar, isStep, tooManyBeyond, step: best(steps), hinge: best(hinges) };
}

/** P(X ≥ found) of the binomial distribution, term by term; 1 for none. */
function chanceOfMore(found: number, trials: number, chance: number): number {
  let term = (1 - chance) ** trials;
  let below = 0;
  for (let k = 0; k < found; k++) {
    below += term;
    term *= ((trials - k) / (k + 1)) * (chance / (1 - chance));
  }
  return 1 - below;
}
