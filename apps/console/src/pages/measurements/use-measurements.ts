import type { Measurement } from '@sinebar/client';
import { Semaphore } from '@sinebar/concurrency/semaphore';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';

/** The choice of the measurements that are listed, in the words of the interface. */
export interface MeasurementChoice {
  partPath?: string;
  deep?: boolean;
  searchCondition?: string;
  order: string;
}

/** Most measurements that a list holds; conditions choose among more. */
export const MAX_LISTED = 10_000;
/** Key of the time of a measurement. */
export const TIME_KEY = 4;
/** Rows whose attributes and statuses are read in one request. */
const BATCH_ROWS = 40;
/** Limits the requests at once: the paper asks for 2,000 rows. */
const requests = new Semaphore(4);

export interface MeasurementList {
  /** All measurements that the choice finds, without attributes other than the time. */
  index: readonly Measurement[] | undefined;
  /** Whether there are more than the list holds. */
  isCut: boolean;
  /** A row with all attributes and the status of each value. */
  rowAt: (index: number) => Measurement | undefined;
  onView: (first: number, last: number) => void;
  isBusy: boolean;
  error: unknown;
  refetch: () => void;
}

/** Parameters of the interface for a choice. */
export function measurementQuery({ searchCondition, ...choice }: MeasurementChoice) {
  return { ...choice, ...(searchCondition !== undefined && searchCondition !== '' && { searchCondition }) };
}

/**
 * Reads a list of measurements: all uuids at once, attributes and statuses for the rows in view.
 * @param choice `undefined` while it is not known yet
 * @param split attribute that all measurements have to tell, too
 */
export function useMeasurements(choice: MeasurementChoice | undefined, split?: number): MeasurementList {
  const server = useServer();
  const [view, setView] = useState({ first: 0, last: 0 });
  const index = useQuery({
    queryKey: queryKeys.measurements('index', choice, split),
    queryFn: ({ signal }) =>
      server.measurements.search({
        ...measurementQuery(choice ?? { order: `${TIME_KEY} desc` }),
        requestedMeasurementAttributes: split === undefined ? [TIME_KEY] : [TIME_KEY, split],
        limitResult: MAX_LISTED + 1,
        signal,
      }),
    enabled: choice !== undefined,
    placeholderData: keepPreviousData,
  });
  const listed = useMemo(() => index.data?.slice(0, MAX_LISTED), [index.data]);
  const batches = useMemo(() => {
    const found: string[][] = [];
    for (let from = Math.floor(view.first / BATCH_ROWS) * BATCH_ROWS; from <= view.last; from += BATCH_ROWS) {
      const uuids = listed?.slice(from, from + BATCH_ROWS).map(({ uuid }) => uuid) ?? [];
      if (uuids.length > 0) found.push(uuids);
    }
    return found;
  }, [listed, view]);
  const details = useQueries({
    queries: batches.map((measurementUuids) => ({
      queryKey: queryKeys.measurements('details', measurementUuids),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        requests.run(signal, () =>
          server.measurements.search({ measurementUuids, statistics: 'Detailed' as const, aggregation: 'All' as const, signal }),
        ),
    })),
  });
  const rows = new Map(details.flatMap(({ data }) => data ?? []).map((measurement) => [measurement.uuid, measurement]));
  const onView = useCallback((first: number, last: number) => {
    setView((known) => (known.first === first && known.last === last ? known : { first, last }));
  }, []);
  return {
    index: listed,
    isCut: (index.data?.length ?? 0) > MAX_LISTED,
    rowAt: (at) => rows.get(listed?.[at]?.uuid ?? ''),
    onView,
    isBusy: index.isFetching || details.some(({ isFetching }) => isFetching),
    error: index.data === undefined ? index.error : (details.find(({ error }) => error !== null)?.error ?? null),
    refetch: () => {
      void index.refetch();
      for (const each of details) void each.refetch();
    },
  };
}
