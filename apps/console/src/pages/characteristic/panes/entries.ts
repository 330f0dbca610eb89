import type { ExcludedValue, ShownNote, ShownSeries } from '@sinebar/charts';
import type { MeasuredValue } from '../../../server/queries/analysis-queries';
import type { LeftOut } from '../evaluated';

/** Indexes of the entries that stand out, or that have a note. */
export function markedEntries({ entries, outOfTolerance, hits }: ShownSeries, notes: readonly ShownNote[] = []): number[] {
  const positions = [...outOfTolerance, ...hits, ...notes].map(({ position }) => position);
  const found = new Set<number>();
  for (const wanted of positions) {
    let [low, high] = [0, entries.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (entries[middle]!.position <= wanted) low = middle;
      else high = middle - 1;
    }
    found.add(low);
  }
  return [...found].sort((a, b) => a - b);
}

/** Puts values that are left out between the points that were measured before and after them. */
export function placeLeftOut(
  { entries, count }: ShownSeries,
  values: readonly MeasuredValue[],
  leftOut: readonly LeftOut[],
): ExcludedValue[] {
  const reasons = new Map(leftOut.map(({ measurementUuid, reason }) => [measurementUuid, reason]));
  const [first, last] = [entries[0]?.from, entries.at(-1)?.to];
  return values
    .flatMap(({ measurementUuid, time, value }) => {
      if (time === undefined || first === undefined || last === undefined) return [];
      const at = Date.parse(time);
      if (at < Date.parse(first) || at > Date.parse(last)) return [];
      const next = entries.find(({ to }) => to !== undefined && Date.parse(to) >= at);
      const drawn = drawnValue(value, entries);
      return [
        { position: next?.position ?? count, ...(drawn !== undefined && { value: drawn }), reason: reasons.get(measurementUuid) ?? '' },
      ];
    })
    .sort((a, b) => a.position - b.position);
}

/** What a chart draws of a measured value; nothing of a count whose share is drawn, where samples differ in size. */
function drawnValue(value: number, entries: ShownSeries['entries']): number | undefined {
  const isAsMeasured = entries.every(({ mean, sample }) => sample === undefined || sample.count === mean);
  if (isAsMeasured) return value;
  const sizes = new Set(entries.map(({ sample }) => sample?.size));
  const [size] = sizes;
  return sizes.size === 1 && size !== undefined ? value / size : undefined;
}
