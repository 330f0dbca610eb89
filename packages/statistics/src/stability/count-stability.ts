import { normalCdf } from '../distributions.ts';
import { countPoint, countScore, countTails, isUsable, type CountChart, type CountPoints } from '../counts/count-chart.ts';
import { studentTwoSided } from '../probabilities.ts';
import { FARTHEST_CHANCE } from './evidence.ts';
import { judge, MIN_SINGLE_POINTS, type Stability, type StabilityOptions } from './verdict.ts';

/**
 * Judges a chart of counts by the exact probabilities of its counts; the scores of `laneyP` are divided by the spread that it found.
 * Rules of runs and steps are judged on normal scores.
 */
export function assessCounts(chart: CountChart, { counts, sizes }: CountPoints, options: StabilityOptions): Stability {
  const scores = new Float64Array(counts.length).fill(NaN);
  const spread = chart.sigmaZ > 0 ? chart.sigmaZ : 1;
  const rates = new Map<number, number>();
  let [count, beyond, first, expected] = [0, 0, -1, 0];
  for (let i = 0; i < counts.length; i++) {
    const [number, size] = [counts[i]!, sizes[i]!];
    if (!isUsable(chart.type, number, size)) continue;
    count++;
    scores[i] = countScore(chart, number, size) / spread;
    let rate = rates.get(size);
    if (rate === undefined) rates.set(size, (rate = rateBeyond(chart, size)));
    expected += rate;
    const { value, lower, upper } = countPoint(chart, number, size);
    if (value >= lower && value <= upper) continue;
    beyond++;
    if (first < 0) first = i;
  }
  const isEnough = count >= MIN_SINGLE_POINTS;
  const isFirstJudged = isEnough || options.given !== undefined;
  const isFar = (score: number, i: number) => twoSided(chart, score, counts[i]!, sizes[i]!) < FARTHEST_CHANCE / count;
  return judge({
    data: { differences: scores },
    deviations: scores,
    sigma: 1,
    centerLine: 0,
    count,
    isEnough,
    farLocation: isFirstJudged ? scores.findIndex((score, i) => Math.abs(score) > 2 && isFar(score, i)) : -1,
    farVariation: -1,
    locationBeyond: { beyond, first, points: count, rate: count === 0 ? 0 : expected / count },
    options,
  });
}

function twoSided(chart: CountChart, score: number, count: number, size: number): number {
  if (chart.sigmaZ !== 1) return studentTwoSided(score, Infinity);
  const { lower, upper } = countTails(chart, count, size);
  return 2 * Math.min(lower, upper);
}

/** The probability of a count beyond the limits of a sample of `size`. */
function rateBeyond(chart: CountChart, size: number): number {
  if (chart.sigmaZ !== 1) return 2 * normalCdf(-3);
  const { lower, upper } = countPoint(chart, 0, size);
  const isPerUnit = chart.type !== 'c' && chart.type !== 'np';
  const [least, most] = [Math.ceil(isPerUnit ? lower * size : lower), Math.floor(isPerUnit ? upper * size : upper)];
  const below = least > 0 ? countTails(chart, least - 1, size).lower : 0;
  const above = countTails(chart, most + 1, size).upper;
  return below + (chart.type === 'c' || chart.type === 'u' || most < size ? above : 0);
}
