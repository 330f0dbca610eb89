import { ROOT_PART_UUID, type PartChildren } from '@sinebar/client';
import { parseMarkedPath } from '@sinebar/query-language';
import { FILTER_STATUSES } from '../../quality/values/filter-statuses';
import { lightCounts, worstLight, type LightCounts } from '../../quality/values/lights';

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

/** Orders parts, worst first: more out of tolerance, then more warnings, then as in the plan; those without data last. */
export function worstFirst(children: readonly Child[]): Child[] {
  return children
    .map((child) => ({ child, counts: lightCounts(child.statuses) }))
    .sort(
      ({ counts: a }, { counts: b }) =>
        b.outOfTolerance - a.outOfTolerance ||
        b.inWarning - a.inWarning ||
        Number(worstLight(a) === 'noData') - Number(worstLight(b) === 'noData'),
    )
    .map(({ child }) => child);
}

/** Writes the names above a characteristic: `Car door / Frame`. @param below number of names to leave out at the left */
export function namesAbove(path: string, below = 0): string {
  return parseMarkedPath(path)
    .slice(below, -1)
    .map(({ name }) => name)
    .join(' / ');
}

/** Returns the uuid of the part of the first level that a path leads through. */
export function partAbove(children: readonly Child[], path: string): string {
  const [first] = parseMarkedPath(path);
  return children.find(({ kind, name }) => kind === 'part' && name === first?.name)?.uuid ?? ROOT_PART_UUID;
}
