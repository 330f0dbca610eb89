import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { EVENT_VIEWS } from '../pages/live/event-views';
import { useLive, useLiveEvents } from '../server/live/use-live';
import { queryKeys, type QueryTopic } from '../server/queries/keys';

/**
 * Shortest times between two renewals, ms: of figures that the server computes over many values, and of alarms, of which many may come
 * at once. Other topics are renewed at once.
 */
const PAUSES_MS: Partial<Record<QueryTopic, number>> = { overview: 5_000, alarms: 500 };

/** Reads again what events have changed: plan, definitions, files at once, overviews and alarms now and then; everything after a gap. */
export function useRenewals(): void {
  const queries = useQueryClient();
  const { state } = useLive();
  const waiting = useRef(new Map<QueryTopic, ReturnType<typeof setTimeout>>());
  const renew = (topic: QueryTopic) => void queries.invalidateQueries({ queryKey: queryKeys[topic]() });
  useLiveEvents(
    (events) => {
      for (const topic of new Set(events.flatMap(({ name }) => EVENT_VIEWS[name].topics))) {
        const pauseMs = PAUSES_MS[topic];
        if (pauseMs === undefined) renew(topic);
        else if (!waiting.current.has(topic)) {
          const renewLater = () => {
            waiting.current.delete(topic);
            renew(topic);
          };
          waiting.current.set(topic, setTimeout(renewLater, pauseMs));
        }
      }
    },
    () => void queries.invalidateQueries(),
  );
  useEffect(() => {
    const { current: timers } = waiting;
    return () => timers.forEach((timer) => clearTimeout(timer));
  }, []);
  // Requests that failed while the server was away are repeated; the rest follows from the events that come after.
  useEffect(() => {
    if (state === 'live')
      void queries.refetchQueries({ predicate: ({ state: { status, fetchFailureCount } }) => status === 'error' || fetchFailureCount > 0 });
  }, [state, queries]);
}
