import { ROOT_PART_UUID, type PartChildren } from '@sinebar/client';
import { parseMarkedPath } from '@sinebar/query-language';
import { FILTER_STATUSES } from '../../quality/values/filter-statuses';
import { lightCounts, type LightCounts } from '../../quality/values/lights';

type Child = PartChildren['children'][number];

/** Sums the lights of all parts. */
export function findingOf(children: readonly Child[]): { counts: LightCounts; all: number } {
  const counts: LightCounts = { inLimits: 0, inWarning: 0, outOfTolerance: 0, noLimits: 0, noData: 0 };
  for (const { statuses } of children) {
    const lights = lightCounts(statuses);
    for (const light of FILTER_STATUSES) counts[light] += lights[light];
  }
  return { counts, all: Object.values(counts).reduce((sum, count) => sum + count, 0) };
}

/** Returns the uuid of the part of the first level that a path leads through. */
export function partAbove(children: readonly Child[], path: string): string {
  const [first] = parseMarkedPath(path);
  return children.find(({ kind, name }) => kind === 'part' && name === first?.name)?.uuid ?? ROOT_PART_UUID;
}
