import type { View } from '@sinebar/charts';

/** Fewest points that a view shows. */
const MIN_POINTS = 10;

/** Makes a view narrower or wider around a share of its width, from 0 to 1; `factor` below 1 shows fewer points. */
export function zoomed({ start, end }: View, factor: number, share: number, count: number): View {
  const width = Math.min(Math.max((end - start) * factor, Math.min(MIN_POINTS, count)), count);
  const center = start + (end - start) * share;
  return within(center - width * share, width, count);
}

/** Moves a view by a share of its width. */
export function panned({ start, end }: View, share: number, count: number): View {
  return within(start + (end - start) * share, end - start, count);
}

function within(start: number, width: number, count: number): View {
  const from = Math.max(0, Math.min(start, count - width));
  return { start: from, end: Math.min(count, from + width) };
}

/** Consecutive points of known times; milliseconds since 1970. */
export interface Stretch {
  readonly from?: string;
  readonly to?: string;
  readonly count: number;
}

/** Converts between positions of points and times; between known times it interpolates. */
export interface Timeline {
  readonly count: number;
  timeAt: (position: number) => number | undefined;
  positionOf: (ms: number) => number;
}

export function timelineOf(stretches: readonly Stretch[]): Timeline {
  const starts: number[] = [];
  let count = 0;
  for (const stretch of stretches) {
    starts.push(count);
    count += stretch.count;
  }
  const times = stretches.map(({ from, to }) => ({ from: parsed(from), to: parsed(to) }));
  return {
    count,
    timeAt: (position) => {
      const index = Math.min(Math.max(lastAtMost(starts, position), 0), stretches.length - 1);
      const time = times[index];
      if (time?.from === undefined || time.to === undefined) return undefined;
      const share = (position - starts[index]!) / stretches[index]!.count;
      return time.from + (time.to - time.from) * Math.min(Math.max(share, 0), 1);
    },
    positionOf: (ms) => {
      const index = times.findIndex(({ to }) => to !== undefined && to >= ms);
      if (index < 0) return count;
      const { from = ms, to = ms } = times[index]!;
      const share = to > from ? (ms - from) / (to - from) : 0;
      return starts[index]! + Math.min(Math.max(share, 0), 1) * stretches[index]!.count;
    },
  };
}

function parsed(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time);
}

/** Index of the last number that is at most `limit`; the numbers ascend. */
function lastAtMost(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
