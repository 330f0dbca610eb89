/** Mean, spread and range of values; `standardDeviation` needs two values. */
export interface Moments {
  readonly count: number;
  readonly mean: number;
  readonly minimum: number;
  readonly maximum: number;
  /** √(Σ(x − mean)² / (count − 1)); absent for one value and where it exceeds the range of a double. */
  readonly standardDeviation?: number;
}

/** Values of a larger magnitude are scaled so that neither their sum nor their squares overflow. */
const LARGE = 1e100;

/**
 * Computes the moments of finite values in two passes, exact to about 1e-15 of the largest value.
 * Missing values (NaN) are skipped.
 * @returns undefined without values
 */
export function momentsOf(values: Float64Array): Moments | undefined {
  const plain = extremesAndMean(values, 1);
  const { count, minimum, maximum } = plain;
  if (count === 0) return undefined;
  // A product is several times as fast as a quotient, and as exact: both factors are powers of two.
  const scale = scaleFor(Math.max(Math.abs(minimum), Math.abs(maximum)));
  const factor = 1 / scale;
  const { mean } = scale === 1 ? plain : extremesAndMean(values, factor);
  let squares = 0;
  let remainder = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    const difference = value * factor - mean;
    squares += difference * difference;
    remainder += difference;
  }
  const unscaled = mean * scale;
  const moments = { count, mean: Math.min(maximum, Math.max(minimum, unscaled)), minimum, maximum };
  if (count < 2) return moments;
  // The second term removes what rounding of the mean adds to the squares.
  const variance = Math.max(0, squares - (remainder * remainder) / count) / (count - 1);
  const standardDeviation = minimum === maximum ? 0 : Math.sqrt(variance) * scale;
  return Number.isFinite(standardDeviation) ? { ...moments, standardDeviation } : moments;
}

/** A power of two, so that dividing by it is exact. */
function scaleFor(largest: number): number {
  return largest > LARGE ? 2 ** Math.min(1023, Math.floor(Math.log2(largest))) : 1;
}

/** The mean alone, in one pass, as exact as that of {@link momentsOf}; NaN without values. */
export function meanOf(values: Float64Array): number {
  const { mean } = extremesAndMean(values, 1);
  return Number.isFinite(mean) ? mean : (momentsOf(values)?.mean ?? NaN);
}

/** Number and extremes of the values, and the mean of the products with `factor`, by Neumaier's compensated sum. */
function extremesAndMean(values: Float64Array, factor: number): Omit<Moments, 'standardDeviation'> {
  let [count, minimum, maximum] = [0, Infinity, -Infinity];
  let [sum, compensation] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    count++;
    if (value < minimum) minimum = value;
    if (value > maximum) maximum = value;
    const term = value * factor;
    const next = sum + term;
    compensation += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
    sum = next;
  }
  return { count, mean: (sum + compensation) / count, minimum, maximum };
}
