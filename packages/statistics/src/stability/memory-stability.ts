import type { CusumSettings, EwmaSettings, MemorySignals } from '../charts/memory-charts.ts';
import { binomialQuantile } from '../distributions.ts';
import { cusumSignalRate, ewmaSignalRate } from './memory-rates.ts';
import { MIN_GROUPS, MIN_SINGLE_POINTS, RULES_CHANCE, type Since, type Stable } from './verdict.ts';

export type MemorySettings = { readonly ewma: EwmaSettings } | { readonly cusum: CusumSettings };

export interface MemoryStability {
  readonly stable: Stable;
  readonly since?: Since;
}

/**
 * Judges a chart that remembers: `no` with more excursions beyond the limits than chance explains, or with one of too many points.
 * A chart that is not reset has one long excursion when its process has moved for good; chance makes one of 200 so long.
 * @param points number of points that are not missing
 */
export function assessMemoryChart(
  { excursions }: MemorySignals,
  points: number,
  settings: MemorySettings,
  of: 'values' | 'groups' = 'values',
): MemoryStability {
  if (points < (of === 'groups' ? MIN_GROUPS : MIN_SINGLE_POINTS)) return { stable: 'unknown' };
  const [rate, most] =
    'ewma' in settings
      ? [ewmaSignalRate(settings.ewma), 2 / settings.ewma.lambda]
      : [cusumSignalRate(settings.cusum), 6 / settings.cusum.k ** 2];
  const long = excursions.find(({ signals }) => signals > most);
  const isTooOften = excursions.length > binomialQuantile(1 - RULES_CHANCE, points, Math.min(1, rate));
  const first = long ?? excursions[0];
  if (first && (long || isTooOften)) return { stable: 'no', since: { kind: 'points', index: first.first, on: 'location' } };
  return { stable: first ? 'nearly' : 'yes' };
}
