import { ROOT_PART_UUID, type Part } from '@sinebar/client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { ancestorsQuery, partQuery, topPartsQuery, type Ancestor } from '../../server/queries/plan-queries';
import { nameOf, plainPathOf } from '../../server/queries/plan-path';
import { useServer } from '../../server/server';

export function usePart(partUuid: string): UseQueryResult<Part> {
  return useQuery(partQuery(useServer(), partUuid));
}

/** Reads the parts above a path, from the root on, without those that the reader may not see. */
export function useAncestors(path: string | undefined): readonly Ancestor[] {
  return useQuery(ancestorsQuery(useServer(), path)).data ?? [];
}

/** Reads the parts directly below the root, with their paths as `partPath` takes them. */
export function useTopParts(): readonly { path: string; name: string }[] {
  const { data } = useQuery(topPartsQuery(useServer()));
  return (data ?? []).filter(({ uuid }) => uuid !== ROOT_PART_UUID).map(({ path }) => ({ path: plainPathOf(path), name: nameOf(path) }));
}
