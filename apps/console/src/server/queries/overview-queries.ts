import type { PartOverview, SinebarClient } from '@sinebar/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { queryKeys } from './keys';

/** Children that are shown at once; the list of all, when it is longer, follows. */
const FIRST_CHILDREN = 500;

/** Interval in which figures are read again while the server still assesses newer values, milliseconds. */
const PENDING_MS = 3000;

/** Reads an answer again while it is older than the values. */
export function whilePending<Answer extends { pending?: number }>(query: { state: { data: Answer | undefined } }): number | false {
  return (query.state.data?.pending ?? 0) > 0 ? PENDING_MS : false;
}

/** Direct children of a part or characteristic, with the newest statuses at and below each. */
export function childrenQuery(client: SinebarClient, uuid: string) {
  return queryOptions({
    queryKey: queryKeys.overview('children', uuid),
    queryFn: async ({ signal, client: queries, queryKey }) => {
      const { children } = await client.analysis.children(uuid, { limit: FIRST_CHILDREN, signal });
      if (children.length < FIRST_CHILDREN) return children;
      queries.setQueryData(queryKey, (known: typeof children | undefined) => known ?? children);
      return (await client.analysis.children(uuid, { signal })).children;
    },
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}

export interface OverviewChoice {
  order?: 'status' | 'ppk' | 'name';
  offset?: number;
  limit?: number;
  depth?: number;
}

/** Figures of the characteristics below a part, one page of them. */
export function overviewQuery(client: SinebarClient, partUuid: string, choice: OverviewChoice = {}) {
  return queryOptions({
    queryKey: queryKeys.overview('page', partUuid, choice),
    queryFn: ({ signal }) => client.analysis.overview(partUuid, { ...choice, signal }),
    refetchInterval: whilePending<PartOverview>,
    placeholderData: keepPreviousData,
  });
}

/** Newest status and Ppk of every characteristic below a part, in plan order. */
export function statusesQuery(client: SinebarClient, partUuid: string) {
  return queryOptions({
    queryKey: queryKeys.overview('statuses', partUuid),
    queryFn: async ({ signal }) => (await client.analysis.statuses(partUuid, { signal })).characteristics,
  });
}
