import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { namesOf, plainPathOf } from '../../server/queries/plan-path';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';

/** Most parts whose characteristics are read for the strips of one list. */
const MAX_PARTS = 50;

export interface PlannedParts {
  /** Name of the part; empty until it is known. */
  nameOf: (partUuid: string) => string;
  /** Uuids of the part's characteristics in plan order; `undefined` until they are known. */
  characteristicsOf: (partUuid: string) => readonly string[] | undefined;
}

/** Reads names and characteristics of the parts of a list of measurements. */
export function usePlannedParts(partUuids: readonly string[]): PlannedParts {
  const server = useServer();
  const wanted = useMemo(() => [...new Set(partUuids)].slice(0, MAX_PARTS), [partUuids]);
  const parts = useQuery({
    queryKey: queryKeys.plan('named', wanted),
    queryFn: ({ signal }) => server.parts.list({ partUuids: wanted, requestedPartAttributes: 'None', signal }),
    enabled: wanted.length > 0,
    staleTime: 60_000,
  });
  const known = parts.data ?? [];
  const answers = useQueries({
    queries: known.map(({ uuid, path }) => ({
      queryKey: queryKeys.plan('characteristics of part', uuid),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        server.characteristics.list({ partPath: plainPathOf(path), requestedCharacteristicAttributes: 'None' as const, signal }),
      staleTime: 60_000,
    })),
  });
  const characteristics = new Map(known.map(({ uuid }, index) => [uuid, answers[index]?.data?.map((each) => each.uuid)]));
  const names = new Map(known.map(({ uuid, path }) => [uuid, namesOf(path).at(-1) ?? '/']));
  return {
    nameOf: (uuid) => names.get(uuid) ?? '',
    characteristicsOf: (uuid) => characteristics.get(uuid),
  };
}
