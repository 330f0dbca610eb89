import { ROOT_PART_UUID, type PartChildren } from '@sinebar/client';
import { parseMarkedPath } from '@sinebar/query-language';

type Child = PartChildren['children'][number];

/** Sums the statuses of all parts. */
export function findingOf(children: readonly Child[]): { counts: Child['statuses']; all: number } {
  const counts = { inLimits: 0, inWarning: 0, outOfTolerance: 0, noData: 0 };
  for (const { statuses } of children) {
    counts.inLimits += statuses.inLimits;
    counts.inWarning += statuses.inWarning;
    counts.outOfTolerance += statuses.outOfTolerance;
    counts.noData += statuses.noData;
  }
  return { counts, all: counts.inLimits + counts.inWarning + counts.outOfTolerance + counts.noData };
}

/** Orders parts, worst first: more out of tolerance, then more warnings, then as in the plan; those without data last. */
export function worstFirst(children: readonly Child[]): Child[] {
  const measured = ({ statuses: { inLimits, inWarning, outOfTolerance } }: Child) => (inLimits + inWarning + outOfTolerance > 0 ? 1 : 0);
  return [...children].sort(
    (a, b) =>
      b.statuses.outOfTolerance - a.statuses.outOfTolerance || b.statuses.inWarning - a.statuses.inWarning || measured(b) - measured(a),
  );
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
