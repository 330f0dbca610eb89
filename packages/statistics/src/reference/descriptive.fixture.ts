/** Descriptive figures of a second implementation, on lists of numbers without missing ones. */

export const sum = (terms: readonly number[]) => terms.reduce((total, term) => total + term, 0);
export const ascending = (values: readonly number[]) => [...values].sort((first, second) => first - second);

/** Adds differences from the first value, which are exact for values that are close to each other. */
export const mean = (values: readonly number[]) => values[0]! + sum(values.map((value) => value - values[0]!)) / values.length;
export const squares = (values: readonly number[]) => sum(values.map((value) => (value - mean(values)) ** 2));
export const deviation = (values: readonly number[]) => Math.sqrt(squares(values) / (values.length - 1));

/** Type 7. */
export function quantile(values: readonly number[], probability: number): number {
  const sorted = ascending(values);
  const at = (values.length - 1) * probability;
  const share = at - Math.floor(at);
  return sorted[Math.floor(at)]! * (1 - share) + sorted[Math.ceil(at)]! * share;
}

export function box(values: readonly number[]) {
  const [lower, upper] = [quantile(values, 0.25), quantile(values, 0.75)];
  const reach = 1.5 * (upper - lower);
  const isInside = (value: number) => value >= lower - reach && value <= upper + reach;
  const inside = values.filter(isInside);
  return {
    lowerQuartile: lower,
    median: quantile(values, 0.5),
    upperQuartile: upper,
    lowerWhisker: Math.min(...inside),
    upperWhisker: Math.max(...inside),
    outliers: ascending(values.filter((value) => !isInside(value))),
  };
}

/** The number of values in each class, by asking every class for its values. */
export function countsBetween(values: readonly number[], edges: readonly number[]): number[] {
  return edges.slice(1).map((upper, i) => {
    const isLast = i === edges.length - 2;
    return values.filter((value) => value >= edges[i]! && (value < upper || (isLast && value === upper))).length;
  });
}

/** Pearson's r. */
export function pearson(first: readonly number[], second: readonly number[]): number {
  const products = sum(first.map((x, i) => (x - mean(first)) * (second[i]! - mean(second))));
  return products / Math.sqrt(squares(first) * squares(second));
}

/** The mean of the positions of equal values. */
export const ranks = (values: readonly number[]) =>
  values.map((value) => values.filter((other) => other < value).length + (values.filter((other) => other === value).length + 1) / 2);
