/** A coordinate with at most two decimals. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Writes a coordinate with at most two decimals. */
export function c(value: number): string {
  return String(rounded(value));
}

/** The middle of the pixel that a hairline covers. */
export function crisp(value: number): number {
  return Math.floor(value) + 0.5;
}

/** A path through points. */
export function polyline(points: readonly (readonly [number, number])[]): string {
  return points.length === 0 ? '' : `M${points.map(([x, y]) => `${c(x)} ${c(y)}`).join('L')}`;
}

/** A path of discs, which takes one element for any number of points. */
export function discs(points: readonly (readonly [number, number])[], radius: number): string {
  const r = c(radius);
  const d = c(2 * radius);
  return points.map(([x, y]) => `M${c(x - radius)} ${c(y)}a${r} ${r} 0 1 0 ${d} 0a${r} ${r} 0 1 0-${d} 0`).join('');
}

/** Lines at 45° inside of a rectangle: the forbidden side of a wall. */
export function hatching(x: number, y: number, width: number, height: number, distance = 5): string {
  let path = '';
  for (let offset = -height + (height % distance); offset < width; offset += distance) {
    // A line rises from the lower edge to the right; the rectangle cuts it.
    const from = Math.max(offset, 0);
    const to = Math.min(offset + height, width);
    if (to - from > 0.5) path += `M${c(x + from)} ${c(y + height - (from - offset))}L${c(x + to)} ${c(y + height - (to - offset))}`;
  }
  return path;
}

/** Figures of the values that fall into one column of pixels. */
export interface Column {
  readonly minimum: number;
  readonly maximum: number;
  readonly mean: number;
  /** Values in the column. */
  readonly count: number;
}

/** Merges entries into at most `most` columns, each of which keeps the extremes and the mean of its entries. */
export function columnsOf(entries: readonly Column[], most: number): Column[] {
  if (entries.length <= most) return [...entries];
  return Array.from({ length: most }, (_, i) => {
    const start = Math.floor((i * entries.length) / most);
    const end = Math.floor(((i + 1) * entries.length) / most);
    let column = { minimum: Infinity, maximum: -Infinity, mean: 0, count: 0 };
    for (let at = start; at < end; at += 1) column = merged(column, entries[at]!);
    return column;
  });
}

function merged(a: Column, b: Column): Column {
  const count = a.count + b.count;
  return {
    minimum: Math.min(a.minimum, b.minimum),
    maximum: Math.max(a.maximum, b.maximum),
    mean: count === 0 ? 0 : a.mean + (b.mean - a.mean) * (b.count / count),
    count,
  };
}
