import type { Alarm, AlarmPage } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { alarmsQuery } from '../../server/queries/alarm-queries';
import { useServer } from '../../server/server';
import { mergeAlarms, type ShownAlarm } from './shown-alarms';

/** Alarms that are read at first, by how many times more when the reader comes near the end, and the most that are listed. */
const FIRST_ALARMS = 500;
const GROWTH = 4;
const MAX_ALARMS = 10_000;
/** Rows before the end at which more are read. */
const MARGIN = 100;

export type AlarmChoice = Omit<AlarmPage, 'limitResult' | 'offset' | 'signal'>;

export interface AlarmList {
  /** Undefined while nothing has been read. */
  rows: readonly ShownAlarm[] | undefined;
  /** Alarms that have come meanwhile and are not among the rows. */
  fresh: number;
  /** Shows the list as it is now. */
  renew: () => void;
  /** Reads more when the last rows come into view. */
  onView: (first: number, last: number) => void;
  /** Whether there are older alarms than those that are listed. */
  isCut: boolean;
  isBusy: boolean;
  error: Error | null;
  refetch: () => void;
}

/**
 * Reads alarms, the newest first. Rows stay where they are while alarms come and go.
 * @param changed alarms that the reader has changed
 */
export function useAlarms(choice: AlarmChoice, changed: ReadonlySet<string>): AlarmList {
  const server = useServer();
  const key = JSON.stringify(choice);
  const [grown, setGrown] = useState({ key, limit: FIRST_ALARMS });
  const limit = grown.key === key ? grown.limit : FIRST_ALARMS;
  const query = useQuery({
    ...alarmsQuery(server, { ...choice, limitResult: limit }),
    // More rows of the same list take the place of fewer; another list begins anew.
    placeholderData: (previous: Alarm[] | undefined, asked: { queryKey: readonly unknown[] } | undefined) =>
      JSON.stringify({ ...(asked?.queryKey[2] as AlarmPage | undefined), limitResult: undefined }) === key ? previous : undefined,
  });
  const latest = query.data;
  const isCut = latest !== undefined && (query.isPlaceholderData || latest.length >= limit);
  const [kept, setKept] = useState<{ key: string; alarms: readonly Alarm[] }>();
  const isKept = kept !== undefined && kept.key === key;
  const merged = useMemo(
    () =>
      latest && mergeAlarms({ kept: isKept ? kept.alarms : [], latest, listedSince: isCut ? latest.at(-1)?.raised : undefined, changed }),
    [isKept, kept, latest, isCut, changed],
  );
  // Content below the rows, and that of an empty list, is kept as soon as it is there.
  if (merged && latest && (!isKept || merged.rows.length === 0 || merged.rows.length > kept.alarms.length)) {
    const alarms = merged.rows.length === 0 ? latest : merged.rows.map(({ alarm }) => alarm);
    if (!isKept || alarms.length > 0) setKept({ key, alarms });
  }
  const count = merged?.rows.length ?? 0;
  const onView = useCallback(
    (_: number, last: number) => {
      if (isCut && limit < MAX_ALARMS && last >= count - MARGIN) setGrown({ key, limit: Math.min(limit * GROWTH, MAX_ALARMS) });
    },
    [isCut, limit, count, key],
  );
  return {
    rows: merged?.rows,
    fresh: merged?.fresh ?? 0,
    renew: () => latest && setKept({ key, alarms: latest }),
    onView,
    isCut,
    isBusy: query.isFetching,
    error: query.error,
    refetch: () => void query.refetch(),
  };
}
