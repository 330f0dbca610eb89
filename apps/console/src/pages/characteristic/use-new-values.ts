import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { queryKeys } from '../../server/queries/keys';
import { useLiveEvents } from '../../server/live/use-live';

/** Shortest time between two readings while the view follows the newest values, ms. */
const FOLLOW_MS = 500;

/** Counts measurements of a part that came since its values were read; following reads them by itself. */
export function useNewValues(partUuid: string, characteristicUuid: string, isFollowing: boolean) {
  const queries = useQueryClient();
  const [counted, setCounted] = useState({ characteristicUuid, count: 0 });
  const count = counted.characteristicUuid === characteristicUuid ? counted.count : 0;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const readAt = useRef(-Infinity);
  const read = useCallback(() => {
    readAt.current = performance.now();
    setCounted({ characteristicUuid, count: 0 });
    void queries.invalidateQueries({ queryKey: queryKeys.values(characteristicUuid) });
  }, [queries, characteristicUuid]);
  useEffect(() => () => clearTimeout(timer.current), [characteristicUuid]);
  useLiveEvents((events) => {
    // The chart is drawn by the evaluation: with another one it would contradict the figures elsewhere.
    if (
      events.some(
        (event) => event.name === 'EvaluationModified' && (event.payload.Entity === 'Part' || event.payload.Uuid === characteristicUuid),
      )
    ) {
      read();
    }
    const changed = events.filter(
      ({ name, payload }) => name.startsWith('Measurement') && 'PartUuid' in payload && payload.PartUuid === partUuid,
    );
    if (changed.length === 0) return;
    setCounted((before) => ({
      characteristicUuid,
      count: (before.characteristicUuid === characteristicUuid ? before.count : 0) + changed.length,
    }));
    if (!isFollowing) return;
    // The first change is read at once, those that follow it together.
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined;
        read();
      },
      Math.max(0, readAt.current + FOLLOW_MS - performance.now()),
    );
  }, read);
  return { count, read };
}
