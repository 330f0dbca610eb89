import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { EVENT_VIEWS } from '../pages/live/event-views';
import { useLive, useLiveEvents } from '../server/live/use-live';
import { queryKeys, type QueryTopic } from '../server/queries/keys';

/** Shortest time between two renewals of figures that the server computes over many values, ms. */
const OVERVIEW_MS = 5_000;

/** Reads again what events have changed: plan, definitions, files at once, overviews now and then; everything after a gap. */
export function useRenewals(): void {
  const queries = useQueryClient();
  const { state } = useLive();
  const overview = useRef<ReturnType<typeof setTimeout>>(undefined);
  const renew = (topic: QueryTopic) => void queries.invalidateQueries({ queryKey: queryKeys[topic]() });
  useLiveEvents(
    (events) => {
      for (const topic of new Set(events.flatMap(({ name }) => EVENT_VIEWS[name].topics))) {
        if (topic !== 'overview') renew(topic);
        else {
          overview.current ??= setTimeout(() => {
            overview.current = undefined;
            renew('overview');
          }, OVERVIEW_MS);
        }
      }
    },
    () => void queries.invalidateQueries(),
  );
  useEffect(() => () => clearTimeout(overview.current), []);
  // Requests that failed while the server was away are repeated; the rest follows from the events that come after.
  useEffect(() => {
    if (state === 'live')
      void queries.refetchQueries({ predicate: ({ state: { status, fetchFailureCount } }) => status === 'error' || fetchFailureCount > 0 });
  }, [state, queries]);
}
