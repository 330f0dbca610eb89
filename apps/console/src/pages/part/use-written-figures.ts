import { useQueries } from '@tanstack/react-query';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { CHARACTERISTIC_KEYS } from '@sinebar/client';
import type { Overview } from './use-overview';

const { decimalPlaces, unit } = CHARACTERISTIC_KEYS;

/** Rows whose attributes are read in one request. */
const BATCH_ROWS = 50;

export interface WrittenFigures {
  /** Decimal places of the figures of a characteristic, where its plan says them. */
  placesOf: (uuid: string) => string | undefined;
  unitOf: (uuid: string) => string;
  /** Units of the rows in view. */
  units: readonly string[];
}

/** Reads units and decimal places of the characteristics in view. */
export function useWrittenFigures(overview: Overview, view: { first: number; last: number }): WrittenFigures {
  const server = useServer();
  const batches: string[][] = [];
  for (let from = Math.floor(view.first / BATCH_ROWS) * BATCH_ROWS; from <= view.last; from += BATCH_ROWS) {
    const uuids = Array.from({ length: BATCH_ROWS }, (_, index) => overview.entryAt(from + index)?.uuid).filter(
      (uuid) => uuid !== undefined,
    );
    if (uuids.length > 0) batches.push(uuids);
  }
  const answers = useQueries({
    queries: batches.map((charUuids) => ({
      queryKey: queryKeys.plan('figures', charUuids),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        server.characteristics.list({ charUuids, requestedCharacteristicAttributes: [decimalPlaces, unit], signal }),
      staleTime: 60_000,
    })),
  });
  const attributes = new Map(answers.flatMap(({ data }) => data ?? []).map((item) => [item.uuid, item.attributes]));
  const unitOf = (uuid: string) => attributes.get(uuid)?.[unit] ?? '';
  return {
    placesOf: (uuid) => attributes.get(uuid)?.[decimalPlaces],
    unitOf,
    units: [...new Set([...attributes.keys()].map(unitOf))].filter((each) => each !== ''),
  };
}
