import type { PartOverview, ProcessStatus } from '@sinebar/client';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { queryKeys } from '../../server/queries/keys';
import { whilePending } from '../../server/queries/overview-queries';
import { useServer } from '../../server/server';
import type { OverviewEntry } from './overview-columns';
import type { FilterStatus } from '../../quality/values/filter-statuses';
import type { OverviewOrder } from './search';

export interface OverviewChoice {
  order: OverviewOrder;
  statuses: readonly FilterStatus[];
  processes: readonly ProcessStatus[];
  find: string;
  /** Whether characteristics of parts below are left out. */
  isOwn: boolean;
}

/** Rows of one request. */
const PAGE_ROWS = 100;

export interface Overview {
  /** Rows that the choice finds; `undefined` until it is known. */
  total: number | undefined;
  entryAt: (index: number) => OverviewEntry | undefined;
  onView: (first: number, last: number) => void;
  isBusy: boolean;
  error: unknown;
  refetch: () => void;
}

/** Reads the overview of a part page by page, as its rows come into view. */
export function useOverview(partUuid: string, choice: OverviewChoice): Overview {
  const server = useServer();
  const [view, setView] = useState({ first: 0, last: 0 });
  const pageQuery = (page: number) => ({
    queryKey: queryKeys.overview('part', partUuid, 'rows', choice, page),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      server.analysis.overview(partUuid, { ...overviewQuery(choice), offset: page * PAGE_ROWS, limit: PAGE_ROWS, signal }),
    refetchInterval: whilePending<PartOverview>,
  });
  const first = useQuery({ ...pageQuery(0), placeholderData: keepPreviousData });
  const pages = useMemo(() => {
    const from = Math.max(1, Math.floor(view.first / PAGE_ROWS));
    const to = Math.floor(view.last / PAGE_ROWS);
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  }, [view]);
  const others = useQueries({ queries: pages.map(pageQuery) });
  const byPage = new Map<number, PartOverview | undefined>([
    [0, first.data],
    ...pages.map((page, index) => [page, others[index]?.data] as const),
  ]);
  const onView = useCallback((from: number, to: number) => {
    setView((known) => (known.first === from && known.last === to ? known : { first: from, last: to }));
  }, []);
  return {
    total: first.data?.total,
    entryAt: (index) => byPage.get(Math.floor(index / PAGE_ROWS))?.characteristics[index % PAGE_ROWS],
    onView,
    isBusy: first.isFetching || others.some(({ isFetching }) => isFetching),
    error: first.data === undefined ? first.error : (others.find(({ error }) => error !== null)?.error ?? null),
    refetch: () => {
      void first.refetch();
      for (const other of others) void other.refetch();
    },
  };
}

/** Parameters of the interface for a choice. */
export function overviewQuery({ order, statuses, processes, find, isOwn }: OverviewChoice) {
  const wanted = [...statuses, ...processes];
  return {
    ...(order !== 'plan' && { order }),
    ...(wanted.length > 0 && { statuses: wanted }),
    ...(find !== '' && { find }),
    ...(isOwn && { depth: 1 }),
  };
}

/** Reads all rows of a choice, for the CSV. */
export async function readWholeOverview(
  read: (page: { offset: number; limit: number }) => Promise<PartOverview>,
): Promise<OverviewEntry[]> {
  const limit = 500;
  const entries: OverviewEntry[] = [];
  for (;;) {
    const page = await read({ offset: entries.length, limit });
    entries.push(...page.characteristics);
    if (page.characteristics.length === 0 || entries.length >= page.total) return entries;
  }
}
