import type { Compared } from '@sinebar/charts';
import { ROOT_PART_UUID } from '@sinebar/client';
import type { Reported } from '../../quality/export/report-dialog';
import { useAncestors } from '../../quality/plan/use-plan-items';
import { namesOf, ownerPathOf } from '../../server/queries/plan-path';
import type { CompareSearch } from './search';

/** Returns the subject of a report of all that is compared: its part is the nearest one above all of them. */
export function useReported(compared: readonly Compared[], { from, to, newest, condition }: CompareSearch): Reported | undefined {
  const [first] = compared;
  const path = first?.summary.path;
  const ancestors = useAncestors(path);
  if (first === undefined || path === undefined) return undefined;
  const [shortest, ...others] = compared.map(({ summary }) => namesOf(ownerPathOf(summary.path))).sort((a, b) => a.length - b.length);
  const differing = (shortest ?? []).findIndex((name, i) => others.some((names) => names[i] !== name));
  const depth = differing < 0 ? (shortest ?? []).length : differing;
  // Parts that the reader may not see are missing; below the root everything is found.
  const isKnown = ancestors.length === namesOf(path).length - 1;
  const isOne = compared.every(({ summary }) => summary.partUuid === first.summary.partUuid);
  const shared = isKnown ? ancestors[depth - 1]?.uuid : undefined;
  return {
    subject: 'characteristic',
    selection: {
      partUuid: isOne ? first.summary.partUuid : (shared ?? ROOT_PART_UUID),
      characteristicUuids: compared.map(({ uuid }) => uuid),
    },
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    isFiltered: newest !== undefined || condition !== undefined,
  };
}
