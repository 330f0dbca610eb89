import type { PartChildren } from '@sinebar/client';
import { parseMarkedPath } from '@sinebar/query-language';
import { lightCounts, worstLight } from '../values/lights';

type Child = PartChildren['children'][number];

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
